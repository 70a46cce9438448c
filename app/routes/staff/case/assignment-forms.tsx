import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { Refusal } from '~/http/refusal';
import { Field } from '~/ui/field';
import { Icon } from '~/ui/icon';
import type { AssignmentView } from './assignment';
import type { AssignmentIntent } from './assignment.server';

interface FormProps {
  view: AssignmentView;
  refusal: Refusal | undefined;
}

interface OneFormProps {
  view: AssignmentView;
  intent: AssignmentIntent;
  words: string;
  isQuiet?: boolean;
  children?: ReactNode;
}

/** A form of one button. */
export function Press({ view, intent, words, isQuiet = false, children }: OneFormProps) {
  const { id, version, reason } = view;
  return (
    <form
      method="post"
      action={`/crm/processing/${id}${reason ? `?reason=${reason}` : ''}`}
      noValidate
    >
      <input type="hidden" name="version" value={version} />
      {children}
      <input type="hidden" name="intent" value={intent} />
      <button type="submit" className={`button ${isQuiet ? 'button-quiet' : ''}`}>
        {words}
      </button>
    </form>
  );
}

/** Folded, but for what was just refused. */
function Fold({
  title,
  isOpen,
  children,
}: {
  title: string;
  isOpen: boolean;
  children: ReactNode;
}) {
  return (
    <details className="fold" open={isOpen}>
      <summary>
        {title}
        <Icon name="chevron-down" />
      </summary>
      <div className="pb-4">{children}</div>
    </details>
  );
}

const isOf = (refusal: Refusal | undefined, intent: AssignmentIntent) =>
  refusal?.values['intent'] === intent;

/** Gives the case to somebody else. */
export function AssignForm({ view, refusal }: FormProps) {
  const { t } = useTranslation('desk-assignment');
  const error = refusal?.errors['person'] && t('problems.person');
  return (
    <Fold title={t('assign.title')} isOpen={isOf(refusal, 'assign')}>
      <Press view={view} intent="assign" words={t('assign.button')} isQuiet>
        <div className="mb-3 max-w-[24rem]">
          <Field id="person" label={t('fields.person')} error={error}>
            {(control) => (
              <select
                {...control}
                name="person"
                defaultValue={refusal?.values['person'] ?? ''}
                required
                className="field"
              >
                <option value="">{t('choose')}</option>
                {view.staff.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </div>
      </Press>
    </Fold>
  );
}

/** Keeps the case beyond its time, or no longer. */
export function HoldForm({ view, refusal }: FormProps) {
  const { t } = useTranslation('desk-assignment');
  const error = refusal?.errors['hold_reason'] && t('problems.hold_reason');
  if (view.can.unhold) {
    return (
      <Fold title={t('unhold.title')} isOpen={isOf(refusal, 'unhold')}>
        <p className="mb-3 max-w-[44rem]">{t('unhold.text')}</p>
        <Press view={view} intent="unhold" words={t('unhold.button')} isQuiet />
      </Fold>
    );
  }
  return (
    <Fold title={t('hold.title')} isOpen={isOf(refusal, 'hold')}>
      <p className="mb-3 max-w-[44rem]">{t('hold.text')}</p>
      <Press view={view} intent="hold" words={t('hold.button')} isQuiet>
        <div className="mb-3 max-w-[24rem]">
          <Field id="hold_reason" label={t('fields.hold_reason')} error={error}>
            {(control) => (
              <select
                {...control}
                name="hold_reason"
                defaultValue={refusal?.values['hold_reason'] ?? ''}
                required
                className="field"
              >
                <option value="">{t('choose')}</option>
                {view.holdReasons.map((reason) => (
                  <option key={reason} value={reason}>
                    {t(`holdReasons.${reason}`)}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </div>
      </Press>
    </Fold>
  );
}

/** Ends the case before anything was filed; the price is to go back. */
export function CancelForm({ view, refusal }: FormProps) {
  const { t } = useTranslation('desk-assignment');
  const error = refusal?.errors['confirm'] && t('problems.confirm');
  return (
    <Fold title={t('cancel.title')} isOpen={isOf(refusal, 'cancel')}>
      <p className="mb-3 max-w-[44rem]">{t('cancel.text')}</p>
      <Press view={view} intent="cancel" words={t('cancel.button')} isQuiet>
        <div className="mb-3">
          {error && (
            <p id="confirm-error" className="flex gap-2 text-sm font-semibold text-bad">
              <Icon name="circle-alert" className="mt-0.5 size-5" />
              {error}
            </p>
          )}
          <label className="flex min-h-11 items-center gap-3 font-[650]">
            <input
              type="checkbox"
              id="confirm"
              name="confirm"
              value="yes"
              required
              aria-invalid={error ? true : undefined}
              aria-describedby={error && 'confirm-error'}
              className="size-6 accent-action"
            />
            {t('fields.confirm')}
          </label>
        </div>
      </Press>
    </Fold>
  );
}
