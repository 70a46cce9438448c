import { useTranslation } from 'react-i18next';

import type { Picture } from '~/domain/application/requests';

const SIZES = ['1', '2', '3', '4'] as const;
const TURNS = ['0', '90', '180', '270'] as const;

interface PhotoViewProps {
  kind: Picture;
  address: string;
  className?: string;
}

/**
 * A photo at the desk: whole, larger or turned, by radio buttons and `case.css` alone, so that nothing
 * that was typed is lost. What is larger than its place is moved there, by keys too.
 */
export function PhotoView({ kind, address, className = '' }: PhotoViewProps) {
  const { t } = useTranslation('desk-work');
  const name = t(`photo.alt.${kind}`);
  return (
    <section aria-label={name} className={`photo-view ${className}`}>
      <div className="flex flex-wrap gap-x-10 gap-y-2">
        <Keys name="zoom" {...{ kind }} choices={SIZES} />
        <Keys name="turn" {...{ kind }} choices={TURNS} />
      </div>
      <div
        role="group"
        aria-label={t(`photo.stage.${kind}`)}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls takes the focus
        tabIndex={0}
        className="photo-stage relative mt-2 flex items-start rounded-field bg-sea"
      >
        <img src={address} alt={name} loading="lazy" />
      </div>
    </section>
  );
}

type KeysProps = { name: 'zoom' | 'turn'; kind: Picture; choices: readonly string[] };
function Keys({ name, kind, choices }: KeysProps) {
  const { t } = useTranslation('desk-work');
  return (
    <fieldset className="flex flex-wrap gap-x-3">
      <legend className="font-[650]">{t(`photo.${name}`)}</legend>
      {choices.map((choice, index) => (
        <label key={choice} className="flex min-h-11 items-center gap-2">
          <input
            type="radio"
            name={`${name}-${kind}`}
            value={choice}
            defaultChecked={index === 0}
            className="size-6 accent-action"
          />
          {choice === '1' ? t('photo.whole') : name === 'zoom' ? `${choice}×` : `${choice}°`}
        </label>
      ))}
    </fieldset>
  );
}
