import { useTranslation } from 'react-i18next';
import { Fold, Submit } from './elements';

export function ReminderForm({ address, isOn }: { address: string; isOn: boolean }) {
  const { t } = useTranslation('reminders');
  return (
    <Fold title={t('title')}>
      <p id="reminders-text">{t('text')}</p>
      <form method="post" action={`${address}/overview`} className="mt-3 pb-5">
        <label className="ask-box">
          <input
            type="checkbox"
            name="remind_me"
            value="yes"
            defaultChecked={isOn}
            aria-describedby="reminders-text"
          />
          <span>{t('box')}</span>
        </label>
        <input type="hidden" name="intent" value="remind" />
        <Submit look="button-quiet mt-3 w-full sm:w-auto" words={t('save')} />
      </form>
    </Fold>
  );
}
