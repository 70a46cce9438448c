import { useTranslation } from 'react-i18next';

import { Icon } from '~/ui/icon';
import { useOwnAddress } from '~/ui/root-data';

interface PhoneCodesProps {
  phones: { id: string; phone: string; isSent: boolean }[];
  isSmsOpen: boolean;
  returnTo: string;
}

/** Buttons that have a code sent to the account's phones. */
export function PhoneCodes({ phones, isSmsOpen, returnTo }: PhoneCodesProps) {
  const { t } = useTranslation('factors');
  const own = useOwnAddress();
  if (phones.length === 0) return null;
  return (
    <section aria-labelledby="phones">
      <h2 id="phones" className="text-2xl">
        {t('phone.title')}
      </h2>
      {!isSmsOpen && (
        <p className="say say-look mt-3">
          <Icon name="info" className="size-6" />
          {t('phone.closed')}
        </p>
      )}
      {isSmsOpen &&
        phones.map(({ id, phone, isSent }) => (
          <form key={id} method="post" action={own} className="mt-3 grid gap-3">
            <input type="hidden" name="returnTo" value={returnTo} />
            <input type="hidden" name="factor" value={id} />
            {isSent && (
              <p role="status" className="say say-good">
                <Icon name="circle-check" className="size-6" />
                {t('phone.sent', { phone })}
              </p>
            )}
            <input type="hidden" name="intent" value="send" />
            <button type="submit" className="button button-quiet w-full sm:w-fit">
              {t(isSent ? 'phone.again' : 'phone.send', { phone })}
            </button>
          </form>
        ))}
    </section>
  );
}

/** For who is not the account's owner: the way out. */
export function OtherWays() {
  const { t } = useTranslation('factors');
  return (
    <form method="post" action="/sign-out" className="flex flex-wrap items-center gap-x-3">
      <input type="hidden" name="returnTo" value="/auth" />
      <p>{t('challenge.notYou')}</p>
      <button type="submit" className="text-button">
        {t('challenge.signOut')}
      </button>
    </form>
  );
}
