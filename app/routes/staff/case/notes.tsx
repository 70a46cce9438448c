import type { SerializeFrom } from '@remix-run/node';
import { useTranslation } from 'react-i18next';

import { NOTE_FORM } from '~/domain/desk-notes';
import type { Refusal } from '~/http/refusal';
import { FormFields, type FormWords } from '~/ui/form-fields';
import { PAGE_FORM } from '~/ui/root-data';
import { useCaseAction } from './case-action';
import type { notesSection } from './notes.server';

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
        <form
          method="post"
          action={action()}
          {...(isPageForm && { id: PAGE_FORM })}
          noValidate
          className="case-note-form mt-2 grid gap-3"
        >
          <input type="hidden" name="note_id" value={nextId} />
          <input type="hidden" name="intent" value="note" />
          <FormFields form={NOTE_FORM} refusal={refusal} words={words} />
          <p>
            <button type="submit" className="button button-quiet button-small">
              {t('notes.add')}
            </button>
          </p>
        </form>
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

type Problem = 'required' | 'tooLong' | 'hidden';

/** The texts of the form of a note. */
export function useNoteWords(): FormWords {
  const { t } = useTranslation('desk-case');
  return {
    label: () => t('notes.label'),
    hint: () => t('notes.hint'),
    optional: '',
    problem: (_, problem) => t(`notes.errors.${problem as Problem}`),
    option: () => '',
  };
}
