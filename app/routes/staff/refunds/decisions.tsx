import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { type DeskEvent, PROPOSAL_FORM, REFUSAL_FORM } from '~/domain/order/refund-rules';
import type { Refusal } from '~/http/refusal';
import { ErrorSummary, summaryItems } from '~/ui/error-summary';
import { FormFields, type FormWords } from '~/ui/form-fields';
import { PAGE_FORM } from '~/ui/root-data';
import type { CaseView } from './case.server';

/** Why a decision is not taken. */
export type DecisionRefusal = Refusal<'invalid' | 'changed' | 'own' | 'disputed'> | undefined;

const isRefusing = (refusal: DecisionRefusal) => refusal?.values['intent'] === 'refuse';
/** Both forms have a reason. */
const refusalId = (name: string) => `refuse-${name}`;

/** Above the heading: why, with links to the fields. */
export function DecisionErrors({ refusal }: { refusal: DecisionRefusal }) {
  const { t } = useTranslation('staff');
  const words = useDecisionWords();
  if (!refusal?.problem) return null;
  const { problem } = refusal;
  const items = isRefusing(refusal)
    ? summaryItems(REFUSAL_FORM, refusal, { ...words, fieldId: refusalId })
    : summaryItems(PROPOSAL_FORM, refusal, words);
  return (
    <ErrorSummary
      title={t('errors.title')}
      description={problem === 'invalid' ? t('errors.invalid') : t(`refunds.${problem}`)}
      items={items}
      trigger={refusal}
    />
  );
}

interface DecisionsProps {
  view: CaseView;
  refusal: DecisionRefusal;
}

/** The forms that somebody of this role has for a refund in this state. */
export function Decisions({ view, refusal }: DecisionsProps) {
  const { t } = useTranslation('staff');
  const { events, waits } = view;
  const { amount } = view.item;
  const can = (event: DeskEvent) => events.includes(event);
  if (events.length === 0 && !waits) return null;
  return (
    <section aria-labelledby="decide" className="grid gap-4">
      <h2 id="decide" className="text-2xl">
        {t('refunds.decide')}
      </h2>
      {waits && <p>{t(`refunds.${waits}`)}</p>}
      {can('approve') && (
        <OneForm view={view} event="approve" text={t('refunds.forms.approveText', { amount })}>
          <Button event="approve" />
        </OneForm>
      )}
      {can('retry') && (
        <OneForm view={view} event="retry" text={t('refunds.forms.retryText', { amount })}>
          <Button event="retry" />
        </OneForm>
      )}
      {can('propose') && <Proposal view={view} refusal={refusal} />}
      {can('refuse') && <RefusalForm view={view} refusal={refusal} />}
    </section>
  );
}

function Proposal({ view, refusal }: DecisionsProps) {
  const { t } = useTranslation('staff');
  const words = useDecisionWords();
  const shown =
    refusal && !isRefusing(refusal)
      ? refusal
      : { errors: {}, values: { amount: view.amount, reason: view.answer ?? '' } };
  return (
    <OneForm
      view={view}
      event="propose"
      text={t('refunds.forms.proposeText', { most: view.most })}
      id={PAGE_FORM}
    >
      <FormFields form={PROPOSAL_FORM} refusal={shown} words={words} />
      <Button event="propose" isQuiet={view.events.includes('approve')} />
    </OneForm>
  );
}

function RefusalForm({ view, refusal }: DecisionsProps) {
  const { t } = useTranslation('staff');
  const words = useDecisionWords();
  return (
    <OneForm view={view} event="refuse" text={t('refunds.forms.refuseText')}>
      <FormFields
        form={REFUSAL_FORM}
        refusal={isRefusing(refusal) ? refusal : undefined}
        words={words}
        fieldId={refusalId}
      />
      <Button event="refuse" isQuiet />
    </OneForm>
  );
}

interface OneFormProps {
  view: CaseView;
  event: DeskEvent;
  text: string;
  id?: string;
  children: ReactNode;
}

function OneForm({ view, event, text, id, children }: OneFormProps) {
  const { t } = useTranslation('staff');
  return (
    <form
      id={id}
      method="post"
      action={`/crm/refunds/${view.item.id}`}
      noValidate
      className="card p-4 sm:p-6"
    >
      <h3 className="text-lg">{t(`refunds.forms.${event}`)}</h3>
      <p className="mt-1 mb-4 max-w-[44rem]">{text}</p>
      <input type="hidden" name="version" value={view.version} />
      <input type="hidden" name="intent" value={event} />
      {children}
    </form>
  );
}

function Button({ event, isQuiet = false }: { event: DeskEvent; isQuiet?: boolean }) {
  const { t } = useTranslation('staff');
  return (
    <button
      type="submit"
      className={`button mt-4 w-full sm:w-auto ${isQuiet ? 'button-quiet' : ''}`}
    >
      {t(`refunds.forms.${event}Button`)}
    </button>
  );
}

function useDecisionWords(): FormWords {
  const { t } = useTranslation('staff');
  return {
    label: (name) => t(`refunds.fields.${name as 'amount' | 'reason'}`),
    hint: (name) => t(`refunds.hints.${name as 'amount' | 'reason'}`),
    optional: '',
    problem: (name, problem) =>
      problem === 'required'
        ? t('errors.required')
        : problem === 'tooLong' || problem === 'hidden'
          ? t(`errors.${problem}`)
          : t(`refunds.problems.${problem as 'amount' | 'left' | 'reason'}`),
    option: (_, value) => value,
  };
}
