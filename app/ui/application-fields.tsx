import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type {
  BoxView,
  ChoiceView,
  DateView,
  FieldView,
  ListView,
  NodeView,
  NoteView,
  RowsView,
  TextView,
} from '../applications/views';
import { Doubt } from './doubt';
import { Answers } from './answers';
import { Fold, Icon, Submit, Say } from './elements';
import { ErrorText } from './field';
import { PassportPage } from './passport-page';
import { optionsHtml } from '~/applications/option-lists';
import { asSentence } from './sentence';

type FieldsProps = { nodes: readonly NodeView[] };

export function ApplicationFields({ nodes }: FieldsProps) {
  const { t } = useTranslation('application');
  const words: Words = {
    optional: t('optional'),
    choose: t('choose'),
    elsewhere: t('conflict.elsewhere'),
    sentAs: t('sentAs'),
    notKnown: t('notKnown'),
  };
  return <Nodes nodes={nodes} words={words} />;
}

type Words = Record<'optional' | 'choose' | 'elsewhere' | 'sentAs' | 'notKnown', string>;

type NodeProps = FieldsProps & { words: Words };

function Nodes({ nodes, words }: NodeProps): ReactNode {
  return nodes.map((node, index) => {
    switch (node.kind) {
      case 'branch':
        if (node.heading) {
          return (
            <h2 key={index} className="mt-4 text-xl">
              {node.heading}
            </h2>
          );
        }
        if (node.fold) {
          return (
            <Fold key={index} title={node.fold.title} open={node.fold.isOpen}>
              <div className="asks">{Nodes({ nodes: node.nodes, words })}</div>
            </Fold>
          );
        }
        return (
          <div key={index} className="branch">
            {Nodes({ nodes: node.nodes, words })}
          </div>
        );
      case 'dependent':
        return (
          <div key={index} data-if={node.answer}>
            {Nodes({ nodes: node.nodes, words })}
          </div>
        );
      case 'rows':
        return <Rows key={node.name} rows={node} words={words} />;
      default:
        return <Asked key={node.name} field={node} words={words} />;
    }
  });
}

type AskedProps<F extends FieldView = FieldView> = { field: F; words: Words };

/** `aria-required` says it: of what is `required`, browsers call the untouched invalid. */
function Asked({ field, words }: AskedProps) {
  const { kind, id, label, language, hint, more, isOptional } = field;
  const { error, warnings, elsewhere, printed } = field;
  // Its fold shows the page, which stands beside the fields where there is room.
  const isNumber = id === 'passport_number';
  const { sentAs = undefined, unknown = undefined } = kind === 'text' ? field : {};
  const described =
    [
      (hint ?? unknown) && 'hint',
      error && 'error',
      elsewhere && 'elsewhere',
      printed && 'printed',
      (warnings ?? sentAs) && 'notes',
    ]
      .filter(Boolean)
      .map((part) => `${id}-${part}`)
      .join(' ') || undefined;
  // A space of its own text is none in the names that browsers give to screen readers.
  const note = isOptional && <span className="font-normal text-muted">{` ${words.optional}`}</span>;
  const around = (
    <>
      <Hint {...{ id, language, hint, label, unknown }} more={isNumber ? undefined : more} />
      {error && <ErrorText id={`${id}-error`}>{error}</ErrorText>}
      {elsewhere && (
        <p id={`${id}-elsewhere`} className="ask-elsewhere">
          {words.elsewhere} <strong>{elsewhere}</strong>
        </p>
      )}
      {printed && (
        <p id={`${id}-printed`} className="flex gap-1 text-sm text-good">
          <Icon name="check" className="mt-0.5" />
          {printed}
        </p>
      )}
    </>
  );
  const notes = (warnings ?? sentAs) && (
    <Notes id={`${id}-notes`} notes={warnings ?? []} sentAs={sentAs} words={words} />
  );
  const isOpen = kind === 'box' || (kind === 'choice' && field.value === '');
  const look = error ? `ask wrong ${isOpen ? 'group' : ''}` : 'ask';
  if (kind === 'choice' || kind === 'date') {
    const answers = kind === 'choice' && {
      role: 'radiogroup',
      'aria-required': field.isRequired,
      'aria-invalid': error ? (true as const) : undefined,
    };
    return (
      <fieldset
        className={field.number ? `${look} mt-5` : look}
        aria-describedby={described}
        {...answers}
      >
        <legend lang={language}>
          {field.number && (
            <span className="block text-xs font-normal text-muted">{field.number}</span>
          )}
          {label}
          {note}
        </legend>
        {around}
        {kind === 'date' ? <DateParts field={field} /> : <Choice field={field} />}
        {notes}
      </fieldset>
    );
  }
  if (kind === 'box') {
    return (
      <div className={look}>
        {around}
        <label className="ask-box mt-3">
          <Box field={field} described={described} />
          <span>{label}</span>
        </label>
        {notes}
      </div>
    );
  }
  return (
    <div className={look}>
      <label htmlFor={id} className="block leading-[1.4] font-[650]">
        {label}
        {note}
      </label>
      {around}
      <Control field={field} described={described} words={words} />
      {unknown && (
        <button
          type="button"
          data-fills={id}
          value={unknown.value}
          className="text-button -mb-3 block text-sm"
        >
          {words.notKnown}
          <span className="sr-only">{`, ${label}`}</span>
        </button>
      )}
      {isNumber && more && (
        <details className="ask-hint mt-2 lg:hidden">
          <summary className="text-action underline">{more.title}</summary>
          <p>{more.text}</p>
          <PassportPage step={2} />
        </details>
      )}
      {notes}
    </div>
  );
}

type HintProps = Partial<FieldView> & Pick<TextView, 'unknown'>;

function Hint({ id, language, hint, more, label, unknown }: HintProps) {
  const text = (hint ?? unknown) && (
    <span id={`${id}-hint`} lang={language}>
      {hint}
      {unknown && <span data-without-script>{` ${unknown.text}`}</span>}
    </span>
  );
  if (!more) return text && <p className="ask-hint">{text}</p>;
  return (
    <details className="ask-hint">
      <summary aria-label={text ? undefined : `${more.title} – ${label}`}>
        {text}
        {text && ' '}
        <span className="text-action underline">{more.title}</span>
      </summary>
      <p lang={language}>{more.text}</p>
    </details>
  );
}

/** After a row is added or taken out, the reader goes on there. */
const focusOf = ({ hasFocus }: Pick<FieldView, 'hasFocus'>) => hasFocus && { autoFocus: true };

/** How wide a field is says how much is expected. */
const WIDTHS = { code: 'max-w-42', country: 'sm:max-w-68', name: 'sm:max-w-88' };

type ControlProps = AskedProps<TextView | ListView> & { described: string | undefined };

function Control({ field, described, words }: ControlProps) {
  const common = {
    id: field.id,
    name: field.name,
    'aria-required': field.isRequired,
    ...focusOf(field),
    'aria-describedby': described,
    'aria-invalid': field.error ? (true as const) : undefined,
    className: `field ${field.size ? WIDTHS[field.size] : ''}`.trimEnd(),
  };
  switch (field.kind) {
    case 'list':
      return (
        <select
          {...common}
          autoComplete={field.autoComplete}
          dangerouslySetInnerHTML={{ __html: optionsHtml(field.list, field.value, words.choose) }}
        />
      );
    case 'area': {
      const { type: _, isMachine: __, ...attributes } = field.attributes;
      return <textarea {...common} {...attributes} defaultValue={field.value} rows={4} />;
    }
    case 'text': {
      const { isMachine, ...attributes } = field.attributes;
      return (
        <input
          {...common}
          {...attributes}
          defaultValue={field.value}
          className={isMachine ? `${common.className} machine` : common.className}
        />
      );
    }
    default:
      return null;
  }
}

const isShort = (options: ChoiceView['options']): boolean =>
  options.length === 2 && options.every(([, label]) => label.length < 10);

function Choice({ field }: { field: ChoiceView }) {
  const { name, id, value, options, explained } = field;
  return (
    <>
      <Answers
        {...{ name, value, options }}
        className={isShort(options) ? 'answers' : 'answers answers-list'}
        radio={(answer, index) => ({
          ...(index === 0 && { id, ...focusOf(field) }),
          'data-explained': answer === explained?.value ? '' : undefined,
        })}
      />
      {explained && (
        <Say icon="triangle-alert" heading={explained.title} className="say-bad ask-explained">
          {explained.texts.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </Say>
      )}
    </>
  );
}

function DateParts({ field }: { field: DateView }) {
  const { parts, error, isRequired } = field;
  return (
    <div className="dates">
      {parts.map(({ name, id, label, value, autoComplete, isYear, isMonth }, index) => (
        <label key={name} htmlFor={id} className={isYear ? 'w-20' : undefined}>
          {label}
          <input
            id={id}
            name={name}
            defaultValue={value}
            inputMode={isMonth ? undefined : 'numeric'}
            autoComplete={autoComplete}
            spellCheck={isMonth ? false : undefined}
            maxLength={isMonth ? 20 : 8}
            aria-required={isRequired}
            {...(index === 0 && focusOf(field))}
            aria-invalid={error ? true : undefined}
            className="field"
          />
        </label>
      ))}
    </div>
  );
}

export function Box({ field, described }: { field: BoxView; described: string | undefined }) {
  const { id, name, isChecked, isRequired, error } = field;
  return (
    <input
      type="checkbox"
      id={id}
      name={name}
      value="yes"
      defaultChecked={isChecked}
      aria-required={isRequired}
      aria-describedby={described}
      aria-invalid={error ? true : undefined}
    />
  );
}

interface NotesProps {
  id: string;
  notes: readonly NoteView[];
  sentAs: string | undefined;
  words: Words;
}

function Notes({ id, notes, sentAs, words }: NotesProps) {
  return (
    <Say id={id} icon="info" className="say-look">
      {sentAs && (
        <p>
          {`${words.sentAs} `}
          <strong className="machine">{sentAs}</strong>
        </p>
      )}
      {notes.map(({ title, text, doubt }) => (
        <Fragment key={title + text}>
          <p>
            <strong>{asSentence(title)}</strong>
            {` ${text}`}
          </p>
          {doubt && <Doubt {...doubt} />}
        </Fragment>
      ))}
    </Say>
  );
}

type RowsProps = Omit<NodeProps, 'nodes'> & { rows: RowsView };

function Rows({ rows: list, words }: RowsProps) {
  const { name, id, label, hint, more, error, elsewhere, rows, addLabel } = list;
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <fieldset
      id={id}
      tabIndex={-1}
      className={error ? 'ask rows wrong' : 'ask rows'}
      aria-describedby={described || undefined}
    >
      <legend>{label}</legend>
      <Hint {...{ id, hint, more, label }} />
      {error && <ErrorText id={`${id}-error`}>{error}</ErrorText>}
      {elsewhere && (
        <p className="ask-elsewhere">
          {words.elsewhere} <strong>{elsewhere}</strong>
        </p>
      )}
      {rows.map(({ legend, nodes, remove, removeLabel }) => (
        <fieldset key={remove} className="row">
          <legend>{legend}</legend>
          <Nodes nodes={nodes} words={words} />
          <p>
            <Submit intent={remove} className="text-button" words={removeLabel} />
          </p>
        </fieldset>
      ))}
      {addLabel && (
        <p>
          <Submit intent={`add:${name}`} look="button-quiet button-small" words={addLabel} />
        </p>
      )}
    </fieldset>
  );
}
