import type { SerializeFrom } from '@remix-run/node';
import { useSearchParams } from '@remix-run/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { Refusal } from '~/http/refusal';
import { ErrorSummary } from '~/ui/error-summary';
import { Icon } from '~/ui/icon';
import type { AssignmentIntent, assignmentSection } from './assignment.server';
import { AssignForm, CancelForm, HoldForm, Press } from './assignment-forms';

/** As it comes to the page. */
export type AssignmentView = SerializeFrom<Awaited<ReturnType<typeof assignmentSection>>>;

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
      {done && (
        <p role="status" className="say say-good mb-4 w-fit">
          <Icon name="circle-check" />
          {t(`done.${done}`)}
        </p>
      )}
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
      <Fact label={t('facts.who')}>
        {who === undefined ? t('nobody') : isMine ? t('you', { name: who }) : who || t('gone')}
      </Fact>
      {due && (
        <Fact label={t('facts.due')}>
          {isOverdue ? <span className="text-bad">{t('overdue', { date: due })}</span> : due}
          {isPaused && <span className="block text-sm font-normal">{t('paused')}</span>}
        </Fact>
      )}
      {view.package && <Fact label={t('facts.package')}>{view.package}</Fact>}
      <Fact label={t('facts.travel')}>{travel ?? t('unknown')}</Fact>
      {payBy && <Fact label={t('facts.payBy')}>{payBy}</Fact>}
      {isHeld && (
        <Fact label={t('facts.hold')}>
          {holdReason ? t(`holdReasons.${holdReason}`) : t('held')}
        </Fact>
      )}
    </dl>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="font-[650] wrap-anywhere">{children}</dd>
    </div>
  );
}
