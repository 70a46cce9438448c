import type { DetailsHTMLAttributes, ReactNode } from 'react';

interface MenuProps extends DetailsHTMLAttributes<HTMLDetailsElement> {
  label: string;
  /** What is seen of the button. */
  button: ReactNode;
  /** Classes of what opens under it. */
  panel: string;
}

export function Menu({ label, button, panel, children, ...details }: MenuProps) {
  return (
    <details data-menu {...details}>
      <summary aria-label={label} className="menu-button">
        {button}
      </summary>
      <div className={`menu-panel ${panel}`}>{children}</div>
    </details>
  );
}
