import type { SerializeFrom } from '@remix-run/node';
import { useTranslation } from 'react-i18next';

import type { ApplicationState } from '~/domain/application/states';
import { NOTE_FORM } from '~/domain/desk-notes';
import { WORK_INTENTS } from '~/domain/desk-work';
import type { Refusal } from '~/http/refusal';
import { DeskLink } from '~/ui/desk-list';
import { DescribedForm } from '~/ui/form-fields';
import type { FormWords } from '~/ui/post-form';
import { Icon } from '~/ui/icon';
import { Done } from '~/ui/notice';
import { PAGE_FORM } from '~/ui/root-data';
import { useCaseAction } from './answers';
import type { historySection, notesSection, photoSection } from '~/desk/case/parts.server';

/** What the page says once it is done; what becomes of its assignment, that part tells itself. */
const DONE = [...WORK_INTENTS, 'request', 'amend', 'note'] as const;
type DoneWord = (typeof DONE)[number];

/**
 * What an address says is done, unless it is over: a page that is loaded once more after the traveller
 * has answered must not say that the request has just been sent.
 */
export function doneIn(word: string | null, state: ApplicationState): DoneWord | undefined {
  const done = DONE.find((one) => one === word);
  return done === 'request' && state !== 'action_required' ? undefined : done;
}

export function CaseDone({ done }: { done: DoneWord }) {
  const { t } = useTranslation('desk-case');
  return <Done>{t(`done.${done.replace('-', '_') as 'note'}`)}</Done>;
}

interface CasePhotoProps {
  view: SerializeFrom<Awaited<ReturnType<typeof photoSection>>> | undefined;
}

/** The photo of the passport page, closed at first: who opens it has looked at it, says the audit log. */
export function CasePhoto({ view }: CasePhotoProps) {
  const { t } = useTranslation('desk-case');
  if (!view) return null;
  return (
    <section aria-labelledby="photo" className="card p-4 sm:p-5">
      <h2 id="photo" className="text-lg">
        {t('photo.title')}
      </h2>
      {view.isMissing ? (
        <p className="mt-2">{t('photo.missing')}</p>
      ) : (
        <>
          <p className="mt-1 text-sm text-muted">{t('photo.facts', view)}</p>
          <details className="fold mt-2">
            <summary>
              {t('photo.show')}
              <Icon name="chevron-down" />
            </summary>
            <a href={view.address} target="_blank" rel="noopener" className="block">
              <img
                src={view.address}
                alt={t('photo.alt')}
                loading="lazy"
                className="max-h-[30rem] w-full object-contain"
              />
            </a>
          </details>
          <p className="mt-1">
            <a
              href={view.address}
              target="_blank"
              rel="noopener"
              className="inline-flex min-h-11 items-center"
            >
              {t('photo.open')}
            </a>
          </p>
        </>
      )}
    </section>
  );
}

interface CaseNotesProps {
  view: SerializeFrom<Awaited<ReturnType<typeof notesSection>>> | undefined;
  refusal: Refusal | undefined;
  /** Whether no other form of the page is the one that a change of language keeps. */
  isPageForm: boolean;
}

/** What staff have written down for each other; the traveller never reads it. */
export function CaseNotes({ view, refusal, isPageForm }: CaseNotesProps) {
  const { t } = useTranslation('desk-case');
  const words = useNoteWords();
  const action = useCaseAction();
  if (!view) return null;
  const { notes, nextId } = view;
  return (
    <section aria-labelledby="notes" className="card p-4 sm:p-5">
      <h2 id="notes" className="text-lg">
        {t('notes.title')}
      </h2>
      {nextId && (
        <DescribedForm
          action={action()}
          id={isPageForm ? PAGE_FORM : 'note-form'}
          className="mt-2 grid gap-3 [&_textarea]:h-22 [&_textarea]:min-h-22"
          form={NOTE_FORM}
          hidden={{ note_id: nextId, intent: 'note' }}
          {...{ refusal, words }}
        >
          <p>
            <button type="submit" className="button button-quiet button-small">
              {t('notes.add')}
            </button>
          </p>
        </DescribedForm>
      )}
      {notes.length === 0 ? (
        <p className="mt-3 text-muted">{t('notes.none')}</p>
      ) : (
        <ol className="mt-4 grid gap-3">
          {notes.map(({ id, at, time, email, text }) => (
            <li key={id} className="border-t border-rule pt-3">
              <p className="wrap-anywhere whitespace-pre-line">{text}</p>
              <p className="text-sm wrap-anywhere text-muted">
                <time dateTime={at}>{time}</time>
                {` · ${email ?? t('notes.gone')}`}
              </p>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

export function useNoteWords(): FormWords {
  const { t } = useTranslation('desk-case');
  return {
    label: () => t('notes.label'),
    hint: () => t('notes.hint'),
    optional: '',
    problem: (_, problem) => t(`notes.errors.${problem}`),
    option: () => '',
  };
}

interface CaseHistoryProps {
  view: SerializeFrom<Awaited<ReturnType<typeof historySection>>> | undefined;
}

export function CaseHistory({ view }: CaseHistoryProps) {
  const { t } = useTranslation('desk-history');
  if (!view) return null;
  const { events, older, latest } = view;
  return (
    <section aria-labelledby="history" className="card p-4 sm:p-5">
      <h2 id="history" tabIndex={-1} className="text-lg">
        {t('title')}
      </h2>
      {events.length === 0 && <p className="mt-2 text-muted">{t('none')}</p>}
      <ol className="mt-2 grid gap-2 text-sm">
        {events.map(({ id, at, time, what, who, times }) => (
          <li key={id} className="border-t border-rule pt-2">
            <p className="wrap-anywhere">
              {what}
              {times > 1 && (
                <span className="text-muted">{` ${t('times', { number: times })}`}</span>
              )}
            </p>
            <p className="wrap-anywhere text-muted">
              <time dateTime={at}>{time}</time>
              {` · ${who}`}
            </p>
          </li>
        ))}
      </ol>
      {(older ?? latest) && (
        <p className="mt-2 flex flex-wrap gap-x-6">
          {latest && <DeskLink href={latest}>{t('latest')}</DeskLink>}
          {older && <DeskLink href={older}>{t('older')}</DeskLink>}
        </p>
      )}
    </section>
  );
}
