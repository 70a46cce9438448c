import { useTranslation } from 'react-i18next';

import { withProof } from '~/domain/security';
import { Change, ChangeForm, Panel, type PanelProps } from './panel';

/** All that is held about the account, as a file. */
export function ExportPanel() {
  const { t } = useTranslation('security');
  return (
    <Panel id="data" title={t('data.title')}>
      <p>{t('data.lead')}</p>
      <form method="post" action="/auth/security/export">
        <button type="submit" className="button button-quiet w-full sm:w-auto">
          {t('data.submit')}
        </button>
      </form>
    </Panel>
  );
}

/** The end of the account: what goes, what stays, and the password once more. */
export function DeletionPanel(props: PanelProps) {
  const { t } = useTranslation('security');
  const { auditYears, factors } = props.view;
  return (
    <Panel id="delete" title={t('delete.title')}>
      <p>{t('delete.lead')}</p>
      <Change {...props} name="delete" summary={t('delete.change')}>
        <p>{t('delete.goes')}</p>
        <p>{t('delete.stays', { count: auditYears })}</p>
        <ChangeForm
          {...props}
          name="delete"
          intent="delete"
          form={withProof([], factors.length > 0)}
          submit={t('delete.submit')}
          danger
        />
      </Change>
    </Panel>
  );
}
