import { today } from '../clock.server';
import { eligibilityContent } from '../eligibility/content.server';
import { factViews } from '../content/facts.server';
import type { AllAnswers } from '../domain/application/answers';
import { COUNTRY_CODES, US_STATES } from '../domain/application/country-codes';
import type { StepInput } from '../domain/application/validate-step';

export async function stepInput(all: AllAnswers, { hasPhoto }: Pick<StepInput, 'hasPhoto'>) {
  const { countries } = await eligibilityContent('en');
  const facts = await factViews('en');
  return {
    today: today(),
    lists: {
      countries: COUNTRY_CODES,
      us_states: US_STATES,
      programme_countries: countries.filter((one) => one.isEligible).map(({ code }) => code),
    },
    all,
    isSocialMediaRequired: facts.social_media_required?.value === 'true',
    isPortraitRequired: facts.portrait_required?.value === 'true',
    hasPhoto,
  };
}
