import { type SignedIn, userOf } from '~/accounts/session.server';
import { languageOf } from '~/i18n/server.server';
import { isOutboxShown } from '~/mail/shown.server';
import { companySamples, siteSettings } from '~/settings/settings.server';
import type { PublicData } from '~/ui/public-frame';
import { menuViews } from './menus.server';
import type { User } from './views';

/** What the footer says of the company. */
const CONTACT_DETAILS = ['name', 'address', 'email', 'phone'] as const;

/** Menus and footer, for all pages but those of the desk. */
export async function publicData(request: Request): Promise<PublicData> {
  const { company } = siteSettings();
  const { name, address, email, phone } = company;
  const samples = companySamples();
  const example = company.example || CONTACT_DETAILS.some((detail) => samples.has(detail));
  return {
    menus: menuViews(await languageOf(request)),
    company: { name, address, email, phone, example },
    user: userView(await userOf(request)),
    outbox: isOutboxShown(),
  };
}

/** Who is signed in, as the header shows it (specification, section 3). */
function userView(user: SignedIn['user'] | undefined): User | null {
  if (!user) return null;
  const { email, firstName, lastName } = user;
  return {
    email,
    user_metadata: {
      ...(firstName !== null && { first_name: firstName }),
      ...(lastName !== null && { last_name: lastName }),
    },
  };
}
