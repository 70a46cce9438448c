import { useTranslation } from 'react-i18next';

const SIZES = ['1', '2', '3', '4'] as const;
const TURNS = ['0', '90', '180', '270'] as const;

/**
 * The photo to type from: whole, larger or turned, by radio buttons and `case.css` alone, so that nothing
 * that was typed is lost. What is larger than its place is moved there, by keys too.
 */
export function PhotoView({ address }: { address: string }) {
  const { t } = useTranslation('desk-work');
  return (
    <section aria-label={t('lines.photo')} className="photo-view mt-6">
      <div className="flex flex-wrap gap-x-10 gap-y-2">
        <Keys name="zoom" choices={SIZES} />
        <Keys name="turn" choices={TURNS} />
      </div>
      <div
        role="region"
        aria-label={t('lines.stage')}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls takes the focus
        tabIndex={0}
        className="photo-stage relative mt-2 flex items-start rounded-field bg-sea"
      >
        <img src={address} alt={t('lines.photo')} />
      </div>
    </section>
  );
}

type KeysProps = { name: 'zoom'; choices: typeof SIZES } | { name: 'turn'; choices: typeof TURNS };

function Keys({ name, choices }: KeysProps) {
  const { t } = useTranslation('desk-work');
  return (
    <fieldset className="flex flex-wrap gap-x-3">
      <legend className="font-[650]">{t(`lines.${name}`)}</legend>
      {choices.map((choice, index) => (
        <label key={choice} className="flex min-h-11 items-center gap-2">
          <input
            type="radio"
            name={name}
            value={choice}
            defaultChecked={index === 0}
            className="size-6"
          />
          {choice === '1' ? t('lines.whole') : name === 'zoom' ? `${choice}×` : `${choice}°`}
        </label>
      ))}
    </fieldset>
  );
}
