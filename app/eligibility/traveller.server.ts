import { z } from 'zod/v4';
import { countriesIfRead } from './content.server';
import { signedCookie } from '~/http/cookies.server';
import type { Language } from '~/i18n/languages';

/** The country chosen last in the eligibility check; nothing about the answers. */
export const countryCookie = signedCookie('country', z.string().length(2), {
  maxAge: 2 * 60 * 60,
  readOn: ['/application-guide', '/application/new/step-1', '/contact', '/eligibility-check'],
});

export async function preferredCountryOf(request: Request, language: Language) {
  const code = await countryCookie.read(request);
  if (!code) return undefined;
  const country = (await countriesIfRead(language))?.find((candidate) => candidate.code === code);
  return country && { country: country.name, inProgramme: country.isEligible };
}
export type Traveller = NonNullable<Awaited<ReturnType<typeof preferredCountryOf>>>;
