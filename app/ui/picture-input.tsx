import { Icon } from './elements';

interface PictureInputProps {
  icon: 'camera' | 'image';
  label: string;
  /** The camera that takes the picture; otherwise one is chosen. */
  capture?: 'environment' | 'user';
  quiet?: true;
}

/** A button that chooses a picture: the browser's own words for that are in its own language. */
export function PictureInput({ icon, label, capture, quiet }: PictureInputProps) {
  return (
    <label className={`button relative ${quiet ? 'button-quiet' : ''} focus-within:outline-3`}>
      <input
        type="file"
        accept="image/jpeg,image/png"
        capture={capture}
        className="absolute inset-0 cursor-pointer opacity-0"
      />
      <Icon name={icon} />
      {label}
    </label>
  );
}
