import { useTranslation } from 'react-i18next';

interface Office {
  /** Its city; the company's name for its seat. */
  name: string;
  address: string;
  phone: string;
  hours?: string | undefined;
}

/** The company's offices, or its seat; with a note if they are samples. */
export function Offices({ offices, areSamples }: { offices: Office[]; areSamples: boolean }) {
  const { t } = useTranslation('contact');
  return (
    <div className="wrap">
      <ul className="grid gap-4 md:grid-cols-3 md:gap-6">
        {offices.map(({ name, address, phone, hours }) => (
          <li key={name} className="card p-4 sm:p-6">
            <h2 className="text-xl">{name}</h2>
            <dl className="mt-3 grid gap-3">
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
              {hours && (
                <div>
                  <dt className="text-sm text-muted">{t('offices.hours')}</dt>
                  <dd>{hours}</dd>
                </div>
              )}
            </dl>
          </li>
        ))}
      </ul>
      {areSamples && <p className="mt-4 text-sm text-muted">{t('offices.samples')}</p>}
    </div>
  );
}
