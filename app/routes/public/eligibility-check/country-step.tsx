import { Form, useNavigation } from '@remix-run/react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useHydrated } from 'remix-utils/use-hydrated';

import { COUNTRY_FORM } from '~/domain/wizard';
import { Icon, PageHeading, Say, Submit } from '~/ui/elements';
import { CountrySelect } from '~/ui/country-select';
import { PAGE_FORM } from '~/ui/root-data';
import { Blank, Blanks, Ticket } from '~/ui/ticket';
import { CountryCombobox } from '~/ui/country-combobox';
import { Refused, WizardProgress } from './wizard-progress';
import type { CountryView } from '~/eligibility/wizard.server';
import type { Refusal } from '~/http/form.server';

const [{ name: FIELD_ID }] = COUNTRY_FORM;
const NEXT = ['questions', 'result', 'choice'] as const;

export function CountryStep({
  title,
  countries,
  chosen,
  refusal,
}: CountryView & { refusal: Refusal | undefined }) {
  const { t } = useTranslation('eligibility');
  const hydrated = useHydrated();
  const navigation = useNavigation();
  const [country, setCountry] = useState(refusal?.values['country'] ?? chosen);
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

  const words = {
    problem: (_: string, problem: string) =>
      t(`country.${problem === 'required' ? 'required' : 'unknown'}`),
  };
  const code = refusal?.errors[FIELD_ID];
  const error = code && words.problem(FIELD_ID, code);
  const field = {
    id: FIELD_ID,
    'aria-describedby': error ? 'country-error country-hint' : 'country-hint',
    'aria-invalid': error ? (true as const) : undefined,
  };
  return (
    <div className="wrap pt-5">
      <Refused {...{ refusal, words }} />
      <WizardProgress step="country" countryChosen={country !== ''} />
      <div className="grid items-start gap-x-16 gap-y-6 lg:grid-cols-[1.08fr_1fr] lg:grid-rows-[auto_1fr]">
        <div>
          <PageHeading title={title} lead={t('country.intro')} />
        </div>
        <Form
          id={PAGE_FORM}
          method="post"
          action="/eligibility-check?step=country"
          noValidate={hydrated}
          className="lg:row-span-2"
        >
          <Ticket
            stop="check"
            stub={
              <>
                <Submit
                  aria-describedby="country-missing"
                  disabled={hydrated && (country === '' || navigation.state !== 'idle')}
                  look="w-full"
                  words={t('actions.continue')}
                  after="arrow-right"
                />
                {/* Why Continue is inactive; its place is kept, so that nothing moves. */}
                <p
                  id="country-missing"
                  className={`mt-2 text-center text-sm text-muted ${hydrated && country === '' && !error ? '' : 'invisible'}`}
                >
                  {t('country.required')}
                </p>
              </>
            }
          >
            <div className={`relative mt-4 ${error ? 'wrong' : ''}`}>
              <label htmlFor={FIELD_ID} className="text-xl leading-tight font-bold">
                {t('country.label')}
              </label>
              <p id="country-hint" className="text-sm text-muted">
                {t('country.hint')}
              </p>
              {error && (
                <p id="country-error" className="mt-2 flex gap-2 font-semibold text-bad">
                  <Icon name="circle-alert" className="mt-1 size-5" />
                  {error}
                </p>
              )}
              <div className="mt-2">
                {typing ? (
                  <CountryCombobox
                    field={field}
                    countries={countries}
                    value={country}
                    onChange={setCountry}
                  />
                ) : (
                  <CountrySelect
                    {...field}
                    ref={select}
                    name="country"
                    defaultValue={country}
                    onChange={(event) => setCountry(event.target.value)}
                    countries={countries}
                  />
                )}
              </div>
            </div>
            <Blanks className="mt-5 max-sm:hidden">
              <Blank label={t('progress.questions')} />
              <Blank label={t('progress.result')} />
            </Blanks>
          </Ticket>
        </Form>
        <Next />
      </div>
    </div>
  );
}

function Next() {
  const { t } = useTranslation('eligibility');
  return (
    <div className="max-w-[36rem]">
      <h2 className="text-lg">{t('country.nextTitle')}</h2>
      <ol className="route mt-3">
        {NEXT.map((name) => (
          <li key={name}>{t(`country.next.${name}`)}</li>
        ))}
      </ol>
      <Say icon="info" className="mt-6" words={t('country.two')} />
    </div>
  );
}
