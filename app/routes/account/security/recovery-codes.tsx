import { useTranslation } from 'react-i18next';

import { withProof } from '~/domain/security';
import { useRootData } from '~/ui/root-data';
import { Icon } from '~/ui/icon';
import { PageHeading } from '~/ui/page-heading';
import { Change, ChangeForm, Panel, type PanelProps } from './panel';

/** How many recovery codes are left, and how to get new ones. */
export function RecoveryPanel(props: PanelProps) {
  const { t } = useTranslation('security');
  const { codesLeft, needsProofForCodes } = props.view;
  const form = (
    <ChangeForm
      {...props}
      name="recovery-codes"
      intent="recovery-codes"
      form={needsProofForCodes ? withProof([], true) : []}
      submit={t('recovery.submit')}
    />
  );
  return (
    <Panel id="recovery-codes" title={t('recovery.title')}>
      <p>{t('recovery.lead')}</p>
      {codesLeft === 0 && (
        <p className="say say-look">
          <Icon name="triangle-alert" className="size-6" />
          {t('recovery.none')}
        </p>
      )}
      {codesLeft > 0 && <p className="font-[650]">{t('recovery.left', { count: codesLeft })}</p>}
      {codesLeft > 0 ? (
        <Change {...props} name="recovery-codes" summary={t('recovery.change')}>
          <p>{t('recovery.how')}</p>
          {form}
        </Change>
      ) : (
        form
      )}
    </Panel>
  );
}

/** The new recovery codes, the only time that they are shown: to print, to save, to write down. */
export function NewCodes({ codes, view }: { codes: string[]; view: PanelProps['view'] }) {
  const { t } = useTranslation('security');
  const site = useRootData()?.site.name ?? '';
  const lines = [t('recovery.file', { site, email: view.email }), '', ...codes, ''];
  return (
    <div className="wrap pt-8 sm:pt-12">
      <PageHeading title={t('recovery.newTitle')} lead={t('recovery.newLead')} />
      <ul
        className="card mt-6 grid w-fit max-w-full gap-x-10 gap-y-2 p-4 sm:grid-cols-2 sm:p-6"
        aria-label={t('recovery.title')}
      >
        {codes.map((code) => (
          <li key={code}>
            <code className="text-lg select-all">{code}</code>
          </li>
        ))}
      </ul>
      <p className="mt-4 max-w-[44rem]">{t('recovery.keep')}</p>
      <div className="mt-6 flex flex-wrap items-center gap-3 print:hidden">
        {/* A file without another request: the codes are nowhere but on this page. */}
        <a
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(lines.join('\r\n'))}`}
          download={t('recovery.fileName')}
          className="button w-full sm:w-auto"
        >
          {t('recovery.download')}
        </a>
        <a
          // Another address than this page's: else the browser would only scroll, and the codes stay.
          href={view.returnTo || '/auth/security?codes=kept'}
          className="button button-quiet w-full sm:w-auto"
        >
          {t('recovery.done')}
        </a>
      </div>
      <p className="say say-look mt-6 w-fit print:hidden">
        <Icon name="printer" />
        {t('recovery.print')}
      </p>
    </div>
  );
}
