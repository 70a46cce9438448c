import { Form } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { useHydrated } from 'remix-utils/use-hydrated';

import { TRAVEL_FORM } from '~/domain/timeline';
import { ErrorSummary, summaryItems } from '~/ui/error-summary';
import type { FactView } from '~/content/views';
import { Field } from '~/ui/field';
import { Icon } from '~/ui/icon';
import { PAGE_FORM } from '~/ui/root-data';
import { Calendar } from './calendar';
import type { PlannerView } from './planner.server';
import { Recommendation } from './recommendation';
import { Bands, Way } from './way';

interface PlannerProps {
  planner: PlannerView;
  /** The date in the field, if the language was changed before it was sent. */
  typed: string | undefined;
  applyBefore: FactView | undefined;
  processing: FactView | undefined;
}

/** The choice of a travel date, in a field or in the calendar, and its recommendation. */
export function Planner({ planner, typed, applyBefore, processing }: PlannerProps) {
  const { t } = useTranslation('timeline');
  const problem = usePlannerItems(planner)[0]?.text;
  const { plan, calendar, today } = planner;
  // Without JavaScript the page reloads, so it scrolls to the answer.
  const action = useHydrated() ? '/timeline' : '/timeline#answer';
  return (
    <>
      <div className="wrap grid gap-x-16 gap-y-8 pb-[var(--band)] lg:grid-cols-2 lg:grid-rows-[auto_1fr]">
        <section aria-labelledby="choose" className="print:hidden">
          <h2 id="choose" className="text-xl">
            {t('planner.title')}
          </h2>
          <Form
            id={PAGE_FORM}
            method="get"
            action={action}
            preventScrollReset
            noValidate
            className="mt-3 max-w-[34rem]"
          >
            <input type="hidden" name="tab" value="planner" />
            <Field id="date" label={t('planner.field')} hint={t('planner.hint')} error={problem}>
              {(control) => (
                <div className="grid gap-3 sm:grid-cols-[1fr_auto]">
                  <input
                    {...control}
                    key={plan?.date}
                    type="date"
                    name="date"
                    min={today}
                    defaultValue={typed ?? plan?.date}
                    className="field"
                  />
                  <button type="submit" className="button">
                    {t('planner.show')}
                  </button>
                </div>
              )}
            </Field>
          </Form>
          <Calendar calendar={calendar} action={action} chosen={plan?.date} today={today} />
        </section>
        <div
          id={problem ? undefined : 'answer'}
          className="scroll-mt-4 lg:col-start-2 lg:row-span-2 lg:row-start-1"
        >
          <Recommendation plan={plan} processing={processing} />
        </div>
        <p className="flex flex-wrap content-start gap-3 print:hidden">
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
      {plan && (
        <>
          <Bands plan={plan} />
          <Way plan={plan} applyBefore={applyBefore} processing={processing} />
        </>
      )}
    </>
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
    problem: (_, problem) =>
      t(`errors.${problem as 'required' | 'invalid' | 'past'}`, { ...quoted }),
  });
}
