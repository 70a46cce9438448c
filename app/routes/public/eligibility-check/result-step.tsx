import { Form, useNavigation } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { AssessmentTicket } from '~/ui/assessment';
import { Icon } from '~/ui/icon';
import { NextSteps } from '~/ui/next-steps';
import type { WizardRefusal } from './refusal';
import { Refused } from './refused';
import type { ResultView } from './view.server';
import { WizardProgress } from './wizard-progress';

/** Step 3: the result, the next steps, and the button that saves it and goes home. */
export function ResultStep({
  title,
  assessment,
  retentionDays,
  refusal,
}: ResultView & { refusal: WizardRefusal | undefined }) {
  const { t } = useTranslation('eligibility');
  const navigation = useNavigation();
  const busy = navigation.state !== 'idle';
  const saving = navigation.formData?.get('intent') === 'save';
  return (
    <>
      <Refused refusal={refusal} />
      <WizardProgress step="result" countryChosen />
      <h1 tabIndex={-1} className="text-h1">
        {title}
      </h1>
      <div className="mt-8 grid gap-12">
        <AssessmentTicket assessment={assessment} />
        <NextSteps assessment={assessment} />
        <Form
          method="post"
          action="/eligibility-check?step=result"
          className="border-t border-rule pt-8 print:hidden"
        >
          <div className="flex flex-wrap items-center gap-3">
            <button
              type="submit"
              name="intent"
              value="save"
              aria-describedby="kept"
              className="button w-full sm:w-auto"
              disabled={busy}
            >
              {saving ? t('actions.saving') : t('actions.returnHome')}
            </button>
            <button
              type="submit"
              name="intent"
              value="back"
              className="button button-quiet w-full sm:w-auto"
              disabled={busy}
            >
              <Icon name="arrow-left" />
              {t('actions.back')}
            </button>
            <button
              type="submit"
              name="intent"
              value="discard"
              className="text-button px-2"
              disabled={busy}
            >
              {t('actions.discard')}
            </button>
          </div>
          <div id="kept" className="mt-5 max-w-[66ch] text-base text-muted">
            <h2 className="text-base font-bold text-ink">{t('notice.title')}</h2>
            <p>{t('notice.text', { days: retentionDays })}</p>
          </div>
        </Form>
      </div>
    </>
  );
}
