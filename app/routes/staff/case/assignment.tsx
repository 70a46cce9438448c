import type { SerializeFrom } from '@remix-run/node';
import { useSearchParams } from '@remix-run/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { AssignmentIntent } from '~/desk/assign.server';
import type { Refusal } from '~/http/refusal';
import { DeskFact } from '~/ui/desk-list';
import { ErrorSummary } from '~/ui/error-summary';
import { Box } from '~/ui/choice-fields';
import { SelectField } from '~/ui/form-fields';
import { PostForm } from '~/ui/post-form';
import { Icon } from '~/ui/icon';
import { Done } from '~/ui/notice';
import type { assignmentSection } from '~/desk/case/assignment.server';

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
      <Changes view={view} refusal={refusal} />
    </section>
  );
}

function Problem({ refusal }: { refusal: Refusal }) {
  const { t } = useTranslation('desk-assignment');
  const problem = refusal.problem as 'invalid' | 'changed' | 'taken' | 'started' | 'state';
  const [field] = Object.keys(refusal.errors) as FieldName[];
  return (
    <ErrorSummary
      title={t('problems.title')}
      description={t(`problems.${field ?? problem}`)}
      words={{ problem: (name) => t(`fields.${name as FieldName}`) }}
      {...{ refusal }}
    />
  );
}

type FieldName = 'person' | 'hold_reason' | 'confirm';

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
  refusal?: Refusal | undefined;
}

interface OneFormProps extends FormProps {
  intent: AssignmentIntent;
  words: string;
  isQuiet?: boolean;
  children?: ReactNode;
}

function Press({ view, refusal, intent, words, isQuiet = false, children }: OneFormProps) {
  const { t } = useTranslation('desk-assignment');
  const { id, version, reason } = view;
  return (
    <PostForm
      id={`form-${intent}`}
      action={`/crm/processing/${id}${reason ? `?reason=${reason}` : ''}`}
      hidden={{ version }}
      problem={(name) => t(`problems.${name as FieldName}`)}
      {...{ intent, refusal }}
    >
      {children && <div className="mb-3 max-w-[24rem]">{children}</div>}
      <button type="submit" className={`button ${isQuiet ? 'button-quiet' : ''}`}>
        {words}
      </button>
    </PostForm>
  );
}

/** A form that is folded, but for what was just refused. */
function Folded({
  intent,
  view,
  refusal,
  children,
}: FormProps & { intent: Folding; children?: ReactNode }) {
  const { t } = useTranslation('desk-assignment');
  return (
    <details className="fold" open={refusal?.values['intent'] === intent}>
      <summary>
        {t(`${intent}.title`)}
        <Icon name="chevron-down" />
      </summary>
      <div className="pb-4">
        {intent !== 'assign' && <p className="mb-3 max-w-[44rem]">{t(`${intent}.text`)}</p>}
        <Press {...{ view, refusal, intent }} words={t(`${intent}.button`)} isQuiet>
          {children}
        </Press>
      </div>
    </details>
  );
}

type Folding = 'assign' | 'hold' | 'unhold' | 'cancel';

/** Who gets the case, whether it is kept beyond its time, and its end before anything was filed. */
function Changes({ view, refusal }: FormProps) {
  const { t } = useTranslation('desk-assignment');
  const { can, staff, holdReasons } = view;
  const people = staff.map(({ id, name }) => [id, name] as const);
  const reasons = holdReasons.map((one) => [one, t(`holdReasons.${one}`)] as const);
  const unchosen = ['', t('choose')] as const;
  return (
    <div className="mt-4 empty:hidden">
      {can.assign && (
        <Folded intent="assign" {...{ view, refusal }}>
          <SelectField
            name="person"
            label={t('fields.person')}
            options={[unchosen, ...people]}
            required
          />
        </Folded>
      )}
      {can.hold && (
        <Folded intent="hold" {...{ view, refusal }}>
          <SelectField
            name="hold_reason"
            label={t('fields.hold_reason')}
            options={[unchosen, ...reasons]}
            required
          />
        </Folded>
      )}
      {can.unhold && <Folded intent="unhold" {...{ view, refusal }} />}
      {can.cancel && (
        <Folded intent="cancel" {...{ view, refusal }}>
          <Box name="confirm" isRequired className="font-[650]">
            {t('fields.confirm')}
          </Box>
        </Folded>
      )}
    </div>
  );
}
