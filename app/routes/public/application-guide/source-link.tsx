import { Icon } from '~/ui/icon';

/** A link to a source; its URL is printed. */
export function SourceLink({ label, url }: { label: string; url: string }) {
  return (
    <a href={url} rel="noreferrer" className="inline-block py-2">
      {label} <Icon name="external-link" className="inline size-4 align-[-0.125em] print:hidden" />
      <span className="hidden print:inline">{`(${url})`}</span>
    </a>
  );
}
