import type { SerializeFrom } from '@remix-run/node';
import { useSearchParams } from '@remix-run/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { AssignmentIntent } from '~/desk/assign.server';
import type { Refusal } from '~/http/refusal';
import { DeskFact } from '~/ui/desk-list';
import { ErrorSummary } from '~/ui/error-summary';
import { ErrorText, Field } from '~/ui/field';
import { Icon } from '~/ui/icon';
import { Done } from '~/ui/notice';
import type { assignmentSection } from './assignment.server';

/** As it comes to the page. */
type AssignmentView = SerializeFrom<Awaited<ReturnType<typeof assignmentSection>>>;

const INTENTS: readonly AssignmentIntent[] = [
  'take',
  'release',
  'assign',
  'hold',
  'unhold',
  'cancel',
];
const intentAmong = (word: string | null | undefined) => INTENTS.find((one) => one === word);

/** Who has the case, by when it is due, and the forms that change that. */
export function Assignment({
  view,
  refusal: any,
}: {
  view: AssignmentView;
  refusal: Refusal | undefined;
}) {
  const { t } = useTranslation('desk-assignment');
  const [asked] = useSearchParams();
  const refusal = intentAmong(any?.values['intent']) ? any : undefined;
  const done = any ? undefined : intentAmong(asked.get('done'));
  const { can } = view;
  return (
    <section aria-labelledby="assignment" className="card mt-6 p-4 sm:p-6">
      {refusal?.problem && <Problem refusal={refusal} />}
      {done && <Done className="mb-4">{t(`done.${done}`)}</Done>}
      <h2 id="assignment" className="text-xl">
        {t('title')}
      </h2>
      <Facts view={view} />
      {view.starts && <p className="mt-3">{t('startsOn', { date: view.starts })}</p>}
      <div className="mt-4 flex flex-wrap gap-3">
        {can.take && (
          <Press view={view} intent="take" words={view.isMine ? t('begin') : t('take')} />
        )}
        {can.release && <Press view={view} intent="release" words={t('release')} isQuiet />}
      </div>
      {(can.assign || can.hold || can.unhold || can.cancel) && (
        <div className="mt-4">
          {can.assign && <AssignForm view={view} refusal={refusal} />}
          {(can.hold || can.unhold) && <HoldForm view={view} refusal={refusal} />}
          {can.cancel && <CancelForm view={view} refusal={refusal} />}
        </div>
      )}
    </section>
  );
}

function Problem({ refusal }: { refusal: Refusal }) {
  const { t } = useTranslation('desk-assignment');
  const problem = refusal.problem as 'invalid' | 'changed' | 'taken' | 'started' | 'state';
  const [field] = Object.keys(refusal.errors) as ('person' | 'hold_reason' | 'confirm')[];
  return (
    <ErrorSummary
      title={t('problems.title')}
      description={field ? t(`problems.${field}`) : t(`problems.${problem}`)}
      items={field ? [{ fieldId: field, number: 1, text: t(`fields.${field}`) }] : []}
      trigger={refusal}
    />
  );
}

function Facts({ view }: { view: AssignmentView }) {
  const { t } = useTranslation('desk-assignment');
  const { due, isOverdue, isPaused, payBy, travel, who, isMine, holdReason, isHeld } = view;
  return (
    <dl className="mt-3 grid gap-x-8 gap-y-2 sm:grid-cols-2 lg:grid-cols-4">
      <DeskFact isStrong label={t('facts.who')}>
        {who === undefined ? t('nobody') : isMine ? t('you', { name: who }) : who || t('gone')}
      </DeskFact>
      {due && (
        <DeskFact isStrong label={t('facts.due')}>
          {isOverdue ? <span className="text-bad">{t('overdue', { date: due })}</span> : due}
          {isPaused && <span className="block text-sm font-normal">{t('paused')}</span>}
        </DeskFact>
      )}
      {view.package && (
        <DeskFact isStrong label={t('facts.package')}>
          {view.package}
        </DeskFact>
      )}
      <DeskFact isStrong label={t('facts.travel')}>
        {travel ?? t('unknown')}
      </DeskFact>
      {payBy && (
        <DeskFact isStrong label={t('facts.payBy')}>
          {payBy}
        </DeskFact>
      )}
      {isHeld && (
        <DeskFact isStrong label={t('facts.hold')}>
          {holdReason ? t(`holdReasons.${holdReason}`) : t('held')}
        </DeskFact>
      )}
    </dl>
  );
}

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
function Press({ view, intent, words, isQuiet = false, children }: OneFormProps) {
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
function AssignForm({ view, refusal }: FormProps) {
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
function HoldForm({ view, refusal }: FormProps) {
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
function CancelForm({ view, refusal }: FormProps) {
  const { t } = useTranslation('desk-assignment');
  const error = refusal?.errors['confirm'] && t('problems.confirm');
  return (
    <Fold title={t('cancel.title')} isOpen={isOf(refusal, 'cancel')}>
      <p className="mb-3 max-w-[44rem]">{t('cancel.text')}</p>
      <Press view={view} intent="cancel" words={t('cancel.button')} isQuiet>
        <div className="mb-3">
          {error && <ErrorText id="confirm-error">{error}</ErrorText>}
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
