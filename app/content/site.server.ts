import { LOGO_PATH } from '~/settings/logo.server';
import { siteLogo, siteSettings } from '~/settings/settings.server';
import type { SiteView } from './views';

/** In pixels; the header has room for no more. */
const LOGO_HEIGHT = 40;
const MAX_LOGO_WIDTH = 120;

/** The site's name, and the operator's logo with the room that it takes in the header. */
export function siteView(): SiteView {
  const { siteName: name } = siteSettings();
  const logo = siteLogo();
  if (!logo) return { name, logo: null };
  const width = Math.min(Math.max(Math.round(LOGO_HEIGHT * logo.ratio), 1), MAX_LOGO_WIDTH);
  return { name, logo: LOGO_PATH, logoSize: { width, height: LOGO_HEIGHT } };
}
