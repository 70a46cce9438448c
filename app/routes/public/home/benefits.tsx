import { useTranslation } from 'react-i18next';

import { DrawnGrid } from '~/ui/drawn-grid';

/**
 * What the service does, each with its drawing.
 *
 * @param phoneHours when the phone is answered; null: day and night
 */
export function Benefits({ phoneHours }: { phoneHours: string | null }) {
  const { t } = useTranslation('home');
  const items = [
    ['review', 'review'],
    ['fast', 'words'],
    [phoneHours === null ? 'support' : 'people', 'support'],
    ['secure', 'secure'],
  ] as const;
  return (
    <DrawnGrid
      items={items.map(([key, drawing]) => ({
        key,
        drawing,
        title: t(`benefits.${key}.title`),
        text: t(`benefits.${key}.text`, { hours: phoneHours }),
      }))}
    />
  );
}
