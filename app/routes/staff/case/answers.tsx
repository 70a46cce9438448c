import { useTranslation } from 'react-i18next';

import { Icon } from '~/ui/icon';
import { Notice } from '~/ui/notice';
import { AmendForm } from './answers/amend-form';
import { Amended } from './answers/amended';
import { AnswerTable } from './answers/answer-table';
import type { AmendRefusal, AnswersSection } from './answers.server';

interface CaseAnswersProps {
  view: AnswersSection;
  refusal: AmendRefusal | undefined;
  /** Of the case, for the form. */
  version: number;
}

/** All answers beside what will be sent of them, the form that changes one, and what was changed. */
export function CaseAnswers({ view, refusal, version }: CaseAnswersProps) {
  const { t } = useTranslation('desk-case');
  if (!view) return null;
  if (view.isPurged) {
    return (
      <p className="say say-look w-fit">
        <Icon name="info" />
        {t('answers.purged')}
      </p>
    );
  }
  const form = refusal?.amend ?? view.amend;
  return (
    <>
      {form && <AmendForm view={form} refusal={refusal?.amend && refusal} version={version} />}
      <section aria-labelledby="answers">
        <h2 id="answers" className="text-2xl">
          {t('answers.title')}
        </h2>
        <p className="mt-1 text-sm text-muted">{t('answers.lead')}</p>
        <Incomplete view={view} />
        {view.warned > 0 && (
          <p className="say say-look mt-4 w-fit">
            <Icon name="triangle-alert" />
            {t('answers.warned', { count: view.warned })}
          </p>
        )}
        {view.notes.map(({ title, text }) => (
          <p key={title + text} className="say say-look mt-2 w-fit">
            <Icon name="triangle-alert" />
            <span>
              {title && <strong>{`${title} `}</strong>}
              {text}
            </span>
          </p>
        ))}
        {view.steps.map((step) => (
          <AnswerTable key={step.step} {...step} />
        ))}
      </section>
      <Amended views={view.amended} />
    </>
  );
}

/** What is missing or not valid any more today, such as after an answer was changed. */
function Incomplete({ view }: { view: Extract<AnswersSection, { isPurged: false }> }) {
  const { t } = useTranslation('desk-case');
  if (view.open.length === 0 && !view.hasNoChip) return null;
  return (
    <Notice kind="bad" id="incomplete" title={t('answers.incomplete')} className="mt-4">
      {view.hasNoChip && <p>{t('answers.noChip')}</p>}
      <ul className="list-disc pl-5">
        {view.open.flatMap(({ problems }) =>
          problems.map(({ id, label, text }) => (
            <li key={id + label}>
              <strong>{label}</strong> {text}
            </li>
          )),
        )}
      </ul>
    </Notice>
  );
}
