import { useTranslation } from 'react-i18next';
import { CONFIRM_FORM, PHONE_FORM, TOTP_FORM, withReauth } from '~/domain/security';
import { Hidden, ButtonLink, Icon, LinkLine, PageHeading, Say, Submit } from '~/ui/elements';
import { useOwnAddress, useRootData } from '~/ui/root-data';
import type { SecurityView } from '~/accounts/security/view.server';
import { Change, Panel, useSecurity } from './panels';

export function FactorsPanel() {
  const { t } = useTranslation('security');
  const own = useOwnAddress();
  const { factors, canAddPhone, mustAddFactor } = useSecurity().view;
  return (
    <Panel id="factors" title={t('factors.title')}>
      {factors.length > 0 && (
        <p>
          {t('factors.lead')} {t('factors.replace')}
        </p>
      )}
      {factors.length === 0 && !mustAddFactor && <p>{t('factors.none')}</p>}
      {factors.length > 0 && (
        <ul className="grid gap-3">
          {factors.map((factor) => (
            <li key={factor.id} className="border-t border-rule pt-3">
              <FactorItem factor={factor} />
            </li>
          ))}
        </ul>
      )}
      <div className="grid gap-2 border-t border-rule pt-1">
        <AddFactor type="totp" />
        {canAddPhone && <AddFactor type="phone" />}
      </div>
      {factors
        .filter(({ type }) => type === 'phone')
        .map(({ id }) => (
          // The buttons of this form stand in those that ask for a code.
          <form key={id} method="post" action={own} id={`send-${id}`} hidden>
            <Hidden intent="send-code" factor={id} />
          </form>
        ))}
    </Panel>
  );
}

type Factor = SecurityView['factors'][number];
type NewFactor = NonNullable<SecurityView['newFactor']>;

function FactorItem({ factor }: { factor: Factor }) {
  const { t } = useTranslation('security');
  const { id, name, type, phone, since } = factor;
  return (
    <>
      <p className="flex gap-2 font-[650] wrap-anywhere">
        <Icon name="circle-check" className="mt-0.5 size-5 text-good" />
        {name}
      </p>
      <p className="text-sm text-muted">
        {t(`factors.kinds.${type}`, { phone })}
        {' · '}
        {t('factors.since', { date: since })}
      </p>
      <Change
        intent="remove-factor"
        about={id}
        form={withReauth([], true)}
        hidden={{ factor: id }}
        summary={t('factors.remove', { name })}
        submit={t('factors.removeSubmit')}
        danger
      >
        <p>{t('factors.removeHow')}</p>
      </Change>
    </>
  );
}

function AddFactor({ type }: { type: Factor['type'] }) {
  const { t } = useTranslation('security');
  const { factors, needsProofToAdd } = useSecurity().view;
  const asked = type === 'phone' ? PHONE_FORM : TOTP_FORM;
  return (
    <Change
      intent="add-factor"
      about={type}
      form={needsProofToAdd ? withReauth(asked, factors.length > 0) : asked}
      hidden={{ factor_type: type }}
      values={{ friendly_name: freeName(t(`factors.add.${type}.name`), factors) }}
      summary={t(`factors.add.${type}.summary`)}
      submit={t('factors.add.submit')}
    >
      <p>{t(`factors.add.${type}.how`)}</p>
    </Change>
  );
}

/** A name that no factor has yet: `Phone`, then `Phone 2`. */
function freeName(name: string, factors: Factor[]): string {
  const taken = new Set(factors.map((factor) => factor.name));
  const numbers = factors.map((_, index) => `${name} ${index + 2}`);
  return [name, ...numbers].find((one) => !taken.has(one)) ?? name;
}

export function NewFactor({ factor }: { factor: NewFactor }) {
  const { t } = useTranslation('security');
  return (
    <Panel id="new-factor" title={t('newFactor.title', { name: factor.name })}>
      {factor.setup ? <Setup {...factor.setup} /> : <Phone factor={factor} />}
      <Change
        intent="confirm-factor"
        form={CONFIRM_FORM}
        hidden={{ factor: factor.id }}
        submit={t('newFactor.submit')}
      />
      <LinkLine href="/auth/security#factors" words={t('newFactor.cancel')} />
    </Panel>
  );
}

function Setup({ qrCode, uri, secret }: NonNullable<NewFactor['setup']>) {
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
        <LinkLine className="mt-2" href={uri} words={t('newFactor.open')} />
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

function Phone({ factor }: { factor: NewFactor }) {
  const { t } = useTranslation('security');
  return (
    <>
      <p>{t('newFactor.sent', { phone: factor.phone })}</p>
      <form method="post" action={useOwnAddress()}>
        <Hidden intent="send-code" factor={factor.id} />
        <Submit className="text-button min-h-11" words={t('newFactor.again')} />
      </form>
    </>
  );
}

export function RecoveryPanel() {
  const { t } = useTranslation('security');
  const { codesLeft, needsProofForCodes } = useSecurity().view;
  return (
    <Panel id="recovery-codes" title={t('recovery.title')}>
      <p>{t('recovery.lead')}</p>
      {codesLeft === 0 && (
        <Say icon="triangle-alert" size="size-6" className="say-look" words={t('recovery.none')} />
      )}
      {codesLeft > 0 && <p className="font-[650]">{t('recovery.left', { count: codesLeft })}</p>}
      <Change
        intent="recovery-codes"
        form={needsProofForCodes ? withReauth([], true) : []}
        submit={t('recovery.submit')}
        {...(codesLeft > 0 && { summary: t('recovery.change') })}
      >
        <p>{t('recovery.how')}</p>
      </Change>
    </Panel>
  );
}

export function NewCodes({ codes }: { codes: string[] }) {
  const { t } = useTranslation('security');
  const { view } = useSecurity();
  const site = useRootData()?.site.name ?? '';
  const lines = [t('recovery.file', { site, email: view.email }), '', ...codes, ''];
  return (
    <>
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
        <ButtonLink
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(lines.join('\r\n'))}`}
          download={t('recovery.fileName')}
          look="w-full sm:w-auto"
          words={t('recovery.download')}
        />
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
    </>
  );
}
