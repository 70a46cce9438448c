import { useTranslation } from 'react-i18next';

import { AskAnswers, Offer, QUIET } from './ask';
import type { PartProps } from './order-page';

/** When work begins, and what that means for the right of withdrawal. */
export function StartOfWork({ view, values, errors }: PartProps) {
  const { t } = useTranslation(['order-payment', 'order-consents']);
  const { packages, guaranteeDays, tooSoon } = view;
  const later = packages.find((one) => one.later)?.later;
  const chosen = values['start_choice'];
  const guarantee =
    guaranteeDays === undefined ? '' : t('start.now.guarantee', { count: guaranteeDays });
  return (
    <AskAnswers
      legend={t('start.legend')}
      hint={t('start.hint')}
      name="start_choice"
      error={errors.start_choice}
    >
      <Offer
        name="start_choice"
        value="now"
        label={t('start.now.label')}
        chosen={chosen}
        about={[
          { text: t('order-consents:start.now') },
          { className: QUIET, text: `${t('start.now.cost')} ${guarantee}` },
        ]}
      />
      {later && (
        <Offer
          name="start_choice"
          value="after_14_days"
          label={t('start.later.label')}
          chosen={chosen}
          about={[
            {
              text: (
                <>
                  {`${t('order-consents:start.after_14_days')} `}
                  <strong>{t('start.later.times', later)}</strong>
                </>
              ),
            },
            { className: QUIET, text: `${t('start.later.right')} ${t('start.later.standard')}` },
          ]}
        />
      )}
      {tooSoon && <p className="text-sm text-muted">{t('start.notOffered', { date: tooSoon })}</p>}
    </AskAnswers>
  );
}
