import { today } from '../clock.server';
import { eligibilityContent } from '../eligibility/content.server';
import { factViews } from '~/facts.server';
import type { AllAnswers } from '../domain/application/answers';

/** A photo that is missing is a warning, and closes no step: the certification alone asks for it. */
export async function stepInput(all: AllAnswers, hasPhoto = true) {
  const { countries } = await eligibilityContent('en');
  const facts = await factViews('en');
  return {
    today: today(),
    lists: {
      programme_countries: countries.filter((one) => one.isEligible).map(({ code }) => code),
    },
    all,
    isSocialMediaRequired: facts.social_media_required?.value === 'true',
    isPortraitRequired: facts.portrait_required?.value === 'true',
    hasPhoto,
  };
}
