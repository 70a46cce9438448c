import { setTimeout as delay } from 'node:timers/promises';

import {
  type ActionFunctionArgs,
  json,
  type LoaderFunctionArgs,
  redirectDocument,
} from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { travellerOf } from '~/content/traveller.server';
import { CONTACT_FORM } from '~/domain/contact';
import { readForm, refuse, sentForm } from '~/http/form.server';
import { formStamp, checkSubmission } from '~/http/form-stamp.server';
import type { PageHandle } from '~/http/page-handle';
import { consumeRateLimit, tooManyRequests } from '~/http/rate-limit.server';
import { forwardRetryAfter } from '~/http/response-headers';
import { showToast } from '~/http/toast.server';
import { formatDuration } from '~/i18n/format.server';
import { textIn } from '~/i18n/languages';
import { languageOf, translator } from '~/i18n/server.server';
import { withNamespaces } from '~/i18n/words';
import { siteSettings } from '~/settings/settings.server';
import { PageHeading } from '~/ui/page-heading';
import { useRootData } from '~/ui/root-data';
import { Tabs } from '~/ui/tabs';
import { useMended } from '~/ui/use-mended';
import { TravellerCountry } from '~/ui/traveller-country';
import { ContactErrors, ContactForm } from './contact-form';
import { MessageSent } from './message-sent';
import { Offices } from './offices';
import { Support } from './support';

export const handle: PageHandle = { namespaces: ['contact'] };
export const clientLoader = withNamespaces('contact');

export const headers = forwardRetryAfter;

const TABS = ['form', 'support', 'offices'] as const;
/** Nothing is sent in this build; the specification requires this delay (section 9). */
const SENDING_MS = 2000;

export async function loader({ request }: LoaderFunctionArgs) {
  const language = await languageOf(request);
  const t = translator(language);
  const { company, offices, support } = siteSettings();
  const requestedTab = new URL(request.url).searchParams.get('tab');
  const hours = (value: number) => formatDuration(value, 'hour', language);
  return json({
    tab: TABS.find((tab) => tab === requestedTab) ?? TABS[0],
    stamp: formStamp(),
    traveller: await travellerOf(request, language),
    phone: company.phone,
    email: company.email,
    times: {
      urgent: hours(support.urgentHours),
      general: hours(support.generalHours),
      complex: hours(support.complexHours),
      chat: hours(support.chatHoursPerDay),
    },
    offices: offices.map(({ city, address, phone, hours: open, example }) => ({
      city: textIn(city, language),
      address,
      phone,
      hours: textIn(open, language),
      example,
    })),
    page: { title: t('contact:title'), description: t('contact:description') },
  });
}

/** Validates a message and confirms it without sending it (specification, section 4). */
export async function action({ request, context }: ActionFunctionArgs) {
  const sent = await sentForm(request);
  const read = readForm(sent, CONTACT_FORM);
  const formRetryAfter = consumeRateLimit(context, 'post');
  if (formRetryAfter) return refuse('tooMany', read, tooManyRequests(formRetryAfter));
  if (read.errors) return refuse('invalid', read);
  const check = checkSubmission(sent);
  if ('problem' in check) return refuse(check.problem, read);
  const retryAfter = consumeRateLimit(context, 'contact');
  if (retryAfter) return refuse('tooMany', read, tooManyRequests(retryAfter));
  await delay(Math.max(SENDING_MS, check.waitMs));
  return redirectDocument('/contact', {
    status: 303,
    headers: { 'Set-Cookie': await showToast({ name: 'messageSent' }) },
  });
}

export default function Contact() {
  const { t } = useTranslation('contact');
  const { tab, stamp, traveller, phone, email, times, offices } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const { refusal, isMended, onChange } = useMended(refused);
  const form = <ContactForm refusal={refusal} stamp={stamp} onChange={onChange} />;
  const isSent = useRootData()?.toast?.name === 'messageSent';
  return (
    <div className="mx-auto max-w-4xl px-4 py-8 sm:py-12">
      {tab === 'form' && !isMended && <ContactErrors refusal={refusal} trigger={refused} />}
      <PageHeading title={t('title')} lead={t('lead')} />
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
          <>
            {traveller && <TravellerCountry traveller={traveller} on="contact" />}
            {isSent ? (
              <MessageSent phone={phone} email={email}>
                {form}
              </MessageSent>
            ) : (
              form
            )}
          </>
        )}
        {tab === 'support' && <Support phone={phone} email={email} times={times} />}
        {tab === 'offices' && <Offices offices={offices} />}
      </Tabs>
    </div>
  );
}
