import type { InputHTMLAttributes, ReactNode } from 'react';

import { IMAGE_PROBLEMS, type ImageProblem } from '~/applications/image';
import { Icon } from './elements';

/** `capture`: the camera that takes the picture; otherwise one is chosen. */
type PictureInputProps = InputHTMLAttributes<HTMLInputElement> & {
  icon: 'camera' | 'image';
  label: string;
  quiet?: true;
};

/** A button that chooses a picture: the browser's own words for that are in its own language. */
export function PictureInput({ icon, label, quiet, ...input }: PictureInputProps) {
  return (
    <label
      className={`button relative w-full sm:w-auto ${quiet ? 'button-quiet' : ''} focus-within:outline-3`}
    >
      <input
        {...input}
        type="file"
        accept="image/jpeg,image/png"
        className="absolute inset-0 size-full cursor-pointer opacity-0"
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
