import type { SerializeFrom } from '@remix-run/node';
import { useTranslation } from 'react-i18next';

import benchUrl from '~/desk/browser/bench?script';
import type { checkSection } from '~/desk/check.server';
import { FACE, shotOf, STAGES, stripOf, type Turn } from '~/domain/photo-place';
import type { Refusal } from '~/http/form.server';
import { useNonce } from '~/http/nonce';
import { Cells } from '~/ui/cells';
import { Box } from '~/ui/choice-fields';
import { Scrolled } from '~/ui/desk-list';
import { ButtonLink, Icon, Submit, TextLink } from '~/ui/elements';
import { PostForm, TextField } from '~/ui/post-form';
import { TypedTexts } from '~/ui/typed-again';
import { useCase } from './layout';
import { TaskItem, type Work } from './work';

type Check = SerializeFrom<Awaited<ReturnType<typeof checkSection>>>;
interface CheckProps {
  view: Check;
  work: Work;
  refusal: Refusal | undefined;
  /** Of the lines; undefined where none are typed. */
  form: string | undefined;
  typed: Refusal['values'] | undefined;
}

const LINES = ['line1', 'line2'] as const;

/** Photo and work on one screen: what is looked at stays, what is done walks by. */
export function CaseCheck({ view, work, refusal, ...lines }: CheckProps) {
  const { t } = useTranslation('desk-work');
  const nonce = useNonce();
  const warnings = work.tasks.filter(
    ({ kind, state }) =>
      kind !== 'lines' && kind !== 'photo' && kind !== 'portrait' && state !== 'unneeded',
  );
  const open = warnings.filter(({ state }) => state === 'open');
  const differing = view.compared.filter(({ is }) => is === 'differs');
  const isTyped = view.typed !== undefined;
  const isOpen = [!isTyped, differing.length > 0, open.length > 0];
  const now = STOPS.find((_, index) => isOpen[index] ?? true) ?? 'finish';
  const { state } = useCase();
  const isChecking = state === 'in_review';
  const left = work.tasks.filter((task) => task.state === 'open').map(({ title }) => title);
  const isLast = isChecking && now === 'finish';
  const stop = (name: (typeof STOPS)[number]) => {
    if (state === 'checked' || STOPS.indexOf(name) < STOPS.indexOf(now)) return 'is-done';
    return isChecking && name === now && !(isLast && left.length > 0) ? 'is-now' : '';
  };
  return (
    <div
      data-bench={work.address}
      className="grid grid-cols-1 items-start gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,30rem)_minmax(0,1fr)]"
    >
      <Photos {...{ view, isLast }} />
      <ol className="route grid-cols-1">
        <li id="lines" tabIndex={-1} className={stop('lines')}>
          <Lines {...{ view, refusal }} {...lines} />
        </li>
        <li className={stop('differ')}>
          <Compared view={view} />
        </li>
        <li id="warnings" className={stop('warnings')}>
          <h2 className="text-lg">{t('check.warnings', { count: open.length })}</h2>
          {warnings.length > 0 && (
            <ul className="card mt-2 divide-y divide-rule">
              {warnings.map((task) => (
                <TaskItem key={task.id} view={work} {...{ task, refusal }} />
              ))}
            </ul>
          )}
        </li>
        {isChecking && (
          <li id="finish" tabIndex={-1} className={stop('finish')}>
            <h2 className="text-lg">{t('moves.check.title')}</h2>
            <p className="text-sm text-muted">
              {left.length > 0 ? t('tasksLeft', { tasks: left.join(', ') }) : t('moves.check.text')}
              {work.isOthers && ` ${t('onlyAssignee')}`}
            </p>
            {view.canDo && (
              <Submit
                form="photos"
                name="finish"
                value="yes"
                look={`button-small mt-2 ${left.length > 0 ? 'button-quiet' : ''}`}
                words={t('buttons.check')}
              />
            )}
          </li>
        )}
      </ol>
      <script src={benchUrl} type="module" nonce={nonce} />
    </div>
  );
}

const STOPS = ['lines', 'differ', 'warnings', 'finish'] as const;

function Photos({ view, isLast }: { view: Check; isLast: boolean }) {
  const { t } = useTranslation(['desk-work', 'desk-case']);
  const { photo, portrait, place, places, canDo, ask } = view;
  const { version, address } = useCase();
  const stage = STAGES[place.zoom];
  return (
    <section
      id="photo"
      aria-label={t('desk-case:pictures.title')}
      className="card overflow-hidden lg:sticky lg:top-20"
    >
      {photo ? (
        <>
          <Shot address={photo} turn={place.turn} />
          <div className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-rule px-3 text-sm [&_a:focus-visible]:-outline-offset-3">
            {places.zooms.map(([zoom, href]) => (
              <TextLink
                key={zoom}
                {...{ href }}
                data-zoom={zoom}
                data-key={zoom === 'lines' ? 'z' : undefined}
                aria-current={zoom === place.zoom ? 'true' : undefined}
                className="aria-[current]:font-bold aria-[current]:text-ink aria-[current]:no-underline"
                words={t(`photo.zooms.${zoom}`)}
              />
            ))}
            <TextLink
              href={places.turn}
              data-turn
              data-key="r"
              before="rotate-ccw"
              className="ml-auto gap-1"
              words={t('photo.turn')}
            />
            <TextLink
              href={photo}
              target="_blank"
              rel="noopener"
              before="external-link"
              className="gap-1"
              words={t('desk-case:pictures.open')}
            />
          </div>
          <div
            role="group"
            aria-label={t('photo.stage.passport_photo')}
            data-stage
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls takes the focus
            tabIndex={0}
            className="flex aspect-5/2 flex-col-reverse overflow-auto bg-deep sm:aspect-4/3"
          >
            <Part
              of="passport_photo"
              viewBox={stage.viewBox}
              width={stage.width}
              className="flex-none"
            />
          </div>
        </>
      ) : (
        <p className="say say-look m-3">
          <Icon name="circle-alert" />
          <span>
            {t('lines.noPhoto')} {canDo && <a href={ask}>{t('buttons.ask')}</a>}
          </span>
        </p>
      )}
      <div className="grid grid-cols-[5rem_minmax(0,1fr)] gap-3 p-3 sm:grid-cols-[7rem_7rem_minmax(0,1fr)]">
        {photo && (
          <figure>
            <Part
              of="face"
              viewBox={FACE}
              width="100%"
              className="aspect-[30/37] rounded-field bg-sea"
            />
            <figcaption className="text-xs text-muted">{t('photo.faces.passport')}</figcaption>
          </figure>
        )}
        {portrait && (
          <figure>
            <a href={portrait} target="_blank" rel="noopener">
              <img
                src={portrait}
                alt={t('photo.alt.portrait')}
                className="aspect-[30/37] w-full rounded-field object-cover"
              />
            </a>
            <figcaption className="text-xs text-muted">{t('photo.faces.portrait')}</figcaption>
          </figure>
        )}
        {view.ticks.length > 0 && (
          <PostForm
            id="photos"
            action={address}
            intent="photos"
            hidden={{
              version,
              ...Object.fromEntries(view.ticks.map((one) => [`${one.kind}_version`, one.version])),
            }}
            refusal={{
              errors: {},
              values: Object.fromEntries(
                view.ticks.map((one) => [one.kind, one.isDone ? 'yes' : undefined]),
              ),
            }}
            className={`rounded-field text-sm max-sm:col-start-2 max-sm:row-span-2 max-sm:row-start-1 lg:[&_input]:scroll-mt-[22rem] ${isLast ? 'has-[input:not(:checked)]:bg-marker-soft' : ''}`}
          >
            <fieldset disabled={!canDo}>
              <legend className="sr-only">{t('photo.ticks.legend')}</legend>
              {view.ticks.map(({ kind }) => (
                <Box key={kind} name={kind} id={`tick-${kind}`}>
                  {t(`tasks.${kind}.text`)}
                </Box>
              ))}
              {canDo && (
                <p className="flex flex-wrap items-center gap-x-4" data-no-script>
                  <Submit look="button-quiet button-small" words={t('photo.ticks.save')} />
                </p>
              )}
            </fieldset>
            {canDo && <TextLink href={ask} words={t('photo.ask')} />}
          </PostForm>
        )}
      </div>
    </section>
  );
}

/** The one picture of which each part of the page shows a part: it is asked for once. */
function Shot({ address, turn }: { address: string; turn: Turn }) {
  return (
    <svg className="absolute size-0" aria-hidden>
      <defs>
        <image id="shot" href={address} data-turn={turn} {...shotOf(turn)} />
      </defs>
    </svg>
  );
}

type PartProps = {
  of: 'passport_photo' | 'face' | 'line1' | 'line2';
  viewBox: string;
  width: string;
  className?: string;
};
function Part({ of, ...svg }: PartProps) {
  const { t } = useTranslation('desk-work');
  return (
    <svg role="img" aria-label={t(`photo.alt.${of}`)} data-part={of} {...svg}>
      <use href="#shot" />
    </svg>
  );
}

function Lines({ view, refusal, form, typed: before }: Omit<CheckProps, 'work'>) {
  const { t } = useTranslation('desk-work');
  const { version, address } = useCase();
  const { typed, place, places, linesVersion } = view;
  const own = refusal?.values['intent'] === 'lines' ? refusal : undefined;
  const kept = { line1: typed?.first, line2: typed?.second, ...before };
  return (
    <>
      <h2 className="flex flex-wrap items-baseline justify-between gap-x-4 text-lg">
        {`${t('tasks.lines.title')} `}
        <span className="text-sm font-normal text-muted">
          {view.typedAt
            ? t('lines.typed', { at: view.typedAt })
            : !typed && form && t('tasks.lines.text')}
        </span>
      </h2>
      {!form && <TypedTexts texts={LINES.map((name) => own?.values[name])} />}
      {form && (
        <PostForm
          id={form}
          action={address}
          intent="lines"
          hidden={{ version, task_version: linesVersion }}
          refusal={{ errors: {}, ...own, values: kept }}
          problem={(_, problem) => problem}
          autoComplete="off"
          className="mt-2"
        >
          <Scrolled label={t('lines.region')} className="overflow-x-auto">
            <div className="@container min-w-[36rem]">
              {LINES.map((name, index) => (
                <div key={name} className="border-rule not-first:border-t">
                  <Part
                    of={name}
                    viewBox={stripOf(index === 0 ? 1 : 2, place.at)}
                    width="100%"
                    className="block touch-none bg-deep"
                  />
                  <TextField
                    name={name}
                    label={t(`fields.${name}`)}
                    isLabelHidden
                    maxLength={300}
                    data-line
                    autoCapitalize="characters"
                    autoCorrect="off"
                    spellCheck={false}
                    className="scroll-mt-[16rem] rounded-none border-0 border-t border-field py-0 pr-0 pl-[3.4cqi] font-machine text-[3.36cqi] uppercase [text-rendering:geometricPrecision] focus-visible:-outline-offset-6"
                  />
                </div>
              ))}
            </div>
          </Scrolled>
          <p className="mt-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <span
              className="text-sm text-muted"
              data-typed={t('lines.count')}
              data-long={t('lines.long')}
            >
              {t('hints.lines')}
            </span>
            <span className="flex items-center gap-x-4 text-sm">
              <span data-no-script className="contents">
                <TextLink href={places.higher} words={t('lines.higher')} />
                <TextLink href={places.lower} words={t('lines.lower')} />
              </span>
              <Submit
                look={`button-small ${typed ? 'button-quiet' : ''}`}
                words={t(typed ? 'buttons.compareAgain' : 'buttons.compare')}
              />
            </span>
          </p>
        </PostForm>
      )}
    </>
  );
}

type Row = Check['compared'][number];

function Compared({ view: { compared, typed } }: { view: Check }) {
  const { t } = useTranslation('desk-work');
  const [first, ...others] = compared.filter(({ is }) => is !== 'same');
  const same = compared.filter(({ is }) => is === 'same');
  const count = compared.filter(({ is }) => is === 'differs').length;
  return (
    <>
      <h2 id="differ" tabIndex={-1} className="text-lg">
        {typed ? t('differ.title', { count, same: compared.length - count }) : t('differ.later')}
      </h2>
      {!typed && <p className="text-sm text-muted">{t('differ.wait')}</p>}
      {first && <Differing {...first} />}
      {others.map((row) =>
        others.length > 2 ? (
          <details key={row.answer} className="fold mt-2">
            <summary>{row.label}</summary>
            <Differing {...row} />
          </details>
        ) : (
          <Differing key={row.answer} {...row} />
        ),
      )}
      {same.length > 0 && (
        <ul className="mt-3 grid gap-x-8 border-t border-rule text-sm sm:grid-cols-2">
          {same.map(({ answer, label, printed }) => (
            <li key={answer} className="flex items-center gap-2 border-b border-rule py-1.5">
              <Icon name="check" className="size-4 text-good" />
              {label}
              <span className="machine ml-auto max-w-[60%] shrink-0 wrap-anywhere">
                {printed || t('lines.nothing')}
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Differing({ answer, label, printed, computed, is, text, declared, ...row }: Row) {
  const { t } = useTranslation('desk-work');
  const { version, address } = useCase();
  const { lookAt, canTake, ask } = row;
  const length = Math.max(printed.length, computed.length);
  const marked = Array.from({ length }, (_, at) => at).filter((at) => printed[at] !== computed[at]);
  const differs = is === 'differs';
  return (
    <section
      aria-labelledby={`differ-${answer}`}
      data-answer={answer}
      data-is={is}
      className={`card mt-3 p-3 sm:p-4 ${differs ? 'border-2 border-bad' : ''}`}
    >
      <h3 id={`differ-${answer}`} className="text-base">
        {label}
        {!differs && (
          <span className="text-sm font-normal text-muted">{` ${t('lines.is.truncated')}`}</span>
        )}
      </h3>
      <Cells label={t('differ.passport')} text={printed || ' '} marked={marked} tone="right" />
      <Cells label={t('differ.declared')} text={computed || ' '} marked={marked} tone="wrong" />
      {differs && (
        <p className="mt-2 text-sm">{`${text} ${t(lookAt ? 'differ.unproven' : 'differ.proven')}`}</p>
      )}
      {declared && declared.toUpperCase() !== computed && (
        <p className="text-sm text-muted">{t('differ.answer', { declared })}</p>
      )}
      {differs && (
        <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-2">
          {ask && lookAt && (
            <ButtonLink href={lookAt} look="button-small" words={t('differ.look')} />
          )}
          {canTake && (
            <PostForm
              id={`printed-${answer}`}
              action={address}
              intent="printed"
              hidden={{ version, field: answer }}
            >
              <Submit
                look={`button-small ${lookAt ? 'button-quiet' : ''}`}
                words={t('differ.take')}
              />
            </PostForm>
          )}
          {ask && <TextLink href={ask} className="text-sm" words={t('differ.ask')} />}
          {canTake && <span className="text-sm text-muted">{t('differ.noted')}</span>}
        </div>
      )}
    </section>
  );
}
