import { Form } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { useHydrated } from 'remix-utils/use-hydrated';

import { TRAVEL_FORM } from '~/domain/timeline';
import { ErrorSummary, summaryItems } from '~/ui/error-summary';
import type { FactView } from '~/content/views';
import { Field } from '~/ui/field';
import { Icon } from '~/ui/icon';
import { Calendar } from './calendar';
import type { PlannerView } from './planner.server';
import { Recommendation } from './recommendation';

interface PlannerProps {
  planner: PlannerView;
  applyBefore: FactView | undefined;
  processing: FactView | undefined;
}

/** The choice of a travel date, in a field or in the calendar, and its recommendation. */
export function Planner({ planner, applyBefore, processing }: PlannerProps) {
  const { t } = useTranslation('timeline');
  const problem = usePlannerItems(planner)[0]?.text;
  const { plan, calendar, today } = planner;
  // Without JavaScript the page reloads, so it scrolls to the answer.
  const action = useHydrated() ? '/timeline' : '/timeline#answer';
  return (
    <div className="grid gap-10 md:grid-cols-[20rem_1fr] lg:grid-cols-[22rem_1fr] lg:gap-14">
      <section aria-labelledby="choose" className="print:hidden">
        <h2 id="choose" className="text-2xl">
          {t('planner.title')}
        </h2>
        <Form method="get" action={action} preventScrollReset noValidate className="mt-4">
          <input type="hidden" name="tab" value="planner" />
          <Field id="date" label={t('planner.field')} hint={t('planner.hint')} error={problem}>
            {(control) => (
              <input
                {...control}
                key={plan?.date}
                type="date"
                name="date"
                min={today}
                defaultValue={plan?.date}
                className="field"
              />
            )}
          </Field>
          <button type="submit" className="button mt-3 w-full">
            {t('planner.show')}
          </button>
        </Form>
        <Calendar calendar={calendar} action={action} chosen={plan?.date} today={today} />
      </section>
      <div id={problem ? undefined : 'answer'}>
        <Recommendation plan={plan} applyBefore={applyBefore} processing={processing} />
        <p className="mt-8 flex flex-wrap gap-3 print:hidden">
          <a href="/eligibility-check" className="button w-full sm:w-auto">
            {t('buttons.eligibility')}
            <Icon name="arrow-right" />
          </a>
          <a href="/documents" className="button button-quiet w-full sm:w-auto">
            <Icon name="file-text" />
            {t('buttons.documents')}
          </a>
        </p>
      </div>
    </div>
  );
}

/** The errors of the travel date, above the heading. */
export function PlannerErrors({ planner }: { planner: PlannerView }) {
  const { t } = useTranslation('timeline');
  return (
    <div id="answer">
      <ErrorSummary
        title={t('errors.title')}
        description={t('errors.text')}
        items={usePlannerItems(planner)}
        trigger={planner.refusal}
      />
    </div>
  );
}

function usePlannerItems({ refusal, quoted }: PlannerView) {
  const { t } = useTranslation('timeline');
  return summaryItems(TRAVEL_FORM, refusal, {
    problem: (_, problem) => t(`errors.${problem as 'required' | 'invalid' | 'past'}`, { ...quoted }),
  });
}
