import { useTranslation } from 'react-i18next';

import type { Refusal } from '~/http/form.server';
import { Part, Submit } from '~/ui/elements';
import { ErrorSummary } from '~/ui/error-summary';
import { ErrorText } from '~/ui/field';
import { Box } from '~/ui/choice-fields';
import { PostForm, TextField } from '~/ui/post-form';
import { TypedTexts } from '~/ui/typed-again';
import type { requestsSection } from '~/desk/case-page.server';

type RequestsView = Awaited<ReturnType<typeof requestsSection>>;

type RequestsProps = { view: RequestsView; refusal: Refusal | undefined };

export function CaseRequests({ view, refusal }: RequestsProps) {
  const { t } = useTranslation('desk-requests');
  const own = refusal?.values['intent'] === 'request' ? refusal : undefined;
  if (view.requests.length === 0 && !view.groups && !own) return null;
  return (
    <Part id="requests" title={t('title')} size="text-2xl" className="mt-10">
      {view.requests.length === 0 ? (
        <p className="mt-2 text-muted">{t('none')}</p>
      ) : (
        <ol className="mt-4 grid gap-3">
          {view.requests.map((request) => (
            <RequestItem key={request.id} request={request} written={view.written} />
          ))}
        </ol>
      )}
      {view.groups ? (
        <NewRequest view={view} refusal={own} />
      ) : (
        <>
          <Problems refusal={own} />
          <TypedTexts texts={[own?.values['reason']]} />
        </>
      )}
    </Part>
  );
}

type RequestItemProps = { request: RequestsView['requests'][number]; written: string };

function RequestItem({ request, written }: RequestItemProps) {
  const { t } = useTranslation('desk-requests');
  const { state, at, answered, isOwn, reminders, fields, reason, correct, note } = request;
  return (
    <li className="card p-4">
      <p className="flex flex-wrap gap-x-3">
        <strong>{t(`states.${state}`)}</strong>
        <span>{t(isOwn ? 'askedBySite' : 'asked', { date: at })}</span>
        {answered && <span>{t('answered', { date: answered })}</span>}
        {reminders > 0 && <span>{t('reminders', { count: reminders })}</span>}
      </p>
      <p className="mt-1">{fields.join(', ')}</p>
      {reason && (
        <p lang={written} className="mt-1 wrap-anywhere whitespace-pre-line text-muted">
          {reason}
        </p>
      )}
      {correct.length > 0 && <p className="mt-1">{t('correct', { fields: correct.join(', ') })}</p>}
      {note && (
        <p className="mt-1">
          {t('note')}{' '}
          <span lang={written} className="wrap-anywhere whitespace-pre-line">
            {note}
          </span>
        </p>
      )}
    </li>
  );
}

const IDS = { fields: 'request-fields', reason: 'request-reason' };

function useRequestWords() {
  const { t } = useTranslation('desk-requests');
  return {
    fieldId: (name: string) => IDS[name as 'reason'],
    problem: (name: string, problem: string) =>
      t(`errors.${name === 'fields' ? name : (problem as 'required')}`),
  };
}

function NewRequest({ view, refusal }: RequestsProps) {
  const { t } = useTranslation('desk-requests');
  const { problem } = useRequestWords();
  const { version, written } = view;
  const error = refusal?.errors['fields'];
  return (
    <details className="card mt-4 p-4" open={refusal !== undefined}>
      <summary className="min-h-11 cursor-pointer font-[650]">{t('ask')}</summary>
      <PostForm
        id="request-form"
        hidden={{ version }}
        intent="request"
        {...{ refusal, problem }}
        className="mt-3"
      >
        <Problems refusal={refusal} />
        <fieldset id={IDS.fields} tabIndex={-1} aria-describedby={error && `${IDS.fields}-error`}>
          <legend className="font-[650]">{t('fields')}</legend>
          {error && <ErrorText id={`${IDS.fields}-error`}>{t('errors.fields')}</ErrorText>}
          <div className="mt-2 gap-x-8 sm:columns-2 xl:columns-3">
            {view.groups?.map(({ title, boxes }) => (
              <fieldset key={title} className="mb-4 break-inside-avoid">
                <legend className="text-sm font-bold">{title}</legend>
                {boxes.map(({ name, label }) => (
                  <Box key={name} name={name} className="text-sm">
                    {label}
                  </Box>
                ))}
              </fieldset>
            ))}
          </div>
        </fieldset>
        <TextField
          name="reason"
          id={IDS.reason}
          label={t('reason')}
          hint={t('reasonHint', { language: t(`languages.${written}`) })}
          rows={5}
          lang={written}
          className="max-w-[44rem]"
        />
        <Submit look="mt-4 w-full sm:w-auto" words={t('send')} />
        <p className="mt-2 text-sm text-muted">{t('after')}</p>
      </PostForm>
    </details>
  );
}

/** Why it was not sent, with links to what is to be looked at. */
function Problems({ refusal }: Pick<RequestsProps, 'refusal'>) {
  const { t } = useTranslation('desk-requests');
  const words = useRequestWords();
  if (!refusal?.problem) return null;
  return (
    <ErrorSummary
      title={t('errors.title')}
      description={t(refusal.problem === 'changed' ? 'errors.changed' : 'errors.invalid')}
      {...{ refusal, words }}
    />
  );
}
