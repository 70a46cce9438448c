import { useTranslation } from 'react-i18next';

interface Office {
  city: string;
  address: string;
  phone: string;
  hours: string;
  example: boolean;
}

/** The offices from the operator's settings; samples are marked. */
export function Offices({ offices }: { offices: Office[] }) {
  const { t } = useTranslation('contact');
  return (
    <ul className="grid gap-6 sm:grid-cols-3">
      {offices.map(({ city, address, phone, hours, example }) => (
        <li key={city} className="border-t-4 border-dotted border-pine pt-4">
          <h2 className="text-xl">{city}</h2>
          <dl className="mt-2 grid gap-3">
            <div>
              <dt className="text-sm text-muted">{t('offices.address')}</dt>
              <dd>{address}</dd>
            </div>
            <div>
              <dt className="text-sm text-muted">{t('offices.phone')}</dt>
              <dd>
                <a
                  href={`tel:${phone.replaceAll(' ', '')}`}
                  className="inline-flex min-h-11 items-center"
                >
                  {phone}
                </a>
              </dd>
            </div>
            <div>
              <dt className="text-sm text-muted">{t('offices.hours')}</dt>
              <dd>{hours}</dd>
            </div>
          </dl>
          {example && <p className="mt-2 text-sm font-semibold">{t('offices.example')}</p>}
        </li>
      ))}
    </ul>
  );
}
