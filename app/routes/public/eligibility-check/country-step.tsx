import { Form, useNavigation } from '@remix-run/react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useHydrated } from 'remix-utils/use-hydrated';

import { COUNTRY_FORM } from '~/domain/wizard';
import { summaryItems } from '~/ui/error-summary';
import { Icon } from '~/ui/icon';
import { CountryCombobox } from './country-combobox';
import type { WizardRefusal } from './refusal';
import { Refused } from './refused';
import type { CountryView } from './view.server';
import { WizardProgress } from './wizard-progress';

const [{ name: FIELD_ID }] = COUNTRY_FORM;

/** Step 1: the country of citizenship. */
export function CountryStep({
  title,
  countries,
  chosen,
  refusal,
}: CountryView & { refusal: WizardRefusal | undefined }) {
  const { t } = useTranslation('eligibility');
  const hydrated = useHydrated();
  const navigation = useNavigation();
  const [country, setCountry] = useState(chosen);
  const select = useRef<HTMLSelectElement>(null);
  const [typing, setTyping] = useState(false);

  useEffect(() => {
    const native = select.current;
    if (!native) return;
    // The browser may have restored an earlier choice before hydration.
    setCountry(native.value);
    // On touch screens the native select is better. It is also kept while it has the focus.
    const pointer = window.matchMedia('(hover: hover) and (pointer: fine)').matches;
    setTyping(pointer && document.activeElement !== native);
  }, []);

  const items = summaryItems(COUNTRY_FORM, refusal, {
    problem: (_, problem) => t(`country.${problem === 'required' ? 'required' : 'unknown'}`),
  });
  const error = items[0]?.text;
  const field = {
    id: FIELD_ID,
    'aria-describedby': error ? 'country-error country-hint' : 'country-hint',
    'aria-invalid': error ? (true as const) : undefined,
  };
  return (
    <>
      <Refused refusal={refusal} items={items} />
      <WizardProgress step="country" countryChosen={country !== ''} />
      <h1 tabIndex={-1} className="text-h1">
        {title}
      </h1>
      <p className="mt-3 max-w-[60ch] text-lg">{t('country.intro')}</p>
      <Form method="post" action="/eligibility-check?step=country" noValidate={hydrated}>
        <div className="card mt-8 p-5 sm:p-8">
          <label htmlFor={FIELD_ID} className="block text-lg font-bold">
            {t('country.label')}
          </label>
          <p id="country-hint" className="text-muted">
            {t('country.hint')}
          </p>
          {error && (
            <p
              id="country-error"
              className="mt-2 flex items-center gap-2 font-semibold text-danger"
            >
              <Icon name="circle-alert" />
              {error}
            </p>
          )}
          <div className="mt-3 max-w-lg">
            {typing ? (
              <CountryCombobox
                field={field}
                countries={countries}
                value={country}
                onChange={setCountry}
              />
            ) : (
              <select
                {...field}
                ref={select}
                name="country"
                defaultValue={country}
                onChange={(event) => setCountry(event.target.value)}
                className="field country-select"
              >
                <option value="">{t('country.placeholder')}</option>
                {countries.map(({ code, name }) => (
                  <option key={code} value={code}>
                    {name}
                  </option>
                ))}
              </select>
            )}
          </div>
        </div>
        <button
          type="submit"
          className="button mt-6 w-full sm:w-auto"
          disabled={hydrated && (country === '' || navigation.state !== 'idle')}
        >
          {t('actions.continue')}
          <Icon name="arrow-right" />
        </button>
      </Form>
    </>
  );
}
