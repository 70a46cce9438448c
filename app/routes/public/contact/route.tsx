import {
  type ActionFunctionArgs,
  json,
  type LoaderFunctionArgs,
  redirectDocument,
} from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { now, pause } from '~/clock.server';
import { travellerOf } from '~/content/traveller.server';
import { requireDatabase, writeDatabase } from '~/database.server';
import { CONTACT_FORM } from '~/domain/contact';
import { isLanguageChange, readForm, refuse, sentForm, showAgain } from '~/http/form.server';
import { requireOurServer } from '~/http/live.server';
import type { PageHandle } from '~/http/page-handle';
import { consumeRateLimit, tooManyRequests } from '~/http/rate-limit.server';
import { showToast } from '~/http/toast.server';
import { isTrapped } from '~/http/trap-field';
import { formatDuration } from '~/i18n/format.server';
import { textIn } from '~/i18n/languages';
import { languageOf, translator } from '~/i18n/server.server';
import { withNamespaces } from '~/i18n/words';
import { wakeOutbox } from '~/mail/outbox.server';
import { keepMessage } from '~/messages/keep-message.server';
import { isOffline } from '~/mode.server';
import { siteSettings } from '~/settings/settings.server';
import { PageHeading } from '~/ui/page-heading';
import { useRootData } from '~/ui/root-data';
import { Tabs } from '~/ui/tabs';
import { useMended } from '~/ui/use-mended';
import { TravellerCountry } from '~/ui/traveller-country';
import { ContactErrors, ContactForm } from './contact-form';
import { MessageSent } from './message-sent';
import { Offices } from './offices';
import { officeViews } from './offices.server';
import { Direct, Support } from './support';

export const handle: PageHandle = {
  namespaces: ['contact'],
  fromMemory: { parameters: ['tab'] },
  limitsForms: true,
};
export const clientLoader = withNamespaces('contact');

const TABS = ['form', 'support', 'offices'] as const;
/** Offline nothing is sent; the specification requires this delay (section 9). */
const SENDING_MS = 2000;

export async function loader({ request }: LoaderFunctionArgs) {
  const language = await languageOf(request);
  const t = translator(language);
  const { company, support, caseDays } = siteSettings();
  const requestedTab = new URL(request.url).searchParams.get('tab');
  const hours = (value: number) => formatDuration(value, 'hour', language);
  const tab = TABS.find((name) => name === requestedTab) ?? TABS[0];
  return json({
    tab,
    traveller: await travellerOf(request, language),
    phone: company.phone,
    email: company.email,
    times: {
      urgent: hours(support.urgentHours),
      general: hours(support.generalHours),
      complex: hours(support.complexHours),
      chat: hours(support.chatHoursPerDay),
      phone: support.phoneHours
        ? textIn(support.phoneHours, language)
        : t('contact:support.phone.always'),
    },
    ...officeViews(language),
    // Of the live half: a message is kept for so many days after its answer.
    keptDays: isOffline() ? undefined : caseDays,
    page: {
      title: t('contact:title'),
      description: t('contact:description'),
      form: tab === 'form',
    },
  });
}

/**
 * Validates a message. Offline it is confirmed without being sent (specification, section 4); in live mode
 * it is kept and answered.
 */
export async function action(args: ActionFunctionArgs) {
  // Both modes have the page; only the live half keeps its messages.
  if (!isOffline()) await requireOurServer(args);
  const { request, context } = args;
  const sent = await sentForm(request);
  const read = readForm(sent, CONTACT_FORM);
  const formRetryAfter = consumeRateLimit(context, 'post');
  if (formRetryAfter) return refuse('tooMany', read, tooManyRequests(formRetryAfter));
  if (isLanguageChange(sent)) return showAgain(sent);
  if (read.errors) return refuse('invalid', read);
  if (isTrapped(sent)) return refuse('trap', read);
  const retryAfter = consumeRateLimit(context, 'contact');
  if (retryAfter) return refuse('tooMany', read, tooManyRequests(retryAfter));
  if (isOffline()) {
    await pause(SENDING_MS);
    return sentPage('messageSent');
  }
  const from = { client: context.client ?? 'unknown', language: await languageOf(request) };
  try {
    await requireDatabase((db) => keepMessage(db, read.values, from, now()), writeDatabase);
  } catch (error) {
    if (!(error instanceof Response && error.status === 503)) throw error;
    return refuse('busy', read, { status: 503, headers: error.headers });
  }
  wakeOutbox();
  return sentPage('messageKept');
}

async function sentPage(name: 'messageSent' | 'messageKept') {
  const headers = { 'Set-Cookie': await showToast({ name }) };
  return redirectDocument('/contact', { status: 303, headers });
}

export default function Contact() {
  const { t } = useTranslation('contact');
  const { tab, traveller, phone, email, times, offices, areSamples, keptDays } =
    useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const { refusal, isMended, onChange } = useMended(refused);
  const form = <ContactForm refusal={refusal} onChange={onChange} keptDays={keptDays} />;
  const sentAs = useRootData()?.toast?.name;
  const isKept = sentAs === 'messageKept';
  return (
    <>
      <div className="wrap pt-4 sm:pt-8 lg:pt-12">
        {tab === 'form' && !isMended && <ContactErrors refusal={refusal} trigger={refused} />}
        <PageHeading title={t('title')} lead={t('lead')} />
      </div>
      <Tabs
        label={t('tabs.label')}
        active={tab}
        tabs={TABS.map((name) => ({
          name,
          title: t(`tabs.${name}`),
          href: `/contact?tab=${name}`,
        }))}
      >
        {tab === 'form' && (
          <div className="wrap">
            {traveller && <TravellerCountry traveller={traveller} on="contact" />}
            {isKept || sentAs === 'messageSent' ? (
              <MessageSent phone={phone} email={email} isKept={isKept}>
                {form}
              </MessageSent>
            ) : (
              <div className="grid gap-x-16 gap-y-10 lg:grid-cols-[minmax(0,1fr)_20rem]">
                {form}
                <Direct phone={phone} email={email} hours={times.phone} />
              </div>
            )}
          </div>
        )}
        {tab === 'support' && <Support phone={phone} email={email} times={times} />}
        {tab === 'offices' && <Offices offices={offices} areSamples={areSamples} />}
      </Tabs>
    </>
  );
}
