import { formatNumber, formatPercent } from '~/i18n/format.server';
import type { Language } from '~/i18n/languages';
import { areClaimsExamples, siteSettings } from '~/settings/settings.server';
import type { ClaimsView } from './views';

/** The operator's own figures as text, or examples of them; those that are switched off are left out. */
export function claimsView(language: Language): ClaimsView {
  const { approvalRate, applications, processing } = siteSettings().claims;
  return {
    areExamples: areClaimsExamples(),
    ...(approvalRate.shown && { approval: formatPercent(approvalRate.percent, language) }),
    ...(applications.shown && { applications: `${formatNumber(applications.count, language)}+` }),
    ...(processing.shown && { processing: `${processing.fromHours}–${processing.toHours}\u00a0h` }),
  };
}
