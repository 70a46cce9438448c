import { addDays, subDays } from 'date-fns';
import { type ActionFunctionArgs, json } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { now } from '~/clock.server';
import { describeAssessment } from '~/eligibility/assessment.server';
import { eligibilityContent } from '~/eligibility/content.server';
import { lowestFee } from '~/public/offer.server';
import { requireDatabase, writeWithSecureDelete } from '~/database.server';
import { limitForms, readFormData } from '~/http/form.server';
import { inBothModes, type PageHandle } from '~/live.server';
import { leadTo } from '~/http/toast.server';
import { dayInWords } from '~/i18n/locale.server';
import { siteSettings } from '~/settings/settings.server';
import { Icon, Part, Say, Submit } from '~/ui/elements';
import { AssessmentReport, Preparing } from '~/ui/assessment';
import { NextSteps } from '~/ui/next-steps';
import { useRootData } from '~/ui/root-data';
import { Blank, Blanks } from '~/ui/ticket';
import { deleteAssessment, findAssessment } from '~db/queries/assessments.server';

export const handle: PageHandle = { limitsForms: true };
export const loader = inBothModes(async ({ params, language, t }) => {
  const { assessmentDays: days } = siteSettings();
  const { saved, assessment } = await requireDatabase(async (db) => {
    const found = await findAssessment(db, params['sessionId'] ?? '', subDays(now(), days));
    if (!found) throw new Response(null, { status: 404 });
    const content = await eligibilityContent(language);
    return { saved: found, assessment: describeAssessment(content, found, language) };
  });
  return json({
    assessment,
    date: dayInWords(saved.completedAt, language),
    price: lowestFee(language),
    deletedOn: dayInWords(addDays(saved.completedAt, days), language),
    page: {
      title: t('assessment:saved.title'),
      description: t('assessment:saved.description'),
      noindex: true,
    },
  });
});

export async function action({ request, params, context }: ActionFunctionArgs) {
  limitForms(context);
  const sent = await readFormData(request);
  if (sent.get('intent') !== 'delete') throw new Response(null, { status: 400 });
  await requireDatabase(
    (db) => deleteAssessment(db, params['sessionId'] ?? '', now()),
    writeWithSecureDelete,
  );
  return leadTo('/', [], 'resultDeleted');
}

export default function SavedAssessment() {
  const { t } = useTranslation('assessment');
  const { t: tCheck } = useTranslation('eligibility');
  const { assessment, date, price, deletedOn } = useLoaderData<typeof loader>();
  const root = useRootData();
  return (
    <>
      <div className="wrap paper pt-8 sm:pt-12">
        <AssessmentReport
          assessment={assessment}
          date={date}
          saved={{ stub: <BeforeList />, lines: <WrittenLines /> }}
        >
          <h1 className="text-h1">{t('saved.title')}</h1>
          <p className="mt-2 text-xl font-bold">{tCheck(`result.${assessment.outcome}.title`)}</p>
          <p className="lead mt-2">{t('saved.private', { date: deletedOn })}</p>
        </AssessmentReport>
        <p className="mt-4 hidden print:block">
          {t('saved.printed', { site: root?.site.name, fee: root?.officialFee })}
        </p>
        <Say icon="printer" className="say-look mt-6 w-fit print:hidden" words={t('saved.print')} />
      </div>
      <NextSteps assessment={assessment} price={price} />
      <Part
        id="again"
        title={t('saved.againTitle')}
        size="text-2xl"
        className="wrap pt-[var(--band)] print:hidden"
      >
        <div className="mt-4 flex flex-wrap items-start gap-3">
          <a href="/eligibility-check" className="button button-quiet w-full sm:w-auto">
            <Icon name="rotate-ccw" />
            {t('saved.again')}
          </a>
          <details className="w-full sm:w-auto">
            <summary className="text-button inline-flex list-none items-center gap-2 px-2 [&::-webkit-details-marker]:hidden">
              <Icon name="trash-2" />
              {t('saved.delete')}
            </summary>
            <form method="post" className="card mt-2 p-4">
              <p className="mb-3">{t('saved.confirm')}</p>
              <input type="hidden" name="intent" value="delete" />
              <Submit look="button-danger" words={t('saved.confirmDelete')} />
            </form>
          </details>
        </div>
      </Part>
    </>
  );
}

const BEFORE = ['passport', 'esta', 'same', 'address'] as const;

function BeforeList() {
  const { t } = useTranslation('assessment');
  const { t: tCheck } = useTranslation('eligibility');
  return (
    <>
      <h2 className="text-base">{t('saved.beforeTitle')}</h2>
      <ul className="mt-2 grid gap-2 text-sm/[1.4]">
        {BEFORE.map((name) => (
          <li
            key={name}
            className="flex gap-2 before:mt-[0.1rem] before:size-[1.05rem] before:flex-none before:rounded before:border-[1.5px] before:border-muted"
          >
            {t(`saved.before.${name}`)}
          </li>
        ))}
      </ul>
      <p className="mt-3 text-sm text-muted">{tCheck('result.note')}</p>
      <Preparing className="mt-4" />
    </>
  );
}

function WrittenLines() {
  const { t } = useTranslation('assessment');
  return (
    <Blanks wide className="mt-5 not-print:hidden">
      <Blank size="wide" label={t('saved.write.esta')} />
      <Blank label={t('saved.write.passport')} />
      <Blank label={t('saved.write.expires')} />
    </Blanks>
  );
}
