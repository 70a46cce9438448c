import { useTranslation } from 'react-i18next';
import { Part, Submit } from './elements';

interface ReminderFormProps {
  address: string;
  /** Whether its owner has ticked it. */
  isOn: boolean;
}

export function ReminderForm({ address, isOn }: ReminderFormProps) {
  const { t } = useTranslation('reminders');
  return (
    <Part id="reminders" title={t('title')} className="card mt-8 max-w-[44rem] p-4 sm:p-6">
      <p id="reminders-text" className="mt-1">
        {t('text')}
      </p>
      <form method="post" action={`${address}/overview`} className="mt-3">
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
    </Part>
  );
}
