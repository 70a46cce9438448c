import { Form, useNavigation } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { PageHeading, Submit } from '~/ui/elements';
import { AssessmentReport } from '~/ui/assessment';
import { NextSteps } from '~/ui/next-steps';
import { Refused, WizardProgress } from './wizard-progress';
import type { ResultView } from '~/eligibility/wizard.server';
import type { Refusal } from '~/http/form.server';

export function ResultStep({
  title,
  assessment,
  date,
  price,
  retentionDays,
  skipped,
  refusal,
}: ResultView & { refusal: Refusal | undefined }) {
  const { t } = useTranslation('eligibility');
  const navigation = useNavigation();
  const busy = navigation.state !== 'idle';
  const saving = navigation.formData?.get('intent') === 'save';
  return (
    <>
      <div className="wrap pt-5">
        <Refused refusal={refusal} />
        <WizardProgress step="result" countryChosen skipped={skipped} />
        <AssessmentReport assessment={assessment} date={date}>
          <PageHeading title={title} lead={t(`result.${assessment.outcome}.text`)} />
          {assessment.factors.length > 0 && !skipped && (
            <Submit
              form="result"
              intent="back"
              disabled={busy}
              className="text-button mt-3"
              words={t('actions.mend')}
            />
          )}
        </AssessmentReport>
      </div>
      <NextSteps assessment={assessment} price={price} />
      <div className={`wrap ${assessment.outcome === 'eligible' ? 'pt-6' : 'pt-[var(--band)]'}`}>
        <Form
          id="result"
          method="post"
          action="/eligibility-check?step=result"
          aria-labelledby="keep"
          className="card p-5 sm:p-8"
        >
          <h2 id="keep" className="text-xl">
            {t('notice.title')}
          </h2>
          <p id="kept" className="mt-2 max-w-[44rem]">
            {t(skipped ? 'notice.textWithoutAnswers' : 'notice.text', { count: retentionDays })}
          </p>
          <div className="mt-4 flex flex-wrap items-center gap-x-6 gap-y-3">
            <Submit
              intent="save"
              aria-describedby="kept"
              disabled={busy}
              look="button-quiet w-full sm:w-auto"
              words={saving ? t('actions.saving') : t('actions.returnHome')}
            />
            <Submit
              intent="discard"
              disabled={busy}
              className="text-button"
              words={t('actions.discard')}
            />
            <Submit
              intent="back"
              disabled={busy}
              className="text-button inline-flex items-center gap-2"
              words={t('actions.back')}
              before="arrow-left"
            />
          </div>
        </Form>
      </div>
    </>
  );
}
