import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { onlyCountry, type SearchableCountry, searchCountries } from '~/domain/country-search';
import { Icon } from '~/ui/elements';

interface CountryComboboxProps {
  field: { id: string; 'aria-describedby': string; 'aria-invalid': true | undefined };
  countries: SearchableCountry[];
  value: string;
  onChange: (code: string) => void;
}

/** An editable combobox with list autocomplete (ARIA practices); why not a library: docs/decisions/0004-eligibility-check.md */
export function CountryCombobox({ field, countries, value, onChange }: CountryComboboxProps) {
  const { t } = useTranslation('eligibility');
  const listId = useId();
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  /** Input since the last choice; null: the field shows the choice. */
  const [query, setQuery] = useState<string | null>(null);
  /** The choice that Escape restores while other text is being typed. */
  const [lastChoice, setLastChoice] = useState(value);
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);

  const nameOf = (code: string) => countries.find((country) => country.code === code)?.name ?? '';
  const matches = searchCountries(countries, query ?? '');
  const chosenIndex = matches.findIndex(({ code }) => code === value);
  const noMatch = matches.length === 0;
  /** The field was left with text that is not a country. */
  const unmatched = !open && Boolean(query) && value === '';
  const activeMatch = open ? matches[active] : undefined;

  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active, open]);

  function show(index: number) {
    setOpen(true);
    setActive(index);
  }

  function choose(code: string) {
    onChange(code);
    setLastChoice(code);
    setQuery(null);
    setOpen(false);
  }

  /** Text that matches only one country selects it immediately; other text selects none. */
  function type(text: string) {
    setQuery(text);
    onChange(onlyCountry(countries, text)?.code ?? '');
    show(text === '' ? -1 : 0);
  }

  function leave() {
    setOpen(false);
    if (query !== null && (value !== '' || query === '')) choose(value);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey) return;
    const last = matches.length - 1;
    const moves: Record<string, () => void> = {
      ArrowDown: () => show(open ? (active >= last ? 0 : active + 1) : Math.max(chosenIndex, 0)),
      ArrowUp: () => show(open ? (active <= 0 ? last : active - 1) : Math.max(chosenIndex, 0)),
      ...(open && {
        Enter: () => (activeMatch ? choose(activeMatch.code) : setOpen(false)),
        Escape: () => choose(query === null ? value : lastChoice),
      }),
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    move();
  }

  return (
    <div className="relative">
      <input type="hidden" name="country" value={value} />
      <input
        {...field}
        aria-invalid={field['aria-invalid'] ?? (unmatched || undefined)}
        ref={input}
        type="text"
        role="combobox"
        aria-expanded={open && !noMatch}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={activeMatch && `${listId}-${activeMatch.code}`}
        autoComplete="off"
        spellCheck={false}
        placeholder={t('country.placeholder')}
        value={query ?? nameOf(value)}
        onChange={(event) => type(event.target.value)}
        onClick={() => show(chosenIndex)}
        onKeyDown={onKeyDown}
        onBlur={leave}
        className="field pr-12 placeholder:text-ink"
      />
      <button
        type="button"
        tabIndex={-1}
        aria-label={t('country.openList')}
        aria-controls={listId}
        aria-expanded={open && !noMatch}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => {
          input.current?.focus();
          if (open) setOpen(false);
          else show(chosenIndex);
        }}
        className="absolute top-0 right-0 grid size-12 place-items-center"
      >
        <Icon name="chevron-down" />
      </button>
      <div
        ref={list}
        id={listId}
        role="listbox"
        tabIndex={-1}
        aria-label={t('country.label')}
        hidden={!open || noMatch}
        onMouseDown={(event) => event.preventDefault()}
        className="menu-panel inset-x-0 max-h-60 overflow-y-auto py-1"
      >
        {matches.map(({ code, name }, index) => (
          // Keyboard users reach the options from the field, through aria-activedescendant.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
          <div
            key={code}
            id={`${listId}-${code}`}
            role="option"
            aria-selected={code === value}
            onClick={() => choose(code)}
            className={`flex min-h-11 cursor-pointer items-center gap-2 px-3 hover:bg-sea ${index === active ? 'bg-sea outline-2 -outline-offset-2 outline-action' : ''}`}
          >
            <span className="grow">{name}</span>
            {code === value && <Icon name="check" className="size-4" />}
          </div>
        ))}
      </div>
      <p role="status" className={noMatch || unmatched ? 'mt-2 text-muted' : 'sr-only'}>
        {noMatch
          ? t('country.noMatch')
          : unmatched
            ? t('country.unknown')
            : open && query
              ? t('country.matches', { count: matches.length })
              : ''}
      </p>
    </div>
  );
}
