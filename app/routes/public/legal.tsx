import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { copyValues } from '~/content/copy-values.server';
import { factViews } from '~/content/facts.server';
import type { PageHandle } from '~/http/page-handle';
import { languageOf, translator } from '~/i18n/server.server';
import { siteSettings } from '~/settings/settings.server';
import { addressOf, type LegalSection } from '~/site-map';

type Sections = Record<string, { title: string; text: string }>;

/** All legal pages; the site map assigns the texts to a path. */
export const handle: PageHandle = { fromMemory: { parameters: [] } };

export async function loader({ request }: LoaderFunctionArgs) {
  const language = await languageOf(request);
  const t = translator(language);
  const { words = '' } = addressOf(new URL(request.url).pathname);
  const name = words.replace('legal:', '') as LegalSection;
  const values = copyValues(await factViews(language), language);
  const sections = t(`legal:${name}.sections`, { returnObjects: true, ...values }) as Sections;
  return {
    name,
    values,
    sections: Object.entries(sections).map(([id, section]) => ({ id, ...section })),
    example: siteSettings().company.example,
    page: {
      title: t(`legal:${name}.title`),
      description: t(`legal:${name}.description`, values),
    },
  };
}

export default function Legal() {
  const { t } = useTranslation('legal');
  const { name, values, sections, example } = useLoaderData<typeof loader>();
  return (
    <article className="mx-auto max-w-3xl px-4 py-12 sm:py-16">
      <h1 className="text-h1 hyphens-auto">{t(`${name}.title`)}</h1>
      {example && (
        <p className="mt-6 rounded-field bg-info-soft p-4 font-semibold">{t('draftNotice')}</p>
      )}
      <p className="mt-6 max-w-[66ch] text-lg">{t(`${name}.intro`, values)}</p>
      {sections.map(({ id, title, text }) => (
        <section key={id} className="mt-10">
          <h2 className="text-2xl">{title}</h2>
          {text.split('\n\n').map((block) => (
            <Block key={block} text={block} />
          ))}
        </section>
      ))}
      <p className="mt-10 text-muted">{t('updated', { date: values['date'] })}</p>
    </article>
  );
}

/** A paragraph, or a list if the lines start with a dash. */
function Block({ text }: { text: string }) {
  if (!text.startsWith('- ')) return <p className="mt-3 max-w-[66ch]">{text}</p>;
  return (
    <ul className="mt-3 max-w-[66ch] list-disc pl-6">
      {text.split('\n').map((line) => (
        <li key={line}>{line.replace(/^- /, '')}</li>
      ))}
    </ul>
  );
}
