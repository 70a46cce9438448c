import { SESSION_LIFETIMES, TOKEN_LIFETIMES } from '~/domain/accounts';
import { formatDuration } from '~/i18n/format.server';
import type { Language } from '~/i18n/languages';
import { siteSettings } from '~/settings/settings.server';
import { copyValues } from './copy-values.server';
import type { FactViews } from './facts.server';

/** What the texts of the live half say besides: for how long things are kept, and waited for. */
export function liveCopyValues(facts: FactViews, language: Language) {
  const { answerDays, caseDays, draftDays } = siteSettings();
  return {
    ...copyValues(facts, language),
    answerDays,
    caseDays,
    draftDays,
    ...liveTimes(language),
  };
}

const HOUR_S = 60 * 60;

/** The same times with their unit, and those of cookies. */
export function liveTimes(language: Language) {
  const { answerDays, auditYears, caseDays, draftDays, mailDays, orderYears } = siteSettings();
  const days = (count: number) => formatDuration(count, 'day', language);
  const years = (count: number) => formatDuration(count, 'year', language);
  const { idle, most } = SESSION_LIFETIMES.traveller;
  return {
    answerTime: days(answerDays),
    caseTime: days(caseDays),
    draftTime: days(draftDays),
    mailTime: days(mailDays),
    auditTime: years(auditYears),
    orderTime: years(orderYears),
    sessionIdleTime: days(idle / (24 * HOUR_S)),
    sessionMostTime: days(most / (24 * HOUR_S)),
    signUpTime: formatDuration(TOKEN_LIFETIMES.verifyEmail / HOUR_S, 'hour', language),
  };
}
