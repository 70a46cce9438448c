import { json, redirectDocument } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { differenceInHours } from 'date-fns';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { now, pause } from '~/clock.server';
import { closedNote } from '~/public/offer.server';
import { ownOrSamples } from '~/root-data.server';
import { preferredCountryOf } from '~/eligibility/traveller.server';
import { requireDatabase, requireWrite } from '~/database.server';
import { dueAfter } from '~/domain/closures';
import { CONTACT_FORM, LIVE_CONTACT_FORM, REPLY_FORM } from '~/domain/contact';
import { inBothModes, type PageHandle, requireOurServer } from '~/live.server';
import { consumeRateLimit, type Refusal } from '~/http/form.server';
import { showToast } from '~/http/toast.server';
import { isHoneypotFilled } from '~/http/honeypot';
import { type Language, textInLanguage } from '~/i18n/languages';
import { formatDuration } from '~/i18n/locale.server';
import { withNamespaces } from '~/i18n/words';
import { saveMessage } from '~/messages/messages.server';
import { answerByLink, linkedReply, subjectOf, textOfReply } from '~/messages/replies.server';
import { isOffline } from '~/mode.server';
import { closedPeriods, siteSettings } from '~/settings/settings.server';
import { Icon, Jumps, Say, Section, TextLink } from '~/ui/elements';
import type { IconName } from '~/ui/icon-names';
import { useRootData } from '~/ui/root-data';
import { TabbedPage } from '~/ui/tabs';
import { TravellerCountry } from '~/ui/traveller-country';
import { useMended } from '~/ui/use-mended';
import {
  Channels,
  ContactErrors,
  ContactForm,
  MessageSent,
  ReplyForm,
  useCompany,
} from './contact-form';
import { type SentForm, takesForm } from '~/http/form-action.server';

export const handle: PageHandle = {
  namespaces: ['contact'],
  fromMemory: { parameters: ['tab'] },
  limitsForms: true,
};
export const clientLoader = withNamespaces('contact');

const TABS = ['form', 'support', 'offices'] as const;
/** Offline nothing is sent; the specification requires this delay (section 9). */
const SENDING_MS = 2000;

export const loader = inBothModes(async ({ request, language, t, searchParams }) => {
  const { support, caseDays } = siteSettings();
  const hours = (value: number) => formatDuration(value, 'hour', language);
  const tab = TABS.find((name) => name === searchParams.get('tab')) ?? TABS[0];
  return json({
    tab,
    traveller: await preferredCountryOf(request, language),
    times: {
      urgent: hours(support.urgentHours),
      general: hours(support.generalHours),
      complex: hours(support.complexHours),
      chat: hours(support.chatHoursPerDay),
      closed: closedNote(language),
      phone: support.phoneHours
        ? textInLanguage(support.phoneHours, language)
        : t('contact:support.phone.always'),
    },
    ...officeViews(language),
    keptDays: isOffline() ? undefined : caseDays,
    reply: await replyView(searchParams.get('reply'), language),
    page: {
      title: t('contact:title'),
      description: t('contact:description'),
      form: tab === 'form',
      ...(searchParams.has('reply') && { noindex: true }),
    },
  });
});

/** Offline a message is confirmed without being sent (specification, section 4). */
export const action = inBothModes(async (args) => {
  if (isOffline()) return pretend(args);
  await requireOurServer(args);
  return args.searchParams.has('reply') ? keepReply(args) : keepMessage(args);
});

/** What a link in a mail of ours leads back to; undefined for everybody else, null once its time is over. */
async function replyView(token: string | null, language: Language) {
  if (token === null || isOffline()) return undefined;
  const found = await requireDatabase((db) => linkedReply(db, token, now()));
  if (!found) return null;
  return { token, subject: subjectOf(found, language), text: textOfReply(found.reply) };
}

const keepReply = takesForm({ form: REPLY_FORM }, async (form) => {
  const refusal = refusalOf(form);
  if (refusal) return refusal;
  const token = form.searchParams.get('reply') ?? '';
  const { message } = form.values;
  const isKept = await requireWrite((db) => answerByLink(db, token, message, now()));
  if (!isKept) return form.refuse('linkOver');
  return sentPage({ name: 'messageKept', count: longestWait() });
});

/** The longest that we take for an answer, in hours with those while we are closed. */
function longestWait(): number {
  const at = now();
  const due = dueAfter(at, siteSettings().support.complexHours, closedPeriods());
  return differenceInHours(due, at, { roundingMethod: 'ceil' });
}

const pretend = takesForm({ form: CONTACT_FORM }, async (form) => {
  const refusal = refusalOf(form);
  if (refusal) return refusal;
  await pause(SENDING_MS);
  return sentPage({ name: 'messageSent' });
});

const keepMessage = takesForm({ form: LIVE_CONTACT_FORM }, async (form) => {
  const refusal = refusalOf(form);
  if (refusal) return refusal;
  const { context, language, values } = form;
  const from = { client: context.client ?? 'unknown', language };
  await requireWrite((db) => saveMessage(db, values, from, now()));
  return sentPage({ name: 'messageKept', count: longestWait() });
});

function refusalOf({ context, sent, refuse, refuseForNow }: SentForm): Response | undefined {
  if (isHoneypotFilled(sent)) return refuse('trap');
  const wait = consumeRateLimit(context, 'contact');
  return wait > 0 ? refuseForNow(wait) : undefined;
}

async function sentPage(toast: Parameters<typeof showToast>[0]) {
  const headers = { 'Set-Cookie': await showToast(toast) };
  return redirectDocument('/contact', { status: 303, headers });
}

export default function Contact() {
  const { t } = useTranslation('contact');
  const { tab, traveller, keptDays, reply } = useLoaderData<typeof loader>();
  const refused = useActionData<Refusal>();
  const { refusal, isMended, onChange } = useMended(refused);
  const form = reply ? (
    <ReplyForm reply={reply} refusal={refusal} onChange={onChange} />
  ) : (
    <ContactForm refusal={refusal} onChange={onChange} keptDays={keptDays} />
  );
  const sentAs = useRootData()?.toast?.name;
  const isKept = sentAs === 'messageKept';
  return (
    <TabbedPage
      above={
        tab === 'form' &&
        !isMended && <ContactErrors refusal={refusal} trigger={refused} isReply={Boolean(reply)} />
      }
      title={t(reply ? 'reply.title' : 'title')}
      lead={reply ? undefined : t('lead')}
      label={t('tabs.label')}
      active={tab}
      names={TABS}
      titleOf={(name) => t(`tabs.${name}`)}
      path="/contact?tab="
    >
      {tab === 'form' && (
        <div className="wrap">
          {reply === null && refusal?.problem !== 'linkOver' && (
            <Say icon="info" className="say-look mb-6 max-w-2xl" words={t('reply.over')} />
          )}
          {traveller && !reply && <TravellerCountry traveller={traveller} on="contact" />}
          {isKept || sentAs === 'messageSent' ? (
            <MessageSent isKept={isKept}>{form}</MessageSent>
          ) : (
            <div className="grid gap-x-16 gap-y-10 lg:grid-cols-[minmax(0,1fr)_20rem]">
              <Direct />
              {form}
            </div>
          )}
        </div>
      )}
      {tab === 'support' && <Support />}
      {tab === 'offices' && <Offices />}
    </TabbedPage>
  );
}

function Offices() {
  const { t } = useTranslation('contact');
  const { offices, areSamples } = useLoaderData<typeof loader>();
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
                  <TextLink href={`tel:${phone.replaceAll(' ', '')}`} words={phone} />
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

function officeViews(language: Language) {
  const { company, offices } = siteSettings();
  const { entries, areSamples } = ownOrSamples(offices, ({ city, address, phone, hours }) => ({
    name: textInLanguage(city, language),
    address,
    phone,
    hours: textInLanguage(hours, language),
  }));
  const { name, address, phone } = company;
  return {
    offices: entries.length > 0 ? entries : [{ name, address, phone, hours: '' }],
    areSamples,
  };
}

const QUICK_ANSWERS = ['documents', 'time', 'refund'] as const;

function Support() {
  const { t } = useTranslation('contact');
  const { phone, email } = useCompany();
  const { times } = useLoaderData<typeof loader>();
  return (
    <>
      <ul className="wrap grid gap-4 pb-[var(--band)] lg:grid-cols-3 lg:gap-6">
        <Channel title={t('support.phone.title')} text={times.phone} icon="phone">
          <p className="text-lg font-bold">{phone}</p>
          <a href={`tel:${phone.replaceAll(' ', '')}`} className="button button-quiet mt-auto">
            {t('support.phone.button')}
          </a>
        </Channel>
        <Channel title={t('support.email.title')} text={t('support.email.text', times)} icon="mail">
          <p className="text-lg font-bold wrap-anywhere">{email}</p>
          <a href={`mailto:${email}`} className="button button-quiet mt-auto">
            {t('support.email.button')}
          </a>
        </Channel>
        <Channel
          title={t('support.chat.title')}
          text={t('support.chat.text', times)}
          icon="message-circle"
        >
          <p id="chat-inert" className="text-muted">
            {t('support.chat.inert')}
          </p>
          <button
            type="button"
            aria-disabled="true"
            aria-describedby="chat-inert"
            className="button button-quiet mt-auto border-dashed"
          >
            {t('support.chat.button')}
          </button>
        </Channel>
      </ul>
      <Section id="quick" title={t('support.quickTitle')} tone="sea">
        <Jumps
          columns={3}
          jumps={QUICK_ANSWERS.map((name) => ({
            href: '/faq',
            icon: 'circle-question-mark',
            title: t(`support.quick.${name}`),
          }))}
        />
      </Section>
    </>
  );
}

type ChannelProps = { title: string; text: string; icon: IconName; children: ReactNode };

function Channel({ title, text, icon, children }: ChannelProps) {
  return (
    <li className="card flex flex-col items-start gap-3 p-4 sm:p-6">
      <h2 className="flex items-center gap-3 text-xl">
        <Icon name={icon} className="size-6 text-action" />
        {title}
      </h2>
      <p className="text-sm">{text}</p>
      {children}
    </li>
  );
}

function Direct() {
  const { t } = useTranslation('contact');
  const { times } = useLoaderData<typeof loader>();
  return (
    <aside aria-labelledby="direct" className="card self-start p-4 sm:p-6 lg:order-last">
      <h2 id="direct" className="text-lg">
        {t('tabs.support')}
      </h2>
      <p className="mt-1 mb-3 text-sm">{times.phone}</p>
      <Channels />
    </aside>
  );
}
