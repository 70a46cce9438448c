import { useSearchParams } from '@remix-run/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { SearchAnswer } from '~/desk/search.server';
import { DateField } from '~/ui/choice-fields';
import { Hidden, Fold, Icon, LinkLine, Part, Submit } from '~/ui/elements';
import { ErrorSummary } from '~/ui/error-summary';
import { Done } from '~/ui/plain-elements';
import { PostForm, TextField } from '~/ui/post-form';

/** Looks for what belongs to one person, in one field, and once that has not found an ended case, by birth; no address has it. */
export function Search({ answer }: { answer: SearchAnswer | undefined }) {
  const { t } = useTranslation('desk-worklist');
  const label = (name: string) => t(`search.${name as 'q'}`);
  const problem = (_: string, code: string) => t(`search.problems.${code}`);
  const fieldId = (name: string) => (name === 'born' ? 'born-day' : name);
  const { values = {}, errors = {} } = answer ?? {};
  const isPerson = Boolean(values['family_name'] || values['born.year'] || errors['born']);
  return (
    <>
      {answer?.problem && (
        <ErrorSummary
          title={t('search.errorTitle')}
          description={t('search.errorText')}
          refusal={answer}
          words={{ label, problem, fieldId }}
        />
      )}
      <PostForm
        action="/crm/processing"
        intent="search"
        refusal={answer}
        {...{ problem }}
        role="search"
        aria-label={t('search.title')}
        autoComplete="off"
        className="order-2 w-full sm:order-1 sm:max-w-[36rem] sm:grow"
      >
        <div className="grid grid-cols-[minmax(0,1fr)_auto] items-end gap-2">
          <TextField
            name="q"
            label={label('q')}
            isLabelHidden
            placeholder={label('q')}
            className="min-h-12"
            maxLength={320}
            spellCheck={false}
            autoCapitalize="none"
            data-key="/"
          />
          <Submit
            look="button-quiet"
            aria-label={t('search.button')}
            words={<Icon name="search" />}
          />
        </div>
        {answer && (
          <Fold open={isPerson} title={<span className="text-sm">{t('search.person')}</span>}>
            <div className="flex flex-wrap items-end gap-x-4 gap-y-3 pb-3">
              <div className="w-full sm:w-[18rem]">
                <TextField
                  name="family_name"
                  label={label('family_name')}
                  maxLength={200}
                  spellCheck={false}
                />
              </div>
              <DateField name="born" label={label('born')} />
              <Submit look="button-quiet" words={t('search.personButton')} />
            </div>
          </Fold>
        )}
      </PostForm>
    </>
  );
}

const LINKS = ['sent', 'tooMany', 'noAddress'] as const;

/** By what they are; of the unpaid nothing but what their owner has not to hide. */
export function Hits({ cases, unpaid, messages, isCut }: NonNullable<SearchAnswer['found']>) {
  const { t } = useTranslation('desk-worklist');
  const { t: states } = useTranslation('application-states');
  const [asked] = useSearchParams();
  const link = LINKS.find((one) => one === asked.get('link'));
  const count = cases.length + unpaid.length + messages.length;
  return (
    <Part id="found" title={t('search.found', { count })} size="text-base font-bold mt-4">
      {link && <Done className="my-2">{t(`search.link.${link}`)}</Done>}
      {isCut && <p className="mt-1">{t('search.cut')}</p>}
      {count === 0 && <p className="mt-1">{t('search.vain')}</p>}
      {count > 0 && (
        <ul
          className="card mt-2 max-w-[60rem] *:border-t *:border-rule *:first:border-t-0"
          data-key-rows
        >
          {cases.map((row) => (
            <Hit
              key={row.id}
              kind={t('search.kinds.case')}
              href={`/crm/processing/${row.id}`}
              title={row.reference}
              name={row.name}
            >
              {states(`desk.${row.state}`)}
              {(row.isMine || row.who) && ` · ${row.isMine ? t('you') : row.who}`}
            </Hit>
          ))}
          {unpaid.map(({ id, reference, begun }) => (
            <Hit key={id} kind={t('search.kinds.unpaid')} title={reference}>
              {t('search.begun', { begun })}
              <form method="post" action="/crm/processing" className="inline-block sm:ml-3">
                <Hidden intent="link" {...{ id }} search={asked.get('search') ?? ''} />
                <Submit look="button-quiet button-small" words={t('search.sendLink')} />
              </form>
            </Hit>
          ))}
          {messages.map(({ id, state, at }) => (
            <Hit
              key={id}
              kind={t('search.kinds.message')}
              href={`/crm/messages/${id}`}
              title={t('search.messageOf', { at })}
            >
              {t(`search.messages.${state}`)}
            </Hit>
          ))}
        </ul>
      )}
      <LinkLine className="mt-2" href="/crm/processing" words={t('search.back')} />
    </Part>
  );
}

interface HitProps {
  kind: string;
  title: string;
  name?: string;
  href?: string;
  children: ReactNode;
}

function Hit({ kind, title, name, href, children }: HitProps) {
  return (
    <li className="grid items-center gap-x-4 px-4 py-2 sm:min-h-12 sm:grid-cols-[6rem_1fr_auto]">
      <span className="text-xs font-[650] text-muted">{kind}</span>
      <span>
        {href ? (
          <a {...{ href }} className="inline-flex min-h-11 items-center">
            {title}
          </a>
        ) : (
          title
        )}
        {name && <strong className="ml-3">{name}</strong>}
      </span>
      <span className="text-sm text-muted">{children}</span>
    </li>
  );
}
