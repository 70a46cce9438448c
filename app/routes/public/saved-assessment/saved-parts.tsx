import { useTranslation } from 'react-i18next';

import { Blank } from '~/ui/ticket';

const BEFORE = ['passport', 'esta', 'same', 'address'] as const;

/** What to have ready before the journey, to be ticked on paper. */
export function BeforeList() {
  const { t } = useTranslation('assessment');
  const { t: tCheck } = useTranslation('eligibility');
  return (
    <>
      <h2 className="text-base">{t('saved.beforeTitle')}</h2>
      <ul className="boxes mt-2">
        {BEFORE.map((name) => (
          <li key={name}>{t(`saved.before.${name}`)}</li>
        ))}
      </ul>
      <p className="mt-3 text-sm text-muted">{tCheck('result.note')}</p>
    </>
  );
}

/** Lines to write on, on the printed ticket. */
export function WrittenLines() {
  const { t } = useTranslation('assessment');
  return (
    <dl className="blanks blanks-wide hidden print:grid">
      <Blank size="wide" label={t('saved.write.esta')} />
      <Blank label={t('saved.write.passport')} />
      <Blank label={t('saved.write.expires')} />
    </dl>
  );
}
