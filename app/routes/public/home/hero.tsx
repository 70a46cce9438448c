import { useTranslation } from 'react-i18next';

import type { ClaimsView, ComparisonView, CountryOption, FactView } from '~/content/views';
import { COUNTRY_FORM } from '~/domain/wizard';
import { Claims } from '~/ui/claims';
import { CountryOptions } from '~/ui/country-options';
import { Horizon } from '~/ui/horizon';
import { Icon } from '~/ui/icon';
import { PageHeading } from '~/ui/page-heading';
import { PAGE_FORM } from '~/ui/root-data';
import { StartApplication } from '~/ui/start-application';
import { Blank, Ticket } from '~/ui/ticket';
import { Truth } from '~/ui/truth';

interface HeroProps {
  claims: ClaimsView;
  facts: { countries?: FactView; fee?: FactView };
  /** Undefined while the countries cannot be read: the check is then only linked. */
  countries?: CountryOption[];
  comparison: ComparisonView;
  /** The country that was chosen before the language was changed. */
  chosen: string | undefined;
}

/** The opening: what it costs alone and with us, the first question of the check, our figures. */
export function Hero({ claims, facts, countries, comparison, chosen }: HeroProps) {
  const { t } = useTranslation('home');
  return (
    <div className="overflow-hidden">
      <div className="wrap grid items-center gap-x-16 gap-y-2 pt-3 pb-2 sm:pb-4 lg:grid-cols-[1.08fr_1fr] lg:pt-12">
        <div>
          <p className="mb-2 hidden text-sm font-semibold text-muted sm:block">
            {t('hero.eyebrow')}
          </p>
          <PageHeading title={t('title')} lead={t('lead')} />
          <div className="mt-2 sm:mt-6">
            <Truth comparison={comparison} fee={facts.fee} />
          </div>
        </div>
        <Question countries={countries} chosen={chosen} />
      </div>
      <div className="wrap grid items-start gap-x-16 gap-y-4 pt-2 pb-2 sm:pb-4 lg:grid-cols-[1fr_20rem]">
        <div>
          <Claims claims={claims} countries={facts.countries} />
        </div>
        <div>
          <StartApplication label={t('hero.cta')} />
          <a href="/application/status" className="inline-flex min-h-11 items-center text-sm">
            {t('hero.secondary')}
          </a>
        </div>
      </div>
      <Horizon place="shore" />
    </div>
  );
}

const [{ name: COUNTRY }] = COUNTRY_FORM;

/** The first step of the check itself: its form is sent to the wizard. */
function Question({
  countries,
  chosen,
}: {
  countries: CountryOption[] | undefined;
  chosen: string | undefined;
}) {
  const { t } = useTranslation('home');
  return (
    <form id={PAGE_FORM} method="post" action="/eligibility-check?step=country">
      <Ticket
        stop="check"
        stub={
          <>
            {countries ? (
              <button type="submit" className="button w-full">
                {t('start')}
                <Icon name="arrow-right" />
              </button>
            ) : (
              <a href="/eligibility-check" className="button w-full">
                {t('start')}
                <Icon name="arrow-right" />
              </a>
            )}
            <p className="mt-2 text-center text-sm text-muted">{t('hero.free')}</p>
          </>
        }
      >
        {countries && (
          <div className="mt-4">
            <label htmlFor={COUNTRY} className="text-xl leading-tight font-bold">
              {t('hero.question')}
            </label>
            <p id="country-hint" className="text-sm text-muted">
              {t('hero.hint')}
            </p>
            <select
              id={COUNTRY}
              name={COUNTRY}
              aria-describedby="country-hint"
              defaultValue={chosen}
              className="field country-select mt-2"
            >
              <CountryOptions countries={countries} />
            </select>
          </div>
        )}
        <dl className="blanks max-sm:hidden">
          <Blank label={t('hero.answer')} />
          <Blank label={t('hero.departure')} />
        </dl>
      </Ticket>
    </form>
  );
}
