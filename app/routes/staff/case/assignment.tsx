import type { SerializeFrom } from '@remix-run/node';
import { useSearchParams } from '@remix-run/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { assignmentSection } from '~/desk/assign.server';
import { ASSIGNMENT_INTENTS, type AssignmentIntent, HOLD_REASONS } from '~/domain/desk';
import type { Refusal } from '~/http/form.server';
import { Fold, Submit } from '~/ui/elements';
import { Done } from '~/ui/plain-elements';
import { Box } from '~/ui/choice-fields';
import { DeskFacts } from '~/ui/desk-list';
import { ErrorSummary } from '~/ui/error-summary';
import { SelectField } from '~/ui/form-fields';
import { PostForm } from '~/ui/post-form';

type AssignmentView = SerializeFrom<Awaited<ReturnType<typeof assignmentSection>>>;

const intentAmong = (word: string | null | undefined) =>
  ASSIGNMENT_INTENTS.find((one) => one === word);

interface FormProps {
  view: AssignmentView;
  /** Of the case, where its forms are sent to. */
  address: string;
  refusal?: Refusal | undefined;
}

export function Assignment({ refusal: any, ...props }: FormProps) {
  const { t } = useTranslation('desk-assignment');
  const [asked] = useSearchParams();
  const refusal = intentAmong(any?.values['intent']) ? any : undefined;
  const done = any ? undefined : intentAmong(asked.get('done'));
  const { can, starts, isMine } = props.view;
  const [field] = Object.keys(refusal?.errors ?? {}) as FieldName[];
  return (
    <section aria-labelledby="assignment" className="card mt-6 p-4 sm:p-6">
      {refusal?.problem && (
        <ErrorSummary
          title={t('problems.title')}
          description={t(`problems.${field ?? (refusal.problem as 'changed')}`)}
          words={{ problem: (name) => t(`fields.${name as FieldName}`) }}
          {...{ refusal }}
        />
      )}
      {done && <Done className="mb-4">{t(`done.${done}`)}</Done>}
      <h2 id="assignment" className="text-xl">
        {t('title')}
      </h2>
      <Facts view={props.view} />
      {starts && <p className="mt-3">{t('startsOn', { date: starts })}</p>}
      <div className="mt-4 flex flex-wrap gap-3">
        {can.take && <Press {...props} intent="take" words={t(isMine ? 'begin' : 'take')} />}
        {can.release && <Press {...props} intent="release" words={t('release')} isQuiet />}
      </div>
      <Changes {...props} refusal={refusal} />
    </section>
  );
}

type FieldName = 'person' | 'hold_reason' | 'confirm';

function Facts({ view }: { view: AssignmentView }) {
  const { t } = useTranslation('desk-assignment');
  const { due, isOverdue, isPaused, payBy, travel, who, isMine, holdReason, isHeld } = view;
  const holder = isMine ? t('you', { name: who }) : who || t('gone');
  const facts = {
    who: who === undefined ? t('nobody') : holder,
    due: due && (
      <>
        {isOverdue ? <span className="text-bad">{t('overdue', { date: due })}</span> : due}
        {isPaused && <span className="block text-sm font-normal">{t('paused')}</span>}
      </>
    ),
    package: view.package,
    travel: travel ?? t('unknown'),
    payBy,
    hold: isHeld && (holdReason ? t(`holdReasons.${holdReason}`) : t('held')),
  };
  return (
    <DeskFacts
      {...{ facts }}
      labelOf={(name) => t(`facts.${name}`)}
      isStrong
      className="mt-3 grid gap-x-8 gap-y-2 sm:grid-cols-2 lg:grid-cols-4"
    />
  );
}

interface OneFormProps extends FormProps {
  intent: AssignmentIntent;
  words: string;
  isQuiet?: boolean;
  children?: ReactNode;
}

function Press(props: OneFormProps) {
  const { view, address, refusal, intent, words, isQuiet = false, children } = props;
  const { t } = useTranslation('desk-assignment');
  return (
    <PostForm
      id={`form-${intent}`}
      action={address}
      hidden={{ version: view.version }}
      problem={(name) => t(`problems.${name as FieldName}`)}
      {...{ intent, refusal }}
    >
      {children && <div className="mb-3 max-w-[24rem]">{children}</div>}
      <Submit look={isQuiet ? 'button-quiet' : ''} words={words} />
    </PostForm>
  );
}

function Changes(props: FormProps) {
  const { t } = useTranslation('desk-assignment');
  const { can, staff } = props.view;
  const unchosen = ['', t('choose')] as const;
  const people = staff.map(({ id, name }) => [id, name] as const);
  const reasons = HOLD_REASONS.map((one) => [one, t(`holdReasons.${one}`)] as const);
  const fields = {
    assign: <SelectField {...selectOf('person')} options={[unchosen, ...people]} />,
    hold: <SelectField {...selectOf('hold_reason')} options={[unchosen, ...reasons]} />,
    unhold: undefined,
    cancel: (
      <Box name="confirm" isRequired className="font-[650]">
        {t('fields.confirm')}
      </Box>
    ),
  };
  function selectOf(name: 'person' | 'hold_reason') {
    return { name, label: t(`fields.${name}`), required: true };
  }
  return (
    <div className="mt-4 empty:hidden">
      {(['assign', 'hold', 'unhold', 'cancel'] as const).map(
        (intent) =>
          can[intent] && (
            // Folded, but for what was just refused.
            <Fold
              key={intent}
              open={props.refusal?.values['intent'] === intent}
              title={t(`${intent}.title`)}
            >
              <div className="pb-4">
                {intent !== 'assign' && <p className="mb-3 max-w-[44rem]">{t(`${intent}.text`)}</p>}
                <Press {...props} {...{ intent }} words={t(`${intent}.button`)} isQuiet>
                  {fields[intent]}
                </Press>
              </div>
            </Fold>
          ),
      )}
    </div>
  );
}
