import { useTranslation } from 'react-i18next';

import { PHONE_FORM, TOTP_FORM, withProof } from '~/domain/security';
import { Icon } from '~/ui/icon';
import { Change, ChangeForm, Panel, type PanelProps } from './panel';
import { formOf } from './refusal';
import { OwnForm } from './own-form';

/** The second factors: those that count, each with the way to take it off, and how to add one. */
export function FactorsPanel(props: PanelProps) {
  const { t } = useTranslation('security');
  const { factors, canAddPhone, mustAddFactor } = props.view;
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
              <FactorItem {...props} factor={factor} />
            </li>
          ))}
        </ul>
      )}
      <div className="grid gap-2 border-t border-rule pt-1">
        <AddFactor {...props} type="totp" />
        {canAddPhone && <AddFactor {...props} type="phone" />}
      </div>
      {factors
        .filter(({ type }) => type === 'phone')
        .map(({ id }) => (
          // The buttons of this form stand in those that ask for a code.
          <OwnForm key={id} id={`send-${id}`} hidden>
            <input type="hidden" name="intent" value="send-code" />
            <input type="hidden" name="factor" value={id} />
          </OwnForm>
        ))}
    </Panel>
  );
}

type Factor = PanelProps['view']['factors'][number];

function FactorItem({ factor, ...props }: PanelProps & { factor: Factor }) {
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
      <Change {...props} name={formOf('remove-factor', id)} summary={t('factors.remove', { name })}>
        <p>{t('factors.removeHow')}</p>
        <ChangeForm
          {...props}
          name={formOf('remove-factor', id)}
          intent="remove-factor"
          form={withProof([], true)}
          hidden={{ factor: id }}
          submit={t('factors.removeSubmit')}
          danger
        />
      </Change>
    </>
  );
}

function AddFactor({ type, ...props }: PanelProps & { type: Factor['type'] }) {
  const { t } = useTranslation('security');
  const form = formOf('add-factor', type);
  const { factors, needsProofToAdd } = props.view;
  const asked = type === 'phone' ? PHONE_FORM : TOTP_FORM;
  return (
    <Change {...props} name={form} summary={t(`factors.add.${type}.summary`)}>
      <p>{t(`factors.add.${type}.how`)}</p>
      <ChangeForm
        {...props}
        name={form}
        intent="add-factor"
        form={needsProofToAdd ? withProof(asked, factors.length > 0) : asked}
        hidden={{ factor_type: type }}
        values={{ friendly_name: freeName(t(`factors.add.${type}.name`), factors) }}
        submit={t('factors.add.submit')}
      />
    </Change>
  );
}

/** A name that no factor has yet: `Phone`, then `Phone 2`. */
function freeName(name: string, factors: Factor[]): string {
  const taken = new Set(factors.map((factor) => factor.name));
  const numbers = factors.map((_, index) => `${name} ${index + 2}`);
  return [name, ...numbers].find((one) => !taken.has(one)) ?? name;
}
