import { json, redirect } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { settingCookies } from '~/http/cookies.server';
import { requireApplication, touchCookie } from '~/applications/access.server';
import { answerOf, fieldsOf } from '~/applications/requests.server';
import { pageOfAction } from '~/applications/step-page.server';
import { requireDatabase } from '~/database.server';
import { live, type PageHandle } from '~/live.server';
import { languageOf } from '~/i18n/locale.server';
import { Hidden, Icon, LinkLine, Part, Submit } from '~/ui/elements';
import { ApplicationFields } from '~/ui/application-fields';
import { ApplicationFrame } from '~/ui/application-frame';
import { ApplicationProblem } from '~/ui/application-step';
import { PAGE_FORM } from '~/ui/root-data';
import { answerRequest } from '~/applications/respond-action.server';
import {
  requestedOf,
  respondPage,
  type RespondView,
  savedSteps,
  typedSteps,
} from '~/applications/respond-page.server';

export const handle: PageHandle = { limitsForms: true };
export const loader = live(async ({ request, params, context }) => {
  const made = pageOfAction(context);
  if (made) return json(made);
  const open = await requireApplication(request, params['id'], 'status');
  const { id, state } = open.row;
  const asked =
    state === 'action_required' && open.level === 'answers'
      ? await requireDatabase((db) => requestedOf(db, open))
      : undefined;
  if (!asked) return redirect(`/application/${id}/overview`, 303);
  const typed = answerOf(asked.request);
  const names = fieldsOf(asked.request);
  const isBegun = asked.request.answer_sealed !== null;
  const page = await respondPage({
    language: await languageOf(request),
    applicationId: id,
    asked,
    steps: isBegun ? typedSteps(typed, names, asked.saved) : savedSteps(asked),
    typed,
    requestId: asked.request.id,
  });
  return json(page, { headers: settingCookies(await touchCookie(request, open)) });
});

export const action = live(({ request, params, context }) =>
  answerRequest({ request, context, id: params['id'] ?? '' }),
);

export default function Respond() {
  const { view } = useLoaderData<typeof loader>() as { view: RespondView };
  const { t } = useTranslation('application-respond');
  const { address, reason, by, problem, pictures, steps, note, hidden, isClosed } = view;
  return (
    <ApplicationFrame
      title={t('title')}
      lead={t('lead')}
      before={problem && <ApplicationProblem {...problem} />}
    >
      {reason && (
        <Part id="reason" title={t('reason')} className="card mt-6 max-w-[44rem] p-4 sm:p-6">
          <p lang={reason.language} className="mt-2 wrap-anywhere whitespace-pre-line">
            {reason.text}
          </p>
          {by && <p className="mt-3 text-sm text-muted">{t('by', { date: by })}</p>}
        </Part>
      )}
      {!isClosed && pictures.map((picture) => <Photo key={picture.kind} {...picture} />)}
      <form id={PAGE_FORM} method="post" action={`${address}/respond`} noValidate className="asks">
        <Hidden {...Object.fromEntries(hidden)} />
        {steps.map(({ number, title, nodes }) => (
          <Part key={number} id={`part-${number}`} title={title} size="text-2xl" className="asks">
            <ApplicationFields nodes={nodes} />
          </Part>
        ))}
        <ApplicationFields nodes={[note]} />
        {!isClosed && (
          <div>
            <button type="submit" name="intent" value="respond" className="button w-full sm:w-auto">
              {t('send')}
              <Icon name="arrow-right" />
            </button>
            <p className="mt-3 max-w-[44rem] text-sm text-muted">{t('after')}</p>
          </div>
        )}
        <LinkLine href={`${address}/overview`} words={t('back')} />
      </form>
    </ApplicationFrame>
  );
}

/** A picture has a page of its own, which leads back here: what was typed is kept meanwhile. */
function Photo({ kind, received, isMissing }: RespondView['pictures'][number]) {
  const { t } = useTranslation('application-respond');
  return (
    <section aria-labelledby={`${kind}-title`} className="card mt-6 max-w-[44rem] p-4 sm:p-6">
      <h2 id={`${kind}-title`} className="flex items-start gap-2 text-xl">
        {received !== undefined && <Icon name="circle-check" className="mt-0.5 size-6 text-good" />}
        {t(`${kind}.title`)}
      </h2>
      {isMissing && (
        <p className="mt-2 flex gap-2 font-semibold text-bad">
          <Icon name="circle-alert" className="mt-0.5 size-5" />
          {t(`${kind}.required`)}
        </p>
      )}
      <p className="mt-2">
        {received === undefined ? t('photo.text') : t('photo.received', { date: received })}
      </p>
      <Submit
        id={kind}
        form={PAGE_FORM}
        intent={kind}
        look={`mt-4 w-full sm:w-auto ${received === undefined ? '' : 'button-quiet'}`}
        words={t(received === undefined ? 'photo.add' : 'photo.replace')}
      />
    </section>
  );
}
