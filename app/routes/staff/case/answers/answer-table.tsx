import { useTranslation } from 'react-i18next';

import { Icon } from '~/ui/icon';
import type { AnswersSection } from '../answers.server';

type Step = Extract<AnswersSection, { isPurged: false }>['steps'][number];

/** The answers of a step: the question, the answer as it was given, and what will be sent of it. */
export function AnswerTable({ step, title, lines }: Step) {
  const { t } = useTranslation('desk-case');
  const id = `step-${step}`;
  return (
    <table className="case-answers" aria-labelledby={id}>
      <caption id={id}>{`${step}. ${title}`}</caption>
      <thead>
        <tr>
          <th scope="col">{t('answers.question')}</th>
          <th scope="col">{t('answers.given')}</th>
          <th scope="col">{t('answers.sent')}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <Line key={line.name} {...line} />
        ))}
      </tbody>
    </table>
  );
}

function Line({ label, text, sent, isAsked, isPrinted, notes, amend }: Step['lines'][number]) {
  const { t } = useTranslation('desk-case');
  return (
    <tr>
      <th scope="row">{label}</th>
      <td>
        <span className={text === undefined ? 'is-missing' : isPrinted ? 'machine' : undefined}>
          {text ?? t('answers.none')}
        </span>
        {amend && (
          <a href={`${amend}#amend`} className="case-change">
            {t('answers.change')}
            <span className="sr-only">{` ${label}`}</span>
          </a>
        )}
        {notes.map((note) => (
          <span key={note.title + note.text} className="case-note">
            <Icon name="triangle-alert" />
            <span>
              {note.title && <strong>{`${note.title} `}</strong>}
              {note.text}
            </span>
          </span>
        ))}
      </td>
      <td className={isAsked ? 'machine' : 'is-missing'}>
        {isAsked ? sent : t('answers.notSent')}
      </td>
    </tr>
  );
}
