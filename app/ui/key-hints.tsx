import { Trans, useTranslation } from 'react-i18next';

import { Tick } from './field';

/**
 * Which keys there are; a script shows it, and listens to them while the box is ticked: who speaks to a
 * computer must be able to turn keys of one letter off (WCAG 2.1.4).
 */
export function KeyHints() {
  const { t } = useTranslation('desk-worklist');
  return (
    <p hidden data-key-hints className="mt-6 text-sm text-muted">
      <Tick defaultChecked>
        <Trans
          t={t}
          i18nKey="keys"
          components={{
            key: (
              <kbd className="rounded-[4px] border border-rule bg-surface px-[0.4rem] py-[0.05rem] font-[family-name:inherit] text-[0.9em]" />
            ),
          }}
        />
      </Tick>
    </p>
  );
}
