import { today } from '~/clock.server';
import { misspeltVariables, settingsVariables, siteOrigin } from '~/env.server';
import { isOffline } from '~/mode.server';
import { hasScript } from '~/settings/logo.server';
import {
  configurationProblems,
  siteLogo,
  siteSettings,
  unfinishedSettings,
} from '~/settings/settings.server';
import { moneyWarnings, oddFigures } from './money';
import type { Area, Finding } from './report';

const error = (text: string): Finding => ({ level: 'error', text });
const warning = (text: string): Finding => ({ level: 'warning', text });

/** Environment and settings: what stops the start, and what will do for a trial alone. */
export function configurationAreas(): {
  areas: Area[];
  /** Whether they are right, so that what depends on them can be checked. */
  hasEnvironment: boolean;
  hasSettings: boolean;
} {
  const problems = configurationProblems();
  const hasEnvironment = problems.environment.length === 0;
  const hasSettings = problems.settings.length === 0;
  const mode = () => (isOffline() ? 'offline mode' : 'a live site');
  const { siteConfig } = settingsVariables();
  return {
    areas: [
      {
        name: 'Environment',
        summary: hasEnvironment ? `${siteOrigin()}, ${mode()}` : 'the site does not start',
        findings: [...problems.environment.map(error), ...misspeltVariables().map(warning)],
      },
      {
        name: 'Settings',
        summary: hasSettings
          ? (siteConfig ?? 'the shipped ones, SITE_CONFIG names none')
          : 'the site does not start',
        findings: hasSettings
          ? [
              ...unfinishedSettings(),
              ...scriptInLogo(),
              ...oddFigures(siteSettings()),
              ...warningsOfMoney(hasEnvironment),
            ].map(warning)
          : problems.settings.map(error),
      },
    ],
    hasEnvironment,
    hasSettings,
  };
}

function scriptInLogo(): string[] {
  const logo = siteLogo();
  if (!logo || !hasScript(logo)) return [];
  return ['logo has a script, which no browser runs there; leave it out.'];
}

/** Nothing is sold offline, and without an environment nobody knows which mode it is. */
function warningsOfMoney(hasEnvironment: boolean): string[] {
  return hasEnvironment && !isOffline() ? moneyWarnings(siteSettings(), today()) : [];
}
