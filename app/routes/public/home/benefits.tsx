import { useTranslation } from 'react-i18next';

import { DrawnGrid } from '~/ui/drawn-grid';

const BENEFITS = [
  ['review', 'review'],
  ['fast', 'words'],
  ['support', 'support'],
  ['secure', 'secure'],
] as const;

/** What the service does, each with its drawing. */
export function Benefits({ values }: { values: Record<string, string | number> }) {
  const { t } = useTranslation('home');
  return (
    <DrawnGrid
      items={BENEFITS.map(([key, drawing]) => ({
        key,
        drawing,
        title: t(`benefits.${key}.title`),
        text: t(`benefits.${key}.text`, values),
      }))}
    />
  );
}
