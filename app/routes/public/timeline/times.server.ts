import { factText, type FactViews } from '~/content/facts.server';
import { formatDuration, formatPercent } from '~/i18n/format.server';
import type { Language } from '~/i18n/languages';
import { translator } from '~/i18n/server.server';
import { siteSettings } from '~/settings/settings.server';

/**
 * The possible outcomes of an application, with the operator's own estimates unless they are
 * switched off.
 */
export function scenarioViews(language: Language, facts: FactViews) {
  const t = translator(language);
  const { outcomes, processing } = siteSettings().claims;
  const hours = (count: number) => formatDuration(count, 'hour', language);
  const share = (percent: number) => (outcomes.shown ? formatPercent(percent, language) : null);
  const official = t('timeline:times.refused.time', {
    processing: factText(facts.official_processing_up_to, language),
  });
  return [
    {
      name: 'approved' as const,
      share: share(outcomes.approved),
      time: t('timeline:times.approved.time'),
    },
    {
      name: 'pending' as const,
      share: share(outcomes.pending),
      time: processing.shown
        ? t('timeline:times.pending.time', {
            from: processing.fromHours,
            to: hours(processing.toHours),
          })
        : official,
    },
    {
      name: 'refused' as const,
      share: share(outcomes.refused),
      time: official,
    },
  ];
}
export type ScenarioView = ReturnType<typeof scenarioViews>[number];
