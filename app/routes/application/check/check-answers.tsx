import { useTranslation } from 'react-i18next';

import type { CheckPage } from '~/applications/check-page.server';
import type { BandPart, CheckGroups, CheckRow } from '~/applications/check-groups.server';
import type { CheckView, WarningView } from '~/applications/check-problems.server';
import { picturePage } from '~/domain/application/requests';
import { ApplicationFrame } from '~/ui/application-frame';
import { ApplicationProblem } from '~/ui/application-step';
import { Hidden, ButtonLink, Fold, LinkLine, Notice, Submit, TextLink } from '~/ui/elements';
import { Doubt, DoubtCells } from '~/ui/doubt';
import { PassportDrawing, PortraitDrawing } from '~/ui/picture-drawings';
import { asSentence } from '~/ui/sentence';
import { Certification, NotYet } from './certification';

export function CheckAnswers(view: CheckPage['view']) {
  const { title, lead, address, problem, check, groups = [], band, nodes, certifiedOn } = view;
  const isDraft = certifiedOn === undefined;
  return (
    <ApplicationFrame
      title={title}
      lead={isDraft ? lead : undefined}
      before={problem && <ApplicationProblem {...problem} />}
    >
      {!isDraft && <Certified date={certifiedOn} {...view} />}
      {check && isDraft && <OpenSteps check={check} address={address} />}
      <div className="check">
        <div>
          {groups.map((group) => (
            <Group key={group.key} group={group} canChange={isDraft} />
          ))}
        </div>
        <div className="stay grid grid-cols-1 gap-4 pt-4">
          {band && <Band {...band} />}
          <Pictures {...view} />
        </div>
        <div id="rest" className="grid grid-cols-1 gap-4 pt-4">
          {check && isDraft && (
            <>
              <RemainingWarnings {...{ address }} warnings={check.warnings} settles={!!nodes} />
              <Ineligible check={check} address={address} feeIfRefused={view.feeIfRefused} />
            </>
          )}
          {isDraft && (nodes ? <Certification {...view} nodes={nodes} /> : <NotYet />)}
        </div>
      </div>
    </ApplicationFrame>
  );
}

type GroupView = CheckGroups[number];

function Group({ group, canChange }: { group: GroupView; canChange: boolean }) {
  const { t } = useTranslation('application-check');
  const { key, steps, rows, isChanged } = group;
  const title = t(`groups.${key}`);
  const first = rows.findIndex((row) => row.isChanged);
  // What was changed is not always a row: an answer that was taken out has none.
  const isGoal = isChanged && first < 0;
  return (
    <section id={isGoal ? 'changed' : undefined} aria-labelledby={key} className="mt-4">
      <div className="flex items-center justify-between gap-4 border-b-2 border-ink">
        <h2 id={key} tabIndex={-1} className="text-lg">
          {title}
          {isGoal && <Changed />}
        </h2>
        {canChange && <Change steps={steps} title={title} />}
      </div>
      {key === 'questions' ? (
        <Questions rows={rows} />
      ) : (
        <dl className="facts">
          {rows.map((row, index) => (
            <Fact key={row.label} row={row} isGoal={index === first} />
          ))}
        </dl>
      )}
    </section>
  );
}

function ChangeOf({ label, words }: { label: string; words?: string }) {
  const { t } = useTranslation('application-check');
  return (
    <>
      {words ?? t('change')}
      <span className="sr-only">{t('changeWhat', { label })}</span>
    </>
  );
}

/** To the step of the group; where it has several, each is named once it is asked for. */
function Change({ steps, title }: Pick<GroupView, 'steps'> & { title: string }) {
  const { t } = useTranslation('application-check');
  const [only, ...more] = steps;
  const words = <ChangeOf label={title} />;
  const goal = (number: number) => `step-${number}?return=check`;
  if (only && more.length === 0) {
    return <TextLink className="text-sm" href={goal(only.number)} words={words} />;
  }
  return (
    <details data-menu className="relative">
      <summary className="text-button flex min-h-11 list-none items-center text-sm">
        {words}
      </summary>
      <ul className="menu-panel right-0 w-max p-4">
        {steps.map(({ number, title: step }) => (
          <li key={number}>
            <TextLink
              href={goal(number)}
              className="py-1"
              words={
                <span>
                  {step}
                  <br />
                  <small className="inline-block text-sm text-muted">
                    {t(`inStep.${number as 1 | 3 | 4}`)}
                  </small>
                </span>
              }
            />
          </li>
        ))}
      </ul>
    </details>
  );
}

function Fact({ row, isGoal }: { row: CheckRow; isGoal: boolean }) {
  const { t } = useTranslation('application-check');
  const { label, parts, isMissing, isPrinted, isChanged } = row;
  return (
    <div id={isGoal ? 'changed' : undefined} tabIndex={isGoal ? -1 : undefined}>
      <dt>{label}</dt>
      <dd className={isMissing ? 'is-missing' : isPrinted ? 'machine' : undefined}>
        {parts.map(({ text, sent }, index) => (
          <div key={index}>
            {text}
            {isChanged && index === 0 && <Changed />}
            {sent && (
              <i>
                {`${t('sentAs')} `}
                <b>{sent}</b>
              </i>
            )}
          </div>
        ))}
      </dd>
    </div>
  );
}

function Changed() {
  const { t } = useTranslation('application-check');
  return (
    <>
      {' '}
      <mark className="rounded-[4px] bg-marker-soft px-1.5 text-xs font-[650] whitespace-nowrap text-ink">
        {t('changed')}
      </mark>
    </>
  );
}

/** Folded while all are answered with no; else what is not stands first. */
function Questions({ rows }: { rows: CheckRow[] }) {
  const { t } = useTranslation('application-check');
  const open = rows.filter(({ answer, isMissing }) => isMissing || answer === 'yes');
  const first = rows.findIndex(({ isChanged }) => isChanged);
  const list = [...open, ...rows.filter((row) => !open.includes(row))];
  const yes = rows.filter(({ answer }) => answer === 'yes').length;
  const title =
    open.length === 0
      ? t('questions.no')
      : yes > 0
        ? t('questions.yes', { count: yes })
        : t('questions.open');
  return (
    <Fold title={title} open={open.length > 0 || first >= 0} className="border-b-0">
      <ul>
        {list.map((row) => (
          <li
            key={row.label}
            id={rows[first] === row ? 'changed' : undefined}
            tabIndex={rows[first] === row ? -1 : undefined}
            className={`flex justify-between gap-4 border-t border-rule py-1.5 text-sm/[1.4] ${open.includes(row) ? '-mx-3 rounded-field bg-marker-soft px-3' : ''}`}
          >
            <span>
              {row.label}
              {row.isChanged && <Changed />}
            </span>
            <strong className="max-w-1/2 shrink-0 whitespace-pre-line">
              {row.parts.map(({ text }) => text)}
            </strong>
          </li>
        ))}
      </ul>
    </Fold>
  );
}

function Band({ lines }: { lines: BandPart[][] }) {
  const { t } = useTranslation('application-check');
  return (
    <section aria-labelledby="band" className="rounded-card bg-sea p-4 forced-colors:border">
      <h2 id="band" className="text-lg">
        {t('band.title')}
      </h2>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls */}
      <p tabIndex={0} role="region" aria-label={t('band.name')} className="band">
        {lines.map((parts) => (
          <span key={parts[0]?.text} className="block">
            {parts.map(({ text, look }, index) =>
              look === 'lit' ? (
                <b key={index}>{text}</b>
              ) : (
                <span key={index} className={look && 'text-muted'}>
                  {text}
                </span>
              ),
            )}
          </span>
        ))}
      </p>
      <p className="mt-2 text-sm">{t('band.text')}</p>
    </section>
  );
}

const DRAWINGS = { passport_photo: PassportDrawing, portrait: PortraitDrawing };

function Pictures({ pictures = [] }: CheckPage['view']) {
  const { t } = useTranslation('application-check');
  return (
    <section
      aria-label={t('pictures.title')}
      className="grid grid-cols-[1.42fr_1fr] items-end gap-3"
    >
      {pictures.map(({ kind, received }) => {
        const Drawing = DRAWINGS[kind];
        return (
          <figure key={kind} className="text-sm">
            <div
              className={`grid h-32 place-items-center rounded-field border bg-surface p-2 sm:h-40 ${received ? 'border-rule' : 'border-2 border-dashed border-field'}`}
            >
              {received ? <Drawing /> : <span className="text-muted">{t('pictures.missing')}</span>}
            </div>
            <figcaption className="mt-1 leading-[1.35]">
              {t(`pictures.${kind}`)}
              <LinkLine
                href={`${picturePage(kind)}?return=check`}
                words={
                  <ChangeOf
                    label={t(`pictures.${kind}`)}
                    words={received ? t('pictures.change') : t('pictures.add')}
                  />
                }
              />
            </figcaption>
          </figure>
        );
      })}
    </section>
  );
}

function Certified({ date, address, hidden }: CheckPage['view'] & { date: string }) {
  const { t } = useTranslation('application-check');
  return (
    <div className="mt-6 grid max-w-[48rem] gap-4">
      <Notice kind="good" id="certified" title={t('done.title', { date })}>
        <p>{t('done.text')}</p>
        <p className="mt-3">
          <ButtonLink href={`${address}/payment`} words={t('done.pay')} after="arrow-right" />
        </p>
        <LinkLine className="mt-1" href={`${address}/overview`} words={t('done.overview')} />
      </Notice>
      <form method="post">
        <p>{t('done.changeText')}</p>
        <Hidden {...Object.fromEntries(hidden)} intent="reopen" />
        <Submit look="button-quiet mt-3 w-full sm:w-auto" words={t('done.change')} />
      </form>
    </div>
  );
}

type CheckProps = { check: CheckView; address: string };

const toStep = (address: string, step: number, control: string) =>
  `${address}/step-${step}?return=check#${control}`;

function OpenSteps({ check: { open, hasNoChip }, address }: CheckProps) {
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

/** `settles`: the page has the form whose buttons settle what they ask. */
type WarningsProps = { warnings: WarningView[]; address: string; settles: boolean };
function RemainingWarnings({ warnings, address, settles }: WarningsProps) {
  const { t } = useTranslation('application-check');
  if (warnings.length === 0) return null;
  return (
    <Notice kind="look" id="warnings" title={t('warnings.title')}>
      <p>{t('warnings.text')}</p>
      <ul className="mt-2 grid gap-2">
        {warnings.map(({ code, id, places, title, text, doubt }) => {
          const change = places.map((place) => (
            <TextLink
              key={place.id}
              href={toStep(address, place.step, place.id)}
              className="mr-5"
              words={
                places.length > 1 ? (
                  t('change') + t('changeWhat', place)
                ) : (
                  <ChangeOf label={title} />
                )
              }
            />
          ));
          return (
            <li key={code + id + text}>
              <p>
                <strong>{asSentence(title)}</strong> {text}
              </p>
              {doubt && settles ? (
                <Doubt {...doubt} formAction="step-8#rest">
                  {change}
                </Doubt>
              ) : (
                <>
                  {doubt && <DoubtCells {...doubt} />}
                  {change}
                </>
              )}
            </li>
          );
        })}
      </ul>
    </Notice>
  );
}

function Ineligible({
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
            <TextLink
              href={toStep(address, 7, id)}
              className="ml-2"
              words={<ChangeOf label={question} />}
            />
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
