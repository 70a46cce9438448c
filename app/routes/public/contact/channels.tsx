import { useTranslation } from 'react-i18next';

export interface ChannelsProps {
  phone: string;
  email: string;
}

/** The telephone number and the mail address, as links. */
export function Channels({ phone, email }: ChannelsProps) {
  const { t } = useTranslation('contact');
  const channels = [
    { name: 'phone', address: phone, href: `tel:${phone.replaceAll(' ', '')}` },
    { name: 'email', address: email, href: `mailto:${email}` },
  ] as const;
  return (
    <ul className="grid gap-2">
      {channels.map(({ name, address, href }) => (
        <li key={name}>
          <span className="block text-sm text-muted">{t(`support.${name}.title`)}</span>
          <a
            href={href}
            className="inline-flex min-h-11 items-center text-lg font-[650] wrap-anywhere"
          >
            {address}
          </a>
        </li>
      ))}
    </ul>
  );
}
