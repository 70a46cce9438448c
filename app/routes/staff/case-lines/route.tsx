import {
  type ActionFunctionArgs,
  json,
  type LinksFunction,
  type LoaderFunctionArgs,
  redirect,
} from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { caseAddress } from '~/desk/case-address.server';
import { openCase, recordView } from '~/desk/open-case.server';
import { isLanguageChange, sentForm, showAgain } from '~/http/form.server';
import { live } from '~/http/live.server';
import type { PageHandle } from '~/http/page-handle';
import { limitForms } from '~/http/rate-limit.server';
import type { Refusal } from '~/http/refusal';
import { typedAgain } from '~/http/typed-again.server';
import { languageOf, translator } from '~/i18n/server.server';
import stylesUrl from '~/styles/case.css?url';
import { ErrorSummary } from '~/ui/error-summary';
import { Field } from '~/ui/field';
import { Icon } from '~/ui/icon';
import { TypedTexts } from '~/ui/typed-again';
import { PAGE_FORM } from '~/ui/root-data';
import { Compare } from './compare';
import { LinesPhoto } from './photo';
import { takeLines } from './take.server';
import { linesView } from './view.server';

export const handle: PageHandle = { limitsForms: true };
/** Of the desk alone: no traveller loads them. */
export const links: LinksFunction = () => [{ rel: 'stylesheet', href: stylesUrl }];

/** The two printed lines, typed from the photo without seeing what the traveller has answered. */
export const loader = live(async ({ request, params }: LoaderFunctionArgs) => {
  const open = await openCase(request, params['id']);
  if (open.rights.view !== 'full') throw redirect(caseAddress(open), 303);
  const language = await languageOf(request);
  const view = await linesView(open, language);
  // The photo beside it has an address, and an event, of its own.
  if (view.compared) await recordView(open, 'lines');
  return json({
    view,
    page: {
      title: translator(language)('desk-work:lines.title'),
      noindex: true,
      form: view.canType,
    },
  });
});

export const action = live(async ({ request, params, context }: ActionFunctionArgs) => {
  const open = await openCase(request, params['id']);
  limitForms(context);
  const sent = await sentForm(request);
  if (open.rights.view !== 'full') {
    throw json({ typedAgain: await typedAgain(request) }, { status: 403 });
  }
  if (isLanguageChange(sent)) return showAgain(sent);
  return takeLines(open, sent, await languageOf(request));
});

const LINES = ['line1', 'line2'] as const;

export default function Lines() {
  const { t } = useTranslation('desk-work');
  const { view } = useLoaderData<typeof loader>();
  const refusal = useActionData<Refusal<'invalid' | 'changed' | 'noPhoto'>>();
  const { reference, photo, closed, canType, back, typed, compared } = view;
  const items = LINES.flatMap((name, index) => {
    const text = refusal?.errors[name];
    return text ? [{ fieldId: name, name: t(`fields.${name}`), number: index + 1, text }] : [];
  });
  return (
    <div className="wrap py-8 sm:py-12">
      {refusal?.problem && (
        <ErrorSummary
          title={t('errorTitle')}
          description={t(`problems.${refusal.problem}`)}
          items={items}
          trigger={refusal}
        />
      )}
      {!canType && <TypedTexts texts={LINES.map((name) => refusal?.values[name])} />}
      <p className="eyebrow">
        <a href={back} className="machine">
          {reference}
        </a>
      </p>
      <h1 tabIndex={-1} className="text-h1">
        {t('lines.title')}
      </h1>
      <p className="lead mt-3">{t(closed ? `lines.closed.${closed}` : 'lines.lead')}</p>
      {photo ? (
        <LinesPhoto address={photo} />
      ) : (
        <div className="say say-look mt-6 w-fit">
          <Icon name="circle-alert" />
          <div>
            <p>{t('lines.noPhoto')}</p>
            {!closed && (
              <p className="mt-2">
                <a href={`${back}#requests`}>{t('buttons.ask')}</a>
              </p>
            )}
          </div>
        </div>
      )}
      {canType && (
        <form
          id={PAGE_FORM}
          method="post"
          action={view.address}
          noValidate
          autoComplete="off"
          className="mt-6 grid gap-4"
        >
          <input type="hidden" name="version" value={view.version} />
          <input type="hidden" name="task_version" value={view.taskVersion} />
          {LINES.map((name) => (
            <Field
              key={name}
              id={name}
              label={t(`fields.${name}`)}
              hint={name === 'line1' ? t('hints.lines') : undefined}
              error={refusal?.errors[name]}
            >
              {(control) => (
                <input
                  {...control}
                  name={name}
                  maxLength={300}
                  autoCapitalize="characters"
                  autoCorrect="off"
                  spellCheck={false}
                  defaultValue={
                    refusal?.values[name] ?? (name === 'line1' ? typed?.first : typed?.second)
                  }
                  className="field machine"
                />
              )}
            </Field>
          ))}
          <button type="submit" className="button w-full sm:w-fit">
            {t('buttons.compare')}
          </button>
        </form>
      )}
      {compared && !refusal && <Compare compared={compared} />}
      <p className="mt-8">
        <a href={`${back}#work`} className="button button-quiet">
          {t('buttons.back')}
        </a>
      </p>
    </div>
  );
}
