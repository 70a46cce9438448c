import { useTranslation } from 'react-i18next';

import { Icon } from '~/ui/icon';
import type { ComparedView, LinesView } from './view.server';

/** What was typed, what was declared, and how a passport would print that: character by character. */
export function Compare({ compared }: { compared: NonNullable<LinesView['compared']> }) {
  const { t } = useTranslation('desk-work');
  const { rows, isSame } = compared;
  return (
    <section id="compared" aria-labelledby="compare" className="mt-8">
      <p role="status" className={`say w-fit ${isSame ? 'say-good' : 'say-bad'}`}>
        <Icon name={isSame ? 'circle-check' : 'circle-alert'} />
        {t(isSame ? 'lines.same' : 'lines.differs')}
      </p>
      <h2 id="compare" className="mt-6 text-xl">
        {t('lines.compareTitle')}
      </h2>
      <ul className="mt-3 border-t border-edge">
        {rows.map((row) => (
          <Row key={row.answer} row={row} />
        ))}
      </ul>
    </section>
  );
}

function Row({ row }: { row: ComparedView }) {
  const { t } = useTranslation('desk-work');
  const { label, declared, printed, computed, is, text } = row;
  return (
    <li className="border-b border-edge py-3" data-answer={row.answer} data-is={is}>
      <h3 className="flex flex-wrap items-center gap-x-3 text-base">
        {label}
        <span
          className={`text-sm ${is === 'differs' ? 'font-bold text-bad' : 'font-normal text-muted'}`}
        >
          {t(`lines.is.${is}`)}
        </span>
      </h3>
      <dl className="mt-1 grid gap-x-6 gap-y-1 text-sm md:grid-cols-3">
        <div>
          <dt className="text-muted">{t('lines.printed')}</dt>
          <dd>
            <Signs text={printed} other={computed} />
          </dd>
        </div>
        <div>
          <dt className="text-muted">{t('lines.computed')}</dt>
          <dd>
            <Signs text={computed} other={printed} />
          </dd>
        </div>
        <div>
          <dt className="text-muted">{t('lines.declared')}</dt>
          <dd className="wrap-anywhere">{declared || t('lines.nothing')}</dd>
        </div>
      </dl>
      {text && <p className="mt-1 text-sm text-bad">{text}</p>}
    </li>
  );
}

/** A text in cells of one width; what is not the same in the other one is marked. */
function Signs({ text, other }: { text: string; other: string }) {
  const { t } = useTranslation('desk-work');
  if (text === '') return <span>{t('lines.nothing')}</span>;
  return (
    <span role="img" aria-label={text} className="machine inline-flex flex-wrap">
      {[...text].map((sign, index) => (
        <span
          key={index}
          aria-hidden
          className={
            sign === other[index]
              ? 'inline-block w-[1.15em] text-center'
              : 'inline-block w-[1.15em] bg-bad-soft text-center font-bold text-bad underline'
          }
        >
          {sign === ' ' ? '·' : sign}
        </span>
      ))}
    </span>
  );
}
