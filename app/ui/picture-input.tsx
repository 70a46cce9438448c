import type { ReactNode } from 'react';

import { IMAGE_PROBLEMS, type ImageProblem } from '~/applications/image';
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
    <label
      className={`button relative w-full sm:w-auto ${quiet ? 'button-quiet' : ''} focus-within:outline-3`}
    >
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

type PictureProblemsProps = {
  problem: (name: ImageProblem) => string;
  className?: string;
  children?: ReactNode;
};

/** Why a picture is not taken, said by the page's script: it shows one of the spans with `data-problem`. */
export function PictureProblems({ problem, className = '', children }: PictureProblemsProps) {
  return (
    <p data-failed hidden role="alert" className={`say say-look ${className}`}>
      <Icon name="triangle-alert" />
      {IMAGE_PROBLEMS.map((name) => (
        <span key={name} data-problem={name}>
          {problem(name)}
        </span>
      ))}
      {children}
    </p>
  );
}
