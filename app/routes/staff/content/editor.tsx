import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { Refusal } from '~/http/form.server';
import { Fold, Submit } from '~/ui/elements';
import { Tick } from '~/ui/field';
import { SelectField } from '~/ui/form-fields';
import { PostForm, TextField } from '~/ui/post-form';
import type { OwnerData } from './route';

type Field = OwnerData['fields'][number];

/** What fields are called, and what is wrong with them. */
export function useFieldWords(data?: Pick<OwnerData, 'fields'>) {
  const { t } = useTranslation(['owner', 'desk-messages']);
  const nameOf = (label: readonly string[], language?: string | null) =>
    [
      ...label.map((part) => t(`owner:names.${part}`, { defaultValue: '' })).filter(Boolean),
      ...(language ? [t(`desk-messages:languages.${language as 'fr'}`)] : []),
    ].join(' · ');
  return {
    nameOf,
    label: (name: string) => {
      const field = data?.fields.find((one) => one.name === name);
      return field ? nameOf(field.label, field.language) : t(`owner:names.${name}`);
    },
    problem: (_: string, problem: string) => t(`owner:errors.${problem}`),
    option: (value: string) => t(`owner:choices.${value}`, { defaultValue: value }),
  };
}

interface EditorProps {
  data: OwnerData;
  answer: Refusal | undefined;
  words: ReturnType<typeof useFieldWords>;
  children: ReactNode;
}

/** The form of one subject: what is alike in all languages, then the words side by side. */
export function Editor({ data, answer, words, children }: EditorProps) {
  const { t } = useTranslation('owner');
  const { token, day, fields } = data;
  const values = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
  const refusal = answer ?? { errors: {}, values: { ...values, fromDay: day } };
  const rows = new Map<string, Field[]>();
  for (const field of fields) {
    if (!field.language) continue;
    const row = field.name.replace(new RegExp(`\\b(translations-)?${field.language}\\b-?`), '');
    rows.set(row, [...(rows.get(row) ?? []), field]);
  }
  const isConflict = answer?.problem === 'changed';
  const hasLooked = answer && (!answer.problem || answer.errors['right'] !== undefined);
  return (
    <PostForm
      refusal={refusal}
      problem={words.problem}
      hidden={{ token }}
      intent="look"
      // Without the part of the page one came by: the browser would go there, and not to the answer.
      action={data.address}
      className="mt-3 grid grid-cols-1 gap-5"
    >
      <div className="grid grid-cols-1 items-end gap-4 sm:grid-cols-2 xl:grid-cols-3">
        {fields
          .filter(({ language }) => !language)
          .map((field) => (
            <Control key={field.name} {...{ field, words }} />
          ))}
        {data.isPlanned && (
          <TextField type="date" name="fromDay" min={day} label={t('names.fromDay')} />
        )}
      </div>
      {[...rows].map(([row, columns]) => (
        <div key={row} className="grid grid-cols-1 gap-4 md:grid-cols-3">
          {columns.map((field) => (
            <Control key={field.name} {...{ field, words }} />
          ))}
        </div>
      ))}
      {isConflict && <Conflict {...{ fields, answer, words }} />}
      {children}
      {answer?.values['outdated'] && (
        <div className="say say-look">
          <div>
            <p>
              {t('outdated', {
                list: answer.values['outdated'].split(' ').map(words.label).join(', '),
              })}
            </p>
            <Tick name="right" id="right" value="yes">
              {t('names.right')}
            </Tick>
          </div>
        </div>
      )}
      <div className="sticky bottom-0 -mx-4 flex flex-wrap gap-3 border-t border-rule bg-surface px-4 py-3 sm:-mx-6 sm:px-6">
        <Submit
          intent="look"
          look={hasLooked ? 'button-quiet' : ''}
          words={t('look')}
          data-key="Ctrl+Enter"
        />
        {hasLooked && <Submit intent="save" words={t('save')} />}
      </div>
    </PostForm>
  );
}

type ControlProps = { field: Field; words: EditorProps['words'] };
function Control({ field, words }: ControlProps) {
  const { t } = useTranslation('owner');
  const { name, kind, choices, language, isRequired, value, label: parts } = field;
  const label = words.nameOf(parts, language);
  const note = isRequired || language ? undefined : t('optional');
  if (choices) {
    const options = [...(isRequired || value ? [] : ['']), ...choices];
    return (
      <SelectField
        {...{ name, label }}
        options={options.map((one) => [one, one && words.option(one)] as const)}
      />
    );
  }
  const rows = kind === 'long' ? 3 : kind === 'lines' ? 4 : undefined;
  const isNumber = kind === 'number' || kind === 'money';
  return (
    <TextField
      {...{ name, label, note, rows }}
      lang={language}
      className={rows && 'field-sizing-content'}
      type={kind === 'day' ? 'date' : 'text'}
      inputMode={isNumber ? 'decimal' : undefined}
      hint={kind === 'lines' ? t('oneALine') : undefined}
    />
  );
}

type ConflictProps = { fields: Field[]; answer: Refusal; words: EditorProps['words'] };
/** What somebody else has saved meanwhile, beside what was typed: both are read before one is saved. */
function Conflict({ fields, answer, words }: ConflictProps) {
  const { t } = useTranslation('owner');
  const different = fields.filter(
    ({ name, value }) => (answer.values[name] ?? '').trim() !== value.trim(),
  );
  return (
    <dl className="say say-look grid gap-2">
      {different.map(({ name, value }) => (
        <div key={name} className="grid gap-x-4 sm:grid-cols-3">
          <dt className="font-[650]">{words.label(name)}</dt>
          <dd className="wrap-anywhere">{t('conflict.theirs', { value })}</dd>
          <dd className="wrap-anywhere">{t('conflict.yours', { value: answer.values[name] })}</dd>
        </div>
      ))}
    </dl>
  );
}

interface PreviewProps {
  from: string | null;
  moved: number | null;
  languages: readonly string[];
  sentences:
    | readonly { language: string; pages: string[]; before: string; after: string }[]
    | null
    | undefined;
}

/** So many sentences of a language are seen at once. */
const SHOWN = 4;

/** What visitors will read, in each language, beside what they read now. */
export function Preview({ from, moved, languages, sentences }: PreviewProps) {
  const { t } = useTranslation(['owner', 'desk-messages']);
  if (!sentences) return <p>{t('preview.notHere')}</p>;
  const listed = (list: typeof sentences) => (
    <ul lang={list[0]?.language} className="mt-2 grid gap-3">
      {list.map(({ before, after, pages }) => (
        <li key={before + after} className="border-l-4 border-rule pl-3 wrap-anywhere">
          {before && <del className="block text-muted">{before}</del>}
          {after && <ins className="block no-underline">{after}</ins>}
          <small className="text-muted">
            {pages.length > 2 ? t('preview.pages', { count: pages.length }) : pages.join(', ')}
          </small>
        </li>
      ))}
    </ul>
  );
  return (
    <section aria-labelledby="preview" className="rounded-card border border-edge p-4">
      <h3
        id="preview"
        tabIndex={-1}
        // Who has looked reads it before anything else.
        autoFocus // oxlint-disable-line jsx-a11y/no-autofocus -- as after each refused form
        className="scroll-mb-[60vh] text-lg"
      >
        {from ? t('preview.from', { day: from }) : t('preview.now')}
      </h3>
      {moved !== null && <p className="mt-2">{t('preview.moved', { count: moved })}</p>}
      {sentences.length === 0 && <p className="mt-2">{t('preview.nothing')}</p>}
      <div className="mt-2 grid gap-5 md:grid-cols-3">
        {(sentences.length > 0 ? languages : []).map((language) => {
          const own = sentences.filter((one) => one.language === language);
          return (
            <div key={language}>
              <h4 className="border-b border-ink font-[650]">
                {t(`desk-messages:languages.${language as 'fr'}`)}
              </h4>
              {own.length === 0 && <p className="mt-2">{t('preview.same')}</p>}
              {listed(own.slice(0, SHOWN))}
              {own.length > SHOWN && (
                <Fold title={t('preview.more', { count: own.length - SHOWN })}>
                  {listed(own.slice(SHOWN))}
                </Fold>
              )}
            </div>
          );
        })}
      </div>
    </section>
  );
}
