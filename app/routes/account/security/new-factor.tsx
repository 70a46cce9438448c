import { useTranslation } from 'react-i18next';

import { CONFIRM_FORM } from '~/domain/security';
import { ChangeForm, Panel, type PanelProps } from './panel';
import { OwnForm } from './own-form';

type Factor = NonNullable<PanelProps['view']['newFactor']>;

/** A second factor that is being added: what to do with it, and the field for its first code. */
export function NewFactor({ factor, ...props }: PanelProps & { factor: Factor }) {
  const { t } = useTranslation('security');
  return (
    <Panel id="new-factor" title={t('newFactor.title', { name: factor.name })}>
      {factor.setup ? <Setup {...factor.setup} /> : <Phone factor={factor} />}
      <ChangeForm
        {...props}
        name="confirm-factor"
        intent="confirm-factor"
        form={CONFIRM_FORM}
        hidden={{ factor: factor.id }}
        submit={t('newFactor.submit')}
      />
      <p>
        <a href="/auth/security#factors" className="inline-flex min-h-11 items-center">
          {t('newFactor.cancel')}
        </a>
      </p>
    </Panel>
  );
}

/** The secret three ways: to scan, to open on this telephone, to type. */
function Setup({ qrCode, uri, secret }: NonNullable<Factor['setup']>) {
  const { t } = useTranslation('security');
  return (
    <ol className="grid list-decimal gap-4 pl-5">
      <li>
        <p>{t('newFactor.scan')}</p>
        <div
          role="img"
          aria-label={t('newFactor.qrCode')}
          className="mt-2 w-full max-w-56 overflow-hidden rounded-field border border-rule"
          // Made here of the address below; attributes only, as the policy has no inline styles.
          dangerouslySetInnerHTML={{ __html: qrCode }}
        />
        <p className="mt-2">
          <a href={uri} className="inline-flex min-h-11 items-center">
            {t('newFactor.open')}
          </a>
        </p>
      </li>
      <li>
        <p>{t('newFactor.type')}</p>
        <p className="mt-1">
          {/* One press selects all of it, spaces too, which authenticators take. */}
          <code className="block w-fit max-w-full rounded-field bg-sea px-3 py-2 text-lg break-words select-all">
            {secret}
          </code>
        </p>
      </li>
      <li>{t('newFactor.confirm')}</li>
    </ol>
  );
}

function Phone({ factor }: { factor: Factor }) {
  const { t } = useTranslation('security');
  return (
    <>
      <p>{t('newFactor.sent', { phone: factor.phone })}</p>
      <OwnForm>
        <input type="hidden" name="intent" value="send-code" />
        <input type="hidden" name="factor" value={factor.id} />
        <button type="submit" className="text-button min-h-11">
          {t('newFactor.again')}
        </button>
      </OwnForm>
    </>
  );
}
