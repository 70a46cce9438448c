import type { SerializeFrom } from '@remix-run/node';
import { useTranslation } from 'react-i18next';

import { OPENING_REASONS } from '~/domain/desk';
import { Icon } from '~/ui/icon';
import type { CaseHead } from './head.server';

/** Before a case that is somebody else's opens, a supervisor says why: the audit log keeps it. */
export function ReasonGate() {
  const { t } = useTranslation('desk-case');
  return (
    <section aria-labelledby="gate" className="card mt-8 max-w-[40rem] p-4 sm:p-6">
      <h2 id="gate" className="text-xl">
        {t('gate.title')}
      </h2>
      <p className="mt-2">{t('gate.text')}</p>
      <form method="get" className="mt-4 grid gap-4 sm:flex sm:items-end">
        <div className="grow">
          <label htmlFor="reason" className="font-[650]">
            {t('gate.label')}
          </label>
          <select id="reason" name="reason" required className="field mt-1">
            <option value="">{t('gate.choose')}</option>
            {OPENING_REASONS.map((reason) => (
              <option key={reason} value={reason}>
                {t(`reasons.${reason}`)}
              </option>
            ))}
          </select>
        </div>
        <button type="submit" className="button">
          {t('gate.open')}
        </button>
      </form>
    </section>
  );
}

/** Why an agent sees no more of a case. */
export function SummaryOnly({ head: { assignee } }: { head: SerializeFrom<CaseHead> }) {
  const { t } = useTranslation('desk-case');
  return (
    <p className="say say-look mt-8 max-w-[40rem]">
      <Icon name="info" />
      {assignee ? t('summary.other', { who: assignee }) : t('summary.nobody')}
    </p>
  );
}
