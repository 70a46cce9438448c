import { Icon } from '~/ui/icon';
import type { ProgressView } from './progress.server';

/** What to do, and what not to expect, from the official fee on. */
export function Progress({ view }: { view: ProgressView }) {
  const { title, lead, number, items, after, links } = view;
  return (
    <section aria-labelledby="progress" className="card mt-8 max-w-[48rem] p-4 sm:p-6">
      <h2 id="progress" className="text-xl">
        {title}
      </h2>
      {lead && <p className="mt-2 text-lg font-bold">{lead}</p>}
      {number && (
        <dl className="mt-3">
          <dt className="text-sm text-muted">{number.label}</dt>
          <dd className={number.value ? 'machine text-lg font-bold' : 'text-sm'}>
            {number.value ?? number.hidden}
          </dd>
        </dl>
      )}
      <ul className="mt-3 grid list-disc gap-2 pl-5">
        {items.map((item) => (
          <li key={item} className="wrap-anywhere">
            {item}
          </li>
        ))}
      </ul>
      {after.map((text) => (
        <p key={text} className="mt-3">
          {text}
        </p>
      ))}
      {links.length > 0 && (
        <ul className="mt-3">
          {links.map(({ href, words, isOfficial }) => (
            <li key={href}>
              <a
                href={href}
                rel={isOfficial ? 'noreferrer' : undefined}
                className="inline-flex min-h-11 items-center gap-2"
              >
                {words}
                {isOfficial && <Icon name="external-link" />}
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
