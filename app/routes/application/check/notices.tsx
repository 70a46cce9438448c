import { useTranslation } from 'react-i18next';

import type { CheckView, WarningView } from '~/applications/check-problems.server';
import { LinkLine, Notice, TextLink } from '~/ui/elements';
import { DoubtCells } from '~/ui/doubt';
import { asSentence } from '~/ui/sentence';

type CheckProps = { check: CheckView; address: string };

const toStep = (address: string, step: number, control: string) =>
  `${address}/step-${step}?return=check#${control}`;

export function OpenSteps({ check: { open, hasNoChip }, address }: CheckProps) {
  const { t } = useTranslation(['application-check', 'application-fields']);
  if (open.length === 0 && !hasNoChip) return null;
  return (
    <Notice kind="bad" id="open" title={t('open.title')} className="mt-6 max-w-[48rem]">
      {hasNoChip && (
        <>
          <p>
            {t('open.chip')} {t('application-fields:warnings.noChip.text')}
          </p>
          <LinkLine
            href={toStep(address, 2, 'passport_is_electronic-yes')}
            words={t('open.chipChange')}
          />
        </>
      )}
      {open.length > 0 && <p>{t('open.text')}</p>}
      {open.map(({ step, title, problems }) => (
        <div key={step} className="mt-2">
          <h3>
            <TextLink
              href={`${address}/step-${step}?return=check`}
              words={t('open.step', { step, title })}
            />
          </h3>
          <ul className="list-disc pl-5">
            {problems.map(({ id, label, text }) => (
              <li key={id + label}>
                <a href={toStep(address, step, id)}>{label}</a> {text}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </Notice>
  );
}

export function RemainingWarnings({
  warnings,
  address,
}: {
  warnings: WarningView[];
  address: string;
}) {
  const { t } = useTranslation('application-check');
  if (warnings.length === 0) return null;
  return (
    <Notice kind="look" id="warnings" title={t('warnings.title')}>
      <p>{t('warnings.text')}</p>
      <ul className="mt-2 grid gap-2">
        {warnings.map(({ code, step, id, title, text, doubt }) => (
          <li key={code + id + text}>
            <p>
              <strong>{asSentence(title)}</strong> {text}
            </p>
            {doubt && <DoubtCells {...doubt} />}
            <a href={toStep(address, step, id)} className="inline-flex min-h-11 items-center">
              {t('warnings.change')}
              <span className="sr-only">{t('changeWhat', { label: title })}</span>
            </a>
          </li>
        ))}
      </ul>
    </Notice>
  );
}

export function Ineligible({
  check: { ineligible },
  address,
  feeIfRefused,
}: CheckProps & { feeIfRefused: string }) {
  const { t } = useTranslation('application-check');
  const { t: tResult } = useTranslation('eligibility');
  if (ineligible.length === 0) return null;
  return (
    <Notice kind="bad" icon="triangle-alert" id="ineligible" title={t('ineligible.title')}>
      {ineligible.map(({ id, question, meanings }) => (
        <div key={id} className="mt-3">
          <h3>{question}</h3>
          <p>
            {t('ineligible.answer')}{' '}
            <a href={toStep(address, 7, id)} className="ml-2 inline-flex min-h-11 items-center">
              {t('change')}
              <span className="sr-only">{t('changeWhat', { label: question })}</span>
            </a>
          </p>
          {meanings.map(({ text, language, severity }) => (
            <p key={text}>
              <span lang={language}>{text}</span>{' '}
              {severity && tResult(`result.severity.${severity}`)}
            </p>
          ))}
        </div>
      ))}
      <p className="mt-3">{t('ineligible.fee', { fee: feeIfRefused })}</p>
      <p className="mt-2">{t('ineligible.choice')}</p>
      <LinkLine href="/contact" words={t('ineligible.contact')} />
    </Notice>
  );
}
