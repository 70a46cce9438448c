import { json } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { touchCookie } from '~/applications/access.server';
import { answersInWords, type AnswerView } from '~/applications/answers-in-words.server';
import { findChecked } from '~/applications/check-page.server';
import { sentFullName } from '~/domain/application/sent-name';
import { STEPS } from '~/domain/application/steps';
import type { StepInput } from '~/domain/application/validate-step';
import { settingCookies } from '~/http/cookies.server';
import { live } from '~/live.server';
import { dayInWords, formatDay, translator } from '~/i18n/locale.server';
import { siteSettings } from '~/settings/settings.server';
import { LinkLine, PageHeading, Say } from '~/ui/elements';
import type { ApplicationRow } from '~db/queries/applications.server';

export const loader = live(async ({ request, params, t }) => {
  const { open, context } = await findChecked(request, params['id']);
  return json(
    {
      summary: await borderView(open.row, context),
      back: `/application/${open.row.id}/overview`,
      page: {
        title: t('application-check:border.title'),
        description: t('application-check:borderDescription'),
      },
    },
    { headers: settingCookies(await touchCookie(request, open)) },
  );
});

const LANGUAGE = 'en';

/** Health and offences are not among it (GDPR, article 9). */
const GROUPS = {
  traveller: ['date_of_birth', 'gender', 'citizenship', 'city_of_birth', 'country_of_birth'],
  passport: [
    ...['passport_number', 'passport_issuing_country'],
    ...['passport_issue_date', 'passport_expiry_date'],
  ],
  trip: ['travel_purpose', 'arrival_date', 'departure_date', 'transit_destination'],
  usContact: [
    ...['us_contact_name', 'us_contact_address_line1', 'us_contact_address_line2'],
    ...['us_contact_city', 'us_contact_state', 'us_contact_phone', 'us_address_same'],
  ],
  stay: ['us_address_line1', 'us_address_city', 'us_address_state', 'us_address_zip'],
  contact: ['email', 'phone'],
  emergency: ['emergency_phone'],
} as const;
type Group = keyof typeof GROUPS;

type SheetLine = Pick<AnswerView, 'label' | 'text' | 'isPrinted'>;

async function borderView(row: ApplicationRow, context: StepInput) {
  const t = translator(LANGUAGE);
  const views = new Map<string, SheetLine>();
  const answersOf = await answersInWords(context, LANGUAGE);
  for (const step of STEPS.filter(({ number }) => number < 7)) {
    for (const { name, label, text, sent, isMissing, isPrinted } of answersOf(step)) {
      if (!isMissing)
        views.set(name, { label, text: sent ?? text, ...(isPrinted && { isPrinted }) });
    }
  }
  const { 1: own = {}, 6: trip = {} } = context.all;
  const names: Partial<Record<Group, string>> = {
    traveller: sentFullName(own.last_name, own.first_name),
    emergency: sentFullName(trip.emergency_last_name, trip.emergency_first_name),
  };
  const groups = (Object.keys(GROUPS) as Group[]).map((group) => {
    const own = GROUPS[group].flatMap((field) => views.get(field) ?? []);
    const name = names[group];
    return {
      name: group,
      title: t(`application-check:border.${group}`),
      answers: name ? [{ label: t('application-check:border.name'), text: name }, ...own] : own,
    };
  });
  return {
    heading: t('application-check:border.heading'),
    facts: [
      { label: t('application-check:border.reference'), text: row.reference, isPrinted: true },
      { label: t('application-check:border.status'), text: stateText(row) },
    ] satisfies SheetLine[],
    groups: groups.filter(({ answers }) => answers.length > 0),
    independence: t('application-check:border.independence', { site: siteSettings().siteName }),
    printed: t('application-check:border.printed', { date: formatDay(context.today, LANGUAGE) }),
  };
}
type BorderView = Awaited<ReturnType<typeof borderView>>;

function stateText({ state, certified_at: certified }: ApplicationRow): string {
  const t = translator(LANGUAGE);
  if (state === 'draft') return t('application-check:border.draft');
  const words = t(`application-states:sheet.${state}`);
  if (certified === null) return words;
  const date = dayInWords(certified, LANGUAGE);
  return `${words}. ${t('application-check:border.certified', { date })}.`;
}

export default function Border() {
  const { t } = useTranslation('application-check');
  const { summary, back } = useLoaderData<typeof loader>();
  return (
    <div className="wrap paper py-8 sm:py-12 print:p-0">
      <div className="print:hidden">
        <PageHeading title={t('border.title')} lead={t('border.lead')} />
        <Say icon="info" className="mt-6 max-w-[48rem]" words={t('border.notice')} />
        <Say icon="printer" className="say-look mt-4 max-w-[48rem]" words={t('border.print')} />
        <LinkLine className="mt-2" href={back} words={t('border.back')} />
      </div>
      <Summary {...summary} />
    </div>
  );
}

function Summary({ heading, facts, groups, independence, printed }: BorderView) {
  return (
    <article lang="en" className="sheet">
      <h2>{heading}</h2>
      <p className="sheet-note">{independence}</p>
      <Pairs pairs={facts} />
      {groups.map(({ name, title, answers }) => (
        <section key={name}>
          <h3>{title}</h3>
          <Pairs pairs={answers} />
        </section>
      ))}
      <p className="sheet-note">{printed}</p>
    </article>
  );
}

function Pairs({ pairs }: { pairs: SheetLine[] }) {
  return (
    <dl>
      {pairs.map(({ label, text, isPrinted }) => (
        <div key={label + text}>
          <dt>{label}</dt>
          <dd className={isPrinted && 'machine'}>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
