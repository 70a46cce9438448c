import type { LoaderFunctionArgs } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { claimsView } from '~/root-data.server';
import { pageTexts, questionViews } from '~/public/texts.server';
import { countryOptions } from '~/eligibility/content.server';
import { comparisonView, priceNotes, tierViews } from '~/public/offer.server';
import { organizationData, questionsData } from '~/public/structured-data.server';
import { COUNTRY_FORM } from '~/domain/wizard';
import { changeLanguage } from '~/http/form.server';
import type { PageHandle } from '~/live.server';
import { textInLanguage } from '~/i18n/languages';
import { siteSettings } from '~/settings/settings.server';
import { ButtonLink, PageHeading, Section, Submit, TextLink } from '~/ui/elements';
import { Accordion, ClosingCall, StationList } from '~/ui/plain-elements';
import { Cells } from '~/ui/cells';
import { Claims } from '~/ui/claims';
import { CountrySelect } from '~/ui/country-select';
import { IllustratedList } from '~/ui/illustrated-list';
import { Source } from '~/ui/fact';
import { Skyline } from '~/ui/skyline';
import { PriceTable } from '~/ui/price-table';
import { PAGE_FORM, useRootData } from '~/ui/root-data';
import { StartApplication } from '~/ui/start-application';
import { Ticket } from '~/ui/ticket';
import { PriceComparison } from '~/ui/price-comparison';

export const handle: PageHandle = { fromMemory: { parameters: [] } };

export async function loader({ request }: LoaderFunctionArgs) {
  const { language, t, facts, values } = await pageTexts(request);
  const { phoneHours } = siteSettings().support;
  const questions = questionViews(QUESTIONS, values, language);
  return {
    claims: claimsView(language),
    facts: { countries: facts.vwp_country_count, fee: facts.esta_fee_total },
    countries: await countryOptions(language),
    tiers: tierViews(facts.esta_fee_total, language),
    notes: priceNotes(language),
    phoneHours: phoneHours && textInLanguage(phoneHours, language),
    comparison: comparisonView(facts.esta_fee_total, language),
    questions,
    page: {
      title: t('home:title'),
      description: t('home:description'),
      form: true,
      structuredData: [...organizationData(language), questionsData(questions)],
    },
  };
}

export const action = changeLanguage;

const PROCESS = [
  ['oneTwo', '01–02'],
  ['threeFour', '03–04'],
  ['fiveSix', '05–06'],
  ['sevenEight', '07–08'],
] as const;
const QUESTIONS = ['home.difference', 'home.howLong', 'home.family', 'home.refused'];

export default function Home() {
  const { t } = useTranslation('home');
  const { tiers, notes, questions } = useLoaderData<typeof loader>();
  return (
    <>
      <Hero />
      <Section id="benefits" title={t('benefits.title')} lead={t('benefits.lead')} tone="sea">
        <Specimens />
        <Benefits />
      </Section>
      <Section id="process" title={t('process.title')} lead={t('process.lead')}>
        <StationList
          brief
          items={PROCESS.map(([key, number]) => ({
            key,
            number,
            title: t(`process.${key}.title`),
            text: t(`process.${key}.text`),
          }))}
        />
      </Section>
      <Section id="prices" title={t('pricing.title')} lead={t('pricing.lead')} tone="sand">
        <PriceTable tiers={tiers}>
          {notes} {t('pricing.same')}
        </PriceTable>
      </Section>
      <Section id="questions" title={t('faq.title')}>
        <Accordion name="faq" items={questions} />
        <TextLink href="/faq" className="mt-2" words={t('faq.all')} />
      </Section>
      <ClosingCall title={t('cta.title')} text={t('cta.text')}>
        <ButtonLink href="/eligibility-check" words={t('start')} after="arrow-right" />
        <StartApplication label={t('hero.cta')} href="/application/new/step-1" />
        <ul className="flex w-full flex-wrap gap-x-8">
          {LINKS.map(([name, href]) => (
            <li key={name}>
              <TextLink href={href} words={t(`links.${name}`)} />
            </li>
          ))}
        </ul>
      </ClosingCall>
    </>
  );
}

const LINKS = [
  ['documents', '/documents'],
  ['guide', '/application-guide'],
  ['timeline', '/timeline'],
] as const;

function Benefits() {
  const { t } = useTranslation('home');
  // Null: the phone is answered day and night.
  const { phoneHours } = useLoaderData<typeof loader>();
  const items = [
    ['review', 'review'],
    ['fast', 'words'],
    [phoneHours === null ? 'support' : 'people', 'support'],
    ['secure', 'secure'],
  ] as const;
  return (
    <div className="mt-6 border-t border-rule pt-6 sm:mt-8 sm:pt-8">
      <IllustratedList
        items={items}
        words={(key, part) => t(`benefits.${key}.${part}`, { hours: phoneHours })}
      />
    </div>
  );
}

/** On a phone the question comes before what is said beside it on a wide screen. */
function Hero() {
  const { t } = useTranslation('home');
  const { claims, facts, comparison } = useLoaderData<typeof loader>();
  const isOpen = useRootData()?.applicationsOpen;
  return (
    <div className="overflow-hidden">
      <div className="wrap grid gap-x-16 gap-y-3 pt-3 pb-4 lg:grid-cols-[1.08fr_1fr] lg:grid-rows-[auto_1fr] lg:gap-y-5 lg:pt-12 lg:pb-8">
        <div className="lg:self-end">
          <PageHeading title={t('title')} lead={t('lead')} />
          <div className="mt-3 sm:mt-6">
            <PriceComparison comparison={comparison} />
          </div>
        </div>
        <div className="lg:row-span-2 lg:self-center">
          <Question />
        </div>
        <div className="flex flex-wrap items-start gap-x-6 gap-y-2">
          <StartApplication label={t('hero.cta')} filled={isOpen === true} />
          <TextLink href="/application/status" className="min-h-12" words={t('hero.secondary')} />
          <div className="w-full">{facts.fee && <Source fact={facts.fee} />}</div>
        </div>
      </div>
      <div className="wrap pb-2 sm:pb-4">
        <Claims claims={claims} countries={facts.countries} />
      </div>
      <Skyline look="top" done={0} />
    </div>
  );
}

const [{ name: COUNTRY }] = COUNTRY_FORM;

function Question() {
  const { t } = useTranslation('home');
  const { countries } = useLoaderData<typeof loader>();
  // What was chosen before the language was changed.
  const chosen = useActionData<typeof action>()?.values['country'];
  const start = { look: 'w-full', words: t('start'), after: 'arrow-right' } as const;
  return (
    <form id={PAGE_FORM} method="post" action="/eligibility-check?step=country">
      <Ticket
        stop="check"
        stub={
          <>
            {countries ? (
              <Submit {...start} />
            ) : (
              <ButtonLink href="/eligibility-check" {...start} />
            )}
            <p className="mt-2 text-center text-sm text-muted">{t('hero.free')}</p>
          </>
        }
      >
        {countries && (
          <div className="mt-3 sm:mt-5">
            <label htmlFor={COUNTRY} className="text-xl leading-tight font-bold">
              {t('hero.question')}
            </label>
            <p id="country-hint" className="text-sm text-muted">
              {t('hero.hint')}
            </p>
            <CountrySelect
              id={COUNTRY}
              name={COUNTRY}
              aria-describedby="country-hint"
              defaultValue={chosen}
              className="mt-2"
              countries={countries}
            />
          </div>
        )}
      </Ticket>
    </form>
  );
}

/** Sample data of nobody; the band's check digits are right. */
const PAGE = [
  ['number', ['19FV', '0', '4512']],
  ['surname', ['LEF', 'È', 'VRE']],
  ['names', ['CHLOÉ HÉLÈNE']],
  ['birth', ['', '03.11', '.1990']],
] as const;
const BAND = [
  ['P<FRA', 'LEFEVRE', `<<CHLOE<HELENE${'<'.repeat(18)}`],
  ['19FV', '0', '45120FRA', '901103', `4F3105227${'<'.repeat(15)}2`],
] as const;

/** What was typed, and what counts; `at` are the characters to look at. */
const CASES = [
  { name: 'zero', against: 'passport', typed: '19FVO4512', right: '19FV04512', at: [4] },
  { name: 'accent', against: 'sent', typed: 'LEFÈVRE', right: 'LEFEVRE', at: [3] },
  // The official form takes a date in three parts, the month in English.
  {
    name: 'date',
    against: 'sent',
    typed: '03/11/90',
    right: ['03', 'NOVEMBER', '1990'],
    at: [0, 1, 3, 4],
  },
] as const;

const PIN =
  'inline-grid place-items-center rounded-full bg-ink align-[0.1em] font-sans text-[0.8125rem]/none font-bold text-paper';

function Marked({ children }: { children: string }) {
  return (
    <b className="rounded bg-marker px-px font-bold text-on-marker forced-colors:outline-2 forced-colors:-outline-offset-2 forced-colors:outline-[Highlight]">
      {children}
    </b>
  );
}

function Specimens() {
  const { t } = useTranslation('home');
  return (
    <>
      <figure className="card @container overflow-hidden">
        <figcaption className="sr-only">{t('work.caption')}</figcaption>
        <dl className="grid grid-cols-[1fr_1fr] gap-x-4 gap-y-2 px-[clamp(1rem,3.2cqi,2.5rem)] py-3 min-[52rem]:grid-cols-[repeat(4,auto)]">
          {PAGE.map(([name, [before, marked, after]], index) => (
            <div key={name}>
              <dt className="text-xs/[1.6] text-muted">{t(`work.${name}`)}</dt>
              <dd className="font-machine text-[clamp(0.9375rem,2cqi+0.3rem,1.375rem)]/[1.4] font-medium whitespace-nowrap">
                {before}
                {marked && <Marked>{marked}</Marked>}
                {after}
                {marked && (
                  <sup className={`ml-2 size-5 ${PIN}`}>{index === 3 ? 3 : index + 1}</sup>
                )}
              </dd>
            </div>
          ))}
        </dl>
        {/* An illustration: it may be cut. */}
        <p
          className="overflow-hidden border-t border-rule bg-marker-soft px-[clamp(1rem,3.2cqi,2.5rem)] py-3 font-machine text-[clamp(0.6875rem,3.05cqi,2.25rem)]/[1.55] font-medium tracking-[0.06em] whitespace-nowrap"
          aria-hidden="true"
        >
          {BAND.map((line) => (
            <span key={line[0]} className="block">
              {line.map((part, index) => (index % 2 ? <Marked key={index}>{part}</Marked> : part))}
            </span>
          ))}
        </p>
      </figure>
      <ol className="mt-4 grid gap-x-8 gap-y-3 sm:mt-6 sm:grid-cols-3">
        {CASES.map(({ name, against, typed, right, at }, index) => (
          <li key={name}>
            {/* On a phone, the marks above show where. */}
            <div className="max-sm:hidden">
              <Cells label={t('work.typed')} text={typed} marked={at} tone="wrong" />
              {typeof right === 'string' ? (
                <Cells label={t(`work.${against}`)} text={right} marked={at} tone="right" />
              ) : (
                <Cells label={t(`work.${against}`)} text={right} marked={[0, 1]} tone="right" />
              )}
            </div>
            <h3 className="text-base sm:mt-3 sm:text-lg">
              <span className={`mr-2 size-6 ${PIN}`}>{index + 1}</span>
              {t(`work.${name}.title`)}
            </h3>
            <p className="mt-1 text-sm max-sm:hidden">{t(`work.${name}.text`)}</p>
          </li>
        ))}
      </ol>
    </>
  );
}
