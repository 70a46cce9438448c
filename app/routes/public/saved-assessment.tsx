import { type ActionFunctionArgs, json, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { dayOf } from '~/clock.server';
import { describeAssessment } from '~/content/assessment.server';
import { eligibilityContent } from '~/content/eligibility.server';
import { writeDatabase, requireDatabase } from '~/database.server';
import { deletionDate } from '~/domain/retention';
import { sentForm } from '~/http/form.server';
import { noStore } from '~/http/response-headers';
import { limitForms } from '~/http/rate-limit.server';
import { showToast } from '~/http/toast.server';
import { formatDay } from '~/i18n/format.server';
import { languageOf, translator } from '~/i18n/server.server';
import { siteSettings } from '~/settings/settings.server';
import { AssessmentTicket } from '~/ui/assessment';
import { Icon } from '~/ui/icon';
import { NextSteps } from '~/ui/next-steps';
import { deleteAssessment, findAssessment } from '~db/queries/assessments.server';

export const headers = noStore;

export async function loader({ request, params }: LoaderFunctionArgs) {
  const language = await languageOf(request);
  const t = translator(language);
  const { saved, assessment } = await requireDatabase(async (db) => {
    const found = await findAssessment(db, params['sessionId'] ?? '');
    if (!found) throw new Response(null, { status: 404 });
    const content = await eligibilityContent(language);
    return { saved: found, assessment: describeAssessment(content, found, language) };
  });
  return json({
    assessment,
    date: formatDay(dayOf(saved.completedAt), language),
    deletedOn: formatDay(
      dayOf(deletionDate(saved.completedAt, siteSettings().assessmentDays)),
      language,
    ),
    page: {
      title: t('eligibility:saved.title'),
      description: t('eligibility:saved.description'),
      noindex: true,
    },
  });
}

/** Deletes the result; the page has asked for confirmation. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  limitForms(context);
  const sent = await sentForm(request);
  if (sent.get('intent') !== 'delete') throw new Response(null, { status: 400 });
  await requireDatabase((db) => deleteAssessment(db, params['sessionId'] ?? ''), writeDatabase);
  return redirect('/', {
    status: 303,
    headers: { 'Set-Cookie': await showToast({ name: 'resultDeleted' }) },
  });
}

export default function SavedAssessment() {
  const { t } = useTranslation('eligibility');
  const { assessment, date, deletedOn } = useLoaderData<typeof loader>();
  return (
    <div className="mx-auto grid max-w-3xl gap-12 px-4 py-8 sm:py-12">
      <div>
        <h1 className="text-h1">{t('saved.title')}</h1>
        <p className="mt-3 text-2xl font-bold">{t(`result.${assessment.outcome}.title`)}</p>
        <p className="mt-3 max-w-[66ch] text-muted">{t('saved.private', { date: deletedOn })}</p>
      </div>
      <AssessmentTicket assessment={assessment} date={date} />
      <NextSteps assessment={assessment} />
      <section aria-labelledby="again" className="border-t border-rule pt-8 print:hidden">
        <h2 id="again" className="text-2xl">
          {t('saved.againTitle')}
        </h2>
        <p className="mt-1">{t('saved.print')}</p>
        <div className="mt-4 flex flex-wrap items-start gap-3">
          <a href="/eligibility-check" className="button w-full sm:w-auto">
            <Icon name="rotate-ccw" />
            {t('saved.again')}
          </a>
          <details className="group w-full sm:w-auto">
            <summary className="button button-quiet list-none [&::-webkit-details-marker]:hidden">
              <Icon name="trash-2" />
              {t('saved.delete')}
            </summary>
            <form method="post" className="card mt-2 p-4">
              <p className="mb-3">{t('saved.confirm')}</p>
              <button type="submit" name="intent" value="delete" className="button button-danger">
                {t('saved.confirmDelete')}
              </button>
            </form>
          </details>
        </div>
      </section>
    </div>
  );
}
