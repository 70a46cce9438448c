import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { type SearchableCountry, searchCountries } from '~/domain/country-search';
import { Icon } from '~/ui/icon';

interface CountryComboboxProps {
  /** Id and descriptions, shared with the native list that this stands in for. */
  field: { id: string; 'aria-describedby': string; 'aria-invalid': true | undefined };
  countries: SearchableCountry[];
  /** The chosen country's code, or an empty string. */
  value: string;
  onChange: (code: string) => void;
}

/**
 * The country list with type-ahead, after the ARIA practices for an editable combobox with list
 * autocomplete. Why not a library: docs/decisions/0006-country-combobox.md
 */
export function CountryCombobox({ field, countries, value, onChange }: CountryComboboxProps) {
  const { t } = useTranslation('eligibility');
  const listId = useId();
  const nameOf = (code: string) => countries.find((country) => country.code === code)?.name ?? '';
  /** What was typed since the last choice; null: the field shows the choice. */
  const [query, setQuery] = useState<string | null>(null);
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const list = useRef<HTMLDivElement>(null);
  const matches = searchCountries(countries, query ?? '');
  const optionId = (index: number) => `${listId}-${index}`;

  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active, open]);

  function show(index: number) {
    setOpen(true);
    setActive(index);
  }

  function choose(code: string) {
    onChange(code);
    setQuery(null);
    setOpen(false);
    setActive(-1);
  }

  function type(text: string) {
    setQuery(text);
    // What is typed is no choice yet, but an emptied field is none any more.
    if (text === '') onChange('');
    show(text === '' ? -1 : 0);
  }

  /** Leaving the field takes what was typed if it can only mean one country, else the old choice. */
  function leave() {
    const [only, ...others] = query ? matches : [];
    choose(only && others.length === 0 ? only.code : value);
  }

  function onKeyDown(event: KeyboardEvent) {
    const last = matches.length - 1;
    const chosen = matches.findIndex(({ code }) => code === value);
    const moves: Record<string, () => void> = {
      ArrowDown: () => show(open ? (active >= last ? 0 : active + 1) : Math.max(chosen, 0)),
      ArrowUp: () => show(open ? (active <= 0 ? last : active - 1) : chosen < 0 ? last : chosen),
      Enter: () => {
        const match = matches[active];
        if (match) choose(match.code);
      },
      Escape: () => {
        setOpen(false);
        setQuery(null);
      },
    };
    const move = moves[event.key];
    if (!move || (event.key === 'Enter' && !open)) return;
    event.preventDefault();
    move();
  }

  return (
    <div className="relative">
      <input type="hidden" name="country" value={value} />
      <input
        {...field}
        type="text"
        role="combobox"
        aria-expanded={open}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={open && active >= 0 ? optionId(active) : undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder={t('country.placeholder')}
        value={query ?? nameOf(value)}
        onChange={(event) => type(event.target.value)}
        onClick={() => show(matches.findIndex(({ code }) => code === value))}
        onKeyDown={onKeyDown}
        onBlur={leave}
        className="field pr-12 placeholder:text-ink"
      />
      <button
        type="button"
        tabIndex={-1}
        aria-label={t('country.openList')}
        aria-controls={listId}
        aria-expanded={open}
        onPointerDown={(event) => {
          // The focus belongs in the field.
          event.preventDefault();
          document.getElementById(field.id)?.focus();
          if (open) setOpen(false);
          else show(-1);
        }}
        className="absolute inset-y-0 right-0 grid w-12 place-items-center"
      >
        <Icon name="chevron-down" />
      </button>
      <div
        ref={list}
        id={listId}
        role="listbox"
        aria-label={t('country.label')}
        hidden={!open}
        className="card absolute inset-x-0 z-10 mt-1 max-h-60 overflow-y-auto py-1 shadow-lg"
      >
        {matches.map(({ code, name }, index) => (
          // The keyboard reaches the options through the field, by aria-activedescendant.
          // eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
          <div
            key={code}
            id={optionId(index)}
            role="option"
            aria-selected={code === value}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => choose(code)}
            className={`flex min-h-11 cursor-pointer items-center gap-2 px-3 hover:bg-pine-soft ${index === active ? 'bg-pine-soft outline-2 -outline-offset-2 outline-pine' : ''}`}
          >
            <span className="grow">{name}</span>
            {code === value && <Icon name="check" className="size-4" />}
          </div>
        ))}
        {matches.length === 0 && <div className="px-3 py-2 text-muted">{t('country.noMatch')}</div>}
      </div>
      <p role="status" className="sr-only">
        {open && query
          ? matches.length === 0
            ? t('country.noMatch')
            : t('country.matches', { count: matches.length })
          : ''}
      </p>
    </div>
  );
}
