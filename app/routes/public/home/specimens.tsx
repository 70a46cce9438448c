import { useTranslation } from 'react-i18next';

import { Cells } from '~/ui/cells';

/** Sample data of nobody; the band's check digits are right. */
const PAGE = [
  ['number', ['19FV', '0', '4512']],
  ['surname', ['LEF', 'È', 'VRE']],
  ['names', ['CHLOÉ HÉLÈNE']],
  ['birth', ['', '03.11', '.1990']],
] as const;
const BAND = [
  ['P<FRA', 'LEFEVRE', `<<CHLOE<HELENE${'<'.repeat(17)}`],
  ['19FV', '0', '45120FRA', '901103', `4F3105227${'<'.repeat(15)}2`],
] as const;

/** What was typed, and what counts; `at` are the characters to look at. */
const CASES = [
  { name: 'zero', against: 'passport', typed: '19FVO4512', right: '19FV04512', at: [4] },
  { name: 'accent', against: 'sent', typed: 'LEFÈVRE', right: 'LEFEVRE', at: [3] },
  // The official form takes a date in three parts, the month in English.
  {
    name: 'date',
    against: 'sent',
    typed: '03/11/90',
    right: ['03', 'NOVEMBER', '1990'],
    at: [0, 1, 3, 4],
  },
] as const;

/** A page of an imaginary passport, and three mistakes that a reviewer finds in it. */
export function Specimens() {
  const { t } = useTranslation('home');
  return (
    <>
      <figure className="passport">
        <figcaption className="sr-only">{t('work.caption')}</figcaption>
        <dl className="passport-page">
          {PAGE.map(([name, [before, marked, after]], index) => (
            <div key={name}>
              <dt>{t(`work.${name}`)}</dt>
              <dd>
                {before}
                {marked && <b>{marked}</b>}
                {after}
                {marked && <sup className="pin ml-2">{index === 3 ? 3 : index + 1}</sup>}
              </dd>
            </div>
          ))}
        </dl>
        <p className="passport-band" aria-hidden="true">
          {BAND.map((line) => (
            <span key={line[0]} className="block">
              {line.map((part, index) => (index % 2 ? <b key={index}>{part}</b> : part))}
            </span>
          ))}
        </p>
      </figure>
      <ol className="mt-4 grid gap-x-8 gap-y-3 sm:mt-6 sm:grid-cols-3">
        {CASES.map(({ name, against, typed, right, at }, index) => (
          <li key={name}>
            {/* On a phone, the marks above show where. */}
            <div className="max-sm:hidden">
              <Cells label={t('work.typed')} text={typed} marked={at} tone="is-wrong" />
              {typeof right === 'string' ? (
                <Cells label={t(`work.${against}`)} text={right} marked={at} tone="is-right" />
              ) : (
                <Cells label={t(`work.${against}`)} text={right} marked={[0, 1]} tone="is-right" />
              )}
            </div>
            <h3 className="text-base sm:mt-3 sm:text-lg">
              <span className="pin mr-2">{index + 1}</span>
              {t(`work.${name}.title`)}
            </h3>
            <p className="mt-1 hidden text-sm sm:block">{t(`work.${name}.text`)}</p>
          </li>
        ))}
      </ol>
    </>
  );
}
