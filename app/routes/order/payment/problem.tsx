import { useTranslation } from 'react-i18next';

import { ORDER_FORM, type OrderField } from '~/domain/order/choice';
import { ApplicationProblem } from '~/ui/application-step';
import type { OrderRefusal } from './refusal';

/** The message of each field that is wrong. */
export function useErrors(refusal: OrderRefusal | undefined): Partial<Record<OrderField, string>> {
  const { t } = useTranslation('order-payment');
  const entries = ORDER_FORM.flatMap(({ name }) => {
    const problem = refusal?.errors[name];
    if (!problem) return [];
    const text =
      problem === 'required' ? t(`errors.required.${name}`) : t(`errors.${problem as 'choice'}`);
    return [[name, text] as const];
  });
  return Object.fromEntries(entries);
}

/** The first control of each field. */
const FIRST: Partial<Record<string, string>> = {
  package: 'package-standard',
  start_choice: 'start_choice-now',
};

interface ProblemProps {
  refusal: OrderRefusal | undefined;
  /** The path of the application. */
  address: string | undefined;
}

/** Why nothing was ordered, and what can be done about it. */
export function Problem({ refusal, address }: ProblemProps) {
  const { t } = useTranslation('order-payment');
  const errors = useErrors(refusal);
  const problem = refusal?.problem;
  if (!problem) return null;
  const items = ORDER_FORM.flatMap(({ name }) => {
    const text = errors[name];
    return text ? [{ id: FIRST[name] ?? name, label: '', text }] : [];
  });
  const ways = [
    ...(problem === 'refused' ? [{ href: '/contact', label: t('errors.contact') }] : []),
    ...(refusal.errors['email'] === 'differs' && address
      ? [{ href: `${address}/step-8`, label: t('errors.change') }]
      : []),
  ];
  return (
    <ApplicationProblem
      title={t(`errors.${problem}.title`)}
      text={t(`errors.${problem}.text`, { wait: refusal.wait })}
      items={items}
      ways={ways}
    />
  );
}
