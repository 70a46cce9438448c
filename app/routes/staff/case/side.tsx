import type { SerializeFrom } from '@remix-run/node';
import { useTranslation } from 'react-i18next';

import type { sectionsOf } from '~/desk/case-page.server';
import type { Refusal } from '~/http/form.server';
import { LinkLine, Part, Submit, TextLink } from '~/ui/elements';
import { type FormWords, PostForm, TextField } from '~/ui/post-form';

type Sections = NonNullable<SerializeFrom<Awaited<ReturnType<typeof sectionsOf>>>>;

/** What is told of the pictures; who opens one has looked at it, says the audit log. */
export function CasePictures({ view }: { view: Sections['pictures'] }) {
  const { t } = useTranslation('desk-case');
  if (!view) return null;
  return (
    <Part id="photo" title={t('pictures.title')}>
      <div className="mt-2 grid gap-x-8 gap-y-4 md:grid-cols-2">
        {view.map(({ kind, facts, warnings, address, download, original }) => (
          <div key={kind}>
            <h3 className="text-base">{t(`pictures.${kind}`)}</h3>
            <p className="text-sm text-muted">
              {facts ? t('pictures.facts', facts) : t('pictures.missing')}
            </p>
            {warnings.length > 0 && (
              <ul aria-label={t('pictures.device')} className="list-disc pl-5 text-sm">
                {warnings.map((warning) => (
                  <li key={warning}>{warning}</li>
                ))}
              </ul>
            )}
            {facts && (
              <p className="flex flex-wrap gap-x-4 text-sm">
                <TextLink href={address} {...APART} words={t('pictures.open')} />
                <TextLink href={download} words={t('pictures.download')} />
                {original && <TextLink href={original} {...APART} words={t('pictures.original')} />}
              </p>
            )}
          </div>
        ))}
      </div>
    </Part>
  );
}
const APART = { target: '_blank', rel: 'noopener' } as const;

interface CaseNotesProps {
  view: Sections['notes'];
  refusal: Pick<Refusal, 'errors' | 'values'>;
  id: string | undefined;
  /** Another one that its fields belong to. */
  form: string | undefined;
}

/** What staff have written down for each other; the traveller never reads it. */
export function CaseNotes({ view, refusal, id = 'note-form', form }: CaseNotesProps) {
  const { t } = useTranslation('desk-case');
  const words = useNoteWords();
  const { address, notes, nextId } = view;
  return (
    <Part id="notes" title={t('notes.title')} isGoal>
      {nextId && (
        <PostForm
          action={address}
          {...{ id, refusal }}
          intent="note"
          problem={words.problem}
          className="mt-2 grid gap-3"
        >
          <input type="hidden" name="note_id" value={nextId} {...{ form }} />
          <TextField
            name="note"
            label={t('notes.label')}
            hint={t('notes.hint')}
            rows={2}
            {...{ form }}
          />
          <Submit
            intent="note"
            {...{ form }}
            look="button-quiet button-small w-fit"
            words={t('notes.add')}
          />
        </PostForm>
      )}
      {notes.length === 0 ? (
        <p className="mt-3 text-muted">{t('notes.none')}</p>
      ) : (
        <ol className="mt-4 grid gap-3">
          {notes.map(({ id, at, time, who, text }) => (
            <li key={id} className="border-t border-rule pt-3">
              <p className="wrap-anywhere whitespace-pre-line">{text}</p>
              <p className="text-sm wrap-anywhere text-muted">
                <time dateTime={at}>{time}</time>
                {` · ${who ?? t('notes.gone')}`}
              </p>
            </li>
          ))}
        </ol>
      )}
    </Part>
  );
}

export function useNoteWords(): FormWords {
  const { t } = useTranslation('desk-case');
  return {
    label: () => t('notes.label'),
    problem: (_, problem) => t(`notes.errors.${problem}`),
  };
}

export function CaseHistory({ view }: { view: Sections['history'] }) {
  const { t } = useTranslation('desk-history');
  const { events, older, latest, looks } = view;
  return (
    <Part id="history" title={t('title')} isGoal>
      {looks.count > 0 && (
        <LinkLine
          href={looks.href}
          words={t('looked', { count: looks.count })}
          className="text-sm"
        />
      )}
      {events.length === 0 && <p className="mt-2 text-muted">{t('none')}</p>}
      <ol className="mt-2 grid gap-2 text-sm">
        {events.map(({ id, at, time, words, detail }) => (
          <li key={id} className="flex gap-x-3 border-t border-rule pt-2">
            <time dateTime={at} className="w-24 shrink-0 text-muted">
              {`${time} `}
            </time>
            <span className="min-w-0 wrap-anywhere">
              {[words, detail].filter(Boolean).join(' · ')}
            </span>
          </li>
        ))}
      </ol>
      {(older ?? latest) && (
        <p className="mt-2 flex flex-wrap gap-x-6">
          {latest && <TextLink href={latest} words={t('latest')} />}
          {older && <TextLink href={older} words={t('older')} />}
        </p>
      )}
    </Part>
  );
}
