import type { Language } from '~/i18n/languages';
import { translator } from '~/i18n/server.server';
import type { StepProblem } from './application-views';

/** Why the form of a step is shown again, in words. */
export function stepProblem(
  name: 'invalid' | 'conflict' | 'away' | 'tooMany',
  language: Language,
  values: Record<string, string | number> = {},
): StepProblem {
  const t = translator(language);
  return {
    title: t(`application:problems.${name}.title`, values),
    text: t(`application:problems.${name}.text`, values),
  };
}

/**
 * It is not open in this browser any more: how to open it again, and keep what was typed.
 *
 * @param here the path of the form
 */
export function closedProblem(language: Language, here: string): StepProblem {
  const t = translator(language);
  return {
    title: t('application:problems.closed.title'),
    text: t('application:problems.closed.text'),
    ways: [
      {
        href: `/auth?${new URLSearchParams({ returnTo: here })}`,
        label: t('application:problems.closed.signIn'),
      },
      { href: '/application/status', label: t('application:problems.closed.link') },
    ],
    after: t('application:problems.closed.after'),
  };
}

/** It was certified meanwhile, such as in another window. */
export function certifiedProblem(language: Language, applicationId: string): StepProblem {
  const t = translator(language);
  return {
    title: t('application:problems.certified.title'),
    text: t('application:problems.certified.text'),
    ways: [
      {
        href: `/application/${applicationId}/overview`,
        label: t('application:problems.certified.link'),
      },
    ],
  };
}
