import { useTranslation } from 'react-i18next';

import conversationUrl from '~/conversation.js?url&no-inline';
import type { ConversationView } from '~/desk/conversation.server';
import { ANSWER_FORM, MESSAGE_EVENTS } from '~/domain/messages';
import { BUYER_FORM } from '~/domain/order/buyer';
import type { Refusal } from '~/http/form.server';
import { Chip, CHIP, DeskFacts } from './desk-list';
import { Fold, Icon, LinkLine, Part, Say, Submit, TextLink } from './elements';
import { ErrorSummary } from './error-summary';
import { Field } from './field';
import { Menu } from './frame';
import { Done } from './plain-elements';
import { PostForm, TextField } from './post-form';
import { Question } from './question';
import { TypedTexts } from './typed-again';

const OF_MONEY = ['confirmation', 'buyer'] as const;
const FINISHED = ['answer', 'request', 'draft', ...MESSAGE_EVENTS, 'link', ...OF_MONEY] as const;
const NOT_SENT = ['answered', 'changed', 'lost', 'tooMany', 'noAddress'] as const;
const PROBLEMS = [...NOT_SENT, 'refunded', 'credited'] as const;

interface ConversationProps {
  view: ConversationView | null;
  refusal: Refusal | undefined;
  done: string | null;
  next?: string | undefined;
}

/** All between us and one customer: what is written on top, what was said below, the latest first. */
export function Conversation({ view, refusal, done, next }: ConversationProps) {
  const { t } = useTranslation('desk-conversation');
  const finished = refusal ? undefined : FINISHED.find((one) => one === done);
  const problem = PROBLEMS.find((one) => one === refusal?.problem) ?? 'invalid';
  const words = useWords(refusal?.values['id']);
  return (
    <>
      {refusal?.problem && refusal.problem !== 'confirm' && (
        <ErrorSummary
          title={t('errors.title')}
          description={t(`errors.${problem}`, { who: view?.write?.last?.who })}
          form={[...ANSWER_FORM, ...BUYER_FORM]}
          {...{ refusal, words }}
        />
      )}
      {finished && (
        <div className="mb-4 flex flex-wrap items-center gap-x-6 gap-y-2">
          <Done className="">{t(`done.${finished}`)}</Done>
          {finished !== 'draft' && next && (
            <TextLink href={next} data-key="n" words={t('next')} after="arrow-right" />
          )}
        </div>
      )}
      {!view?.write && <TypedTexts texts={[refusal?.values['answer']]} />}
      {view ? (
        <div className="grid grid-cols-1 items-start gap-x-8 gap-y-8 lg:grid-cols-[minmax(0,1fr)_20rem]">
          <div>
            {view.write && <Write view={view} write={view.write} refusal={refusal} />}
            <Thread view={view} />
          </div>
          <Side {...{ view, refusal }} />
        </div>
      ) : (
        <Say icon="info" className="say-look" words={t('closed')} />
      )}
    </>
  );
}

function useWords(order?: string) {
  const { t } = useTranslation('desk-conversation');
  return {
    fieldId: (name: string) => (name === 'buyer' ? `${name}-${order}` : name),
    problem: (name: string, code: string) => {
      const [{ max_length: limit }] = name === 'buyer' ? BUYER_FORM : ANSWER_FORM;
      const problem = code as 'required';
      return t(name === 'buyer' ? `buyer.errors.${problem}` : `errors.${problem}`, { limit });
    },
  };
}

type WriteView = NonNullable<ConversationView['write']>;
type WriteProps = { view: ConversationView; write: WriteView; refusal: Refusal | undefined };

const LINE =
  'border-b border-rule px-4 py-2 sm:grid sm:grid-cols-[6.5rem_1fr] sm:items-baseline sm:gap-x-3';

function Write({ view, write, refusal }: WriteProps) {
  const { t } = useTranslation('desk-conversation');
  const { problem } = useWords();
  const { customer, address } = view;
  const { version, seen, lang, groups } = write;
  const { answer, ask = '', reply } = refusal?.values ?? {};
  // A saved reply that was pressed without a script.
  const pressed = write.replies.find(({ key }) => key === reply);
  const text = [answer, pressed?.body].filter(Boolean).join('\n\n');
  const isTyped = answer !== undefined;
  const chosen = isTyped ? [...ask.split(' '), pressed?.field ?? ''].filter(Boolean) : write.fields;
  const typed = {
    errors: isTyped ? (refusal?.errors ?? {}) : {},
    values: { answer: isTyped ? text : write.text },
  };
  const read = pressed ? pressed.read : write.read;
  return (
    <PostForm
      id="write"
      action={address}
      hidden={{ version, seen, id: view.message?.id }}
      intent="answer"
      refusal={typed}
      {...{ problem }}
      data-draft={t('savedAt', { at: '…' })}
      data-clock={JSON.stringify(write.clock)}
      className="scroll-mt-24 overflow-clip rounded-card border-2 border-action bg-surface"
      tabIndex={-1}
      aria-label={t('title')}
    >
      {/* Enter presses the first: no saved reply. */}
      <button type="submit" tabIndex={-1} aria-hidden className="sr-only" />
      <p className={LINE}>
        <span className="block text-sm text-muted">{t('to')}</span>
        <span className="wrap-anywhere">
          <strong>{customer.name ?? t('owner')}</strong>
          <span className="text-muted">
            {customer.email && `, ${customer.email}`}
            {`, ${t('reads', { language: customer.language })}`}
          </span>
        </span>
      </p>
      <p className={LINE}>
        <span className="block text-sm text-muted">{t('subject')}</span>
        <span lang={lang} className="wrap-anywhere">
          {write.subject}
        </span>
      </p>
      <div className={LINE}>
        <span className="text-sm text-muted">{t('saved')}</span>
        <SavedReplies {...{ write, pressed }} action={`${address}#write`} />
      </div>
      {write.writing.map(({ who, at }) => (
        <p key={who} className="flex gap-2 bg-marker-soft px-4 py-2 text-sm">
          <Icon name="info" className="mt-0.5" />
          {t('writing', { who, at })}
        </p>
      ))}
      <div className="grid gap-2 px-4 py-3" lang={lang}>
        {refusal?.problem === 'answered' && write.last && (
          <Quoted open title={write.last.who} text={write.last.text} />
        )}
        <p>{write.greeting}</p>
        <TextField name="answer" label={t('label')} isLabelHidden rows={6} data-key="w" />
        <p className="text-muted">
          {write.signature.map((line) => (
            <span key={line} className="block">
              {line}
            </span>
          ))}
        </p>
        {write.quoted && <Quoted title={t('quoted')} text={write.quoted} />}
      </div>
      <p className="bg-sea px-4 py-2 text-sm whitespace-pre-line" data-read hidden={!read}>
        <strong>{t('read')}</strong> <span>{read}</span>
      </p>
      {groups.length > 0 && (
        <div className="border-t border-rule px-4 py-3">
          <Field id="ask" label={t('ask.title')} hint={t('ask.hint')}>
            {(control) => (
              <>
                <noscript className="text-sm text-muted">{t('ask.several')}</noscript>
                <select
                  {...control}
                  name="ask"
                  multiple
                  size={5}
                  defaultValue={chosen}
                  className="field text-sm"
                  data-find={t('ask.find')}
                  data-remove={t('ask.remove', { field: '…' })}
                >
                  {groups.map(({ title, fields }) => (
                    <optgroup key={title} label={title}>
                      {fields.map(({ name, label }) => (
                        <option key={name} value={name}>
                          {label}
                        </option>
                      ))}
                    </optgroup>
                  ))}
                </select>
              </>
            )}
          </Field>
        </div>
      )}
      <div className="bottom-0 flex flex-wrap items-center gap-x-5 gap-y-2 bg-sea px-4 py-3 lg:[@media(min-height:30rem)]:sticky">
        <Submit
          intent="answer"
          words={chosen.length > 0 ? t('wait', { count: chosen.length }) : t('send')}
          data-none={t('send')}
          data-one={t('wait', { count: 1 })}
          data-many={t('wait', { count: 2 })}
        />
        <Submit intent="draft" className="text-button" words={t('draft')} />
        <span className="text-sm text-muted" role="status" data-saved>
          {write.keptAt && t('keptAt', { at: write.keptAt })}
        </span>
      </div>
      <script type="module" src={conversationUrl} />
    </PostForm>
  );
}

function Quoted({ title, text, open }: { title: string; text: string; open?: true }) {
  return (
    <details {...{ open }} className="border-l-3 border-rule pl-3 text-sm">
      <summary className="min-h-9 cursor-pointer py-1 text-muted">{title}</summary>
      <p className="wrap-anywhere whitespace-pre-line">{text}</p>
    </details>
  );
}

type Reply = WriteView['replies'][number];
type SavedProps = { write: WriteView; action: string; pressed: Reply | undefined };

function SavedReplies({ write: { replies, shown }, action, pressed }: SavedProps) {
  const { t } = useTranslation('desk-conversation');
  const isNow = (one: Reply) => (pressed ? one === pressed : one.isChosen);
  const chip = (one: Reply) => (
    <button
      key={one.key}
      name="reply"
      value={one.key}
      formAction={action}
      className={CHIP}
      aria-current={isNow(one) ? 'true' : undefined}
      data-reply={one.body}
      data-meaning={one.read}
      data-field={one.field}
    >
      {one.title}
    </button>
  );
  const first = replies.filter((one, index) => isNow(one) || index < shown);
  const others = replies.filter((one) => !first.includes(one));
  return (
    <div className="flex flex-wrap gap-2">
      {first.map(chip)}
      {others.length > 0 && (
        <details className="open:basis-full">
          <summary className={CHIP}>{t('more', { count: others.length })}</summary>
          <div className="mt-2 flex flex-wrap gap-2">{others.map(chip)}</div>
        </details>
      )}
    </div>
  );
}

function Thread({ view: { kinds, entries } }: { view: ConversationView }) {
  const { t } = useTranslation('desk-conversation');
  return (
    <div id="thread" className="mt-6 scroll-mt-24">
      {kinds.length > 2 && (
        <nav aria-label={t('filter')} className="flex flex-wrap gap-2">
          {kinds.map(({ kind, count, href, isShown }) => (
            <Chip key={kind} {...{ href, count }} aria-current={isShown ? 'page' : undefined}>
              {`${t(`kinds.${kind}`)} `}
            </Chip>
          ))}
        </nav>
      )}
      {entries.length === 0 && <p className="mt-4">{t('none')}</p>}
      {entries.map(({ day, entries: ofDay }) => (
        <section key={day} className="mt-5">
          <h2 className="text-sm font-bold text-muted first-letter:uppercase">{day}</h2>
          <ol className="mt-2 grid gap-3">
            {ofDay.map((entry) => (
              <li key={entry.id} id={`m-${entry.id}`} className="scroll-mt-24">
                <Entry entry={entry} />
              </li>
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

function Entry({ entry }: { entry: ConversationView['entries'][number]['entries'][number] }) {
  const { t } = useTranslation('desk-conversation');
  const { who, what, time, text, lang, notes = [], isTheirs, promised, href } = entry;
  const head = (
    <p className="flex flex-wrap items-baseline gap-x-3 text-sm">
      {who && <strong className="text-base wrap-anywhere">{who}</strong>}
      <span className="wrap-anywhere text-muted">{href ? <a href={href}>{what}</a> : what}</span>
      <time className="ml-auto text-muted">{time}</time>
    </p>
  );
  if (!text && notes.length === 0) return head;
  return (
    <article className={`card p-4 ${isTheirs ? 'border-l-4 border-l-action' : ''}`}>
      {head}
      {text && (
        <p lang={lang} className="mt-1 wrap-anywhere whitespace-pre-line">
          {text}
        </p>
      )}
      {notes.map((note) => (
        <p key={note} className="mt-1 text-sm wrap-anywhere text-muted">
          {note}
        </p>
      ))}
      {promised && (
        <p className={`mt-1 text-sm ${promised.isLate ? 'font-bold text-bad' : 'text-muted'}`}>
          {t(promised.isLate ? 'late' : 'promised', { at: promised.at })}
        </p>
      )}
    </article>
  );
}

/** Who it is, what they have with us, and what is seldom done. */
function Side({ view, refusal }: Omit<WriteProps, 'write'>) {
  const { t } = useTranslation(['desk-conversation', 'application-states', 'staff']);
  const { customer, applications, money, message, address } = view;
  const { name: customerName, ...facts } = customer;
  const version = message?.version ?? view.write?.version ?? 0;
  const act = (intent: string, id: string, words: string) => (
    <PostForm id={`${intent}-${id}`} action={address} hidden={{ id, version }} intent={intent}>
      <Submit className="text-button" words={words} />
    </PostForm>
  );
  return (
    <aside aria-label={t('customer')} className="grid gap-4">
      {message && (
        <div className="card flex items-start justify-between gap-3 p-4">
          <Part id="message" title={t('message')} size="text-lg">
            <p className="text-sm">
              {t(`desk-messages:states.${message.state}`)}.{' '}
              {message.who
                ? t('with', { who: message.isMine ? t('you') : message.who })
                : t('nobody')}
            </p>
          </Part>
          {message.events.length > 0 && (
            <Menu label={t('other')} button={<Icon name="ellipsis" />} panel="right-(--gutter) p-3">
              {message.events.map((event) => (
                <div key={event}>{act(event, message.id, t(`actions.${event}`))}</div>
              ))}
            </Menu>
          )}
        </div>
      )}
      <Part
        id="customer"
        title={customerName ?? t('customer')}
        size="text-lg wrap-anywhere"
        className="card p-4"
      >
        <DeskFacts
          {...{ facts }}
          labelOf={(name) => t(`facts.${name}`)}
          className="mt-2 grid gap-2 text-sm wrap-anywhere"
        />
      </Part>
      {applications.length > 0 && (
        <Part id="applications" title={t('applications')} size="text-lg" className="card p-4">
          <ul className="mt-2 grid gap-2 text-sm">
            {applications.map(({ id, reference, state, begun, isUnpaid, href }) => {
              const is = t(`application-states:desk.${state}`);
              return (
                <li key={id}>
                  {href ? (
                    <TextLink href={href} className="machine" words={reference} />
                  ) : (
                    <span className="machine">{reference}</span>
                  )}
                  <span className="block text-muted">
                    {isUnpaid ? t('unpaid', { state: is, date: begun }) : is}
                  </span>
                  {isUnpaid && act('link', id, t('linkAgain'))}
                </li>
              );
            })}
          </ul>
        </Part>
      )}
      {money.length > 0 && (
        <Part id="money" title={t('money')} size="text-lg" className="card p-4">
          {money.map(({ id, version: own, invoice, amount, refunds, canConfirm, canRefund }) => (
            <div key={id} className="mt-2 text-sm">
              <p className="flex flex-wrap justify-between gap-x-3">
                <span className="machine">{invoice}</span>
                <strong className="tabular-nums">{amount}</strong>
              </p>
              {refunds.map((refund) => (
                <LinkLine
                  key={refund.id}
                  href={`/crm/refunds/${refund.id}`}
                  words={`${t('refund', { amount: refund.amount })}, ${t(`staff:refunds.states.${refund.state}`)}`}
                />
              ))}
              {canConfirm && act('confirmation', id, t('confirmAgain'))}
              {canConfirm && <CorrectBuyer {...{ id, address, refusal }} version={own} />}
              {refusal?.values['id'] === id && refusal.problem === 'confirm' ? (
                <Question
                  action={`${address}#refund-${id}`}
                  hidden={{ id, version }}
                  intent="refund"
                  title={t('refundSure.title', { amount })}
                  text={t('refundSure.text')}
                  yes={t('refundSure.yes')}
                />
              ) : (
                canRefund && act('refund', id, t('beginRefund'))
              )}
            </div>
          ))}
        </Part>
      )}
    </aside>
  );
}

type CorrectBuyerProps = Pick<WriteProps, 'refusal'> & {
  id: string;
  version: number;
  address: string;
};

/** Empty at first: whoever checks a passport has not seen the name yet. */
function CorrectBuyer({ id, version, address, refusal }: CorrectBuyerProps) {
  const { t } = useTranslation('desk-conversation');
  const { fieldId, problem } = useWords(id);
  const { values } = refusal ?? {};
  const refused = values?.['intent'] === 'buyer' && values['id'] === id ? refusal : undefined;
  return (
    <Fold title={t('buyer.open')} open={refused !== undefined}>
      <PostForm
        id={`correct-${id}`}
        action={address}
        hidden={{ id, version }}
        intent="buyer"
        refusal={refused}
        {...{ problem }}
        className="my-3 grid gap-3"
      >
        <TextField
          name="buyer"
          id={fieldId('buyer')}
          label={t('buyer.label')}
          hint={t('buyer.hint')}
          autoComplete="off"
        />
        <Submit look="button-quiet" words={t('buyer.send')} />
      </PostForm>
    </Fold>
  );
}
