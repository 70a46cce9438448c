import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData, useLocation } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { factViews } from '~/facts.server';
import { legalText } from '~/public/legal.server';
import type { PageHandle } from '~/live.server';
import { languageOf } from '~/i18n/locale.server';
import { siteMode } from '~/mode.server';
import { companySamples, siteSettings } from '~/settings/settings.server';
import { matchAddress, type LegalSection } from '~/site-map';
import { Fold, Part, Say, TextLink } from '~/ui/elements';
import { usePublicData } from '~/ui/public-frame';

export const handle: PageHandle = { fromMemory: { parameters: [] } };

export async function loader({ request }: LoaderFunctionArgs) {
  const language = await languageOf(request);
  const { words = '' } = matchAddress(new URL(request.url).pathname, siteMode());
  const name = words.replace('legal:', '') as LegalSection;
  const { title, description, ...text } = legalText(name, language, await factViews(language));
  return {
    ...text,
    example: siteSettings().company.example || companySamples().size > 0,
    page: { title, description },
  };
}

export default function Legal() {
  const { t } = useTranslation('legal');
  const { page, intro, sections, date, example } = useLoaderData<typeof loader>();
  const { pathname } = useLocation();
  const others = (usePublicData()?.menus.legal ?? []).filter(({ href }) => href !== pathname);
  return (
    <article className="wrap pt-5 sm:pt-12">
      <h1 className="text-h1 hyphens-auto">{page.title}</h1>
      {example && <Say icon="info" className="mt-6 max-w-[46rem]" words={t('draftNotice')} />}
      <p className="lead mt-6">{intro}</p>
      <div className="grid gap-x-16 lg:grid-cols-[minmax(0,46rem)_1fr]">
        {sections.length > 6 && <Contents sections={sections} />}
        <div className="lg:row-start-1">
          {sections.map(({ id, title, text }) => (
            <section key={id} id={`section-${id}`} className="mt-8 sm:mt-10">
              <h2 className="text-xl">{title}</h2>
              {text.split('\n\n').map((block) => (
                <Block key={block} text={block} />
              ))}
            </section>
          ))}
        </div>
      </div>
      <p className="mt-10 text-muted">{t('updated', { date })}</p>
      <ul className="mt-10 flex flex-wrap gap-x-6 border-t border-rule pt-6 print:hidden">
        {others.map(({ href, label }) => (
          <li key={href}>
            <TextLink href={href} words={label} />
          </li>
        ))}
      </ul>
    </article>
  );
}

/** A paragraph, a list if the lines start with a dash, a table if they start with a bar, or a heading. */
function Block({ text }: { text: string }) {
  if (text.startsWith('### ')) return <h3 className="mt-5 text-base">{text.slice(4)}</h3>;
  if (text.startsWith('| ')) return <Table lines={text.split('\n')} />;
  if (!text.startsWith('- ')) return <p className="mt-3 max-w-[40em]">{text}</p>;
  return (
    <ul className="mt-3 max-w-[40em] list-disc pl-6">
      {text.split('\n').map((line) => (
        <li key={line}>{line.replace(/^- /, '')}</li>
      ))}
    </ul>
  );
}

/** Its first line has the heads of the columns; the cells of each line are between bars. */
function Table({ lines }: { lines: string[] }) {
  const [heads = [], ...rows] = lines.map((line) => line.slice(2, -2).split(' | '));
  return (
    <table className="mt-3 w-full max-w-[40em] table-fixed text-left text-sm hyphens-auto">
      <thead>
        <tr className="border-b border-rule">
          {heads.map((head) => (
            <th key={head} scope="col" className="py-2 pr-3 first:w-1/4">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, ...cells]) => (
          <tr key={name} className="border-b border-rule align-top">
            <th scope="row" className="py-2 pr-3">
              {name}
            </th>
            {cells.map((cell) => (
              <td key={cell} className="py-2 pr-3 wrap-anywhere">
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Contents({ sections }: { sections: { id: string; title: string }[] }) {
  const { t } = useTranslation('legal');
  const list = (
    <ol className="grid text-sm">
      {sections.map(({ id, title }) => (
        <li key={id}>
          <a href={`#section-${id}`} className="inline-block py-2.5 leading-snug lg:py-1.5">
            {title}
          </a>
        </li>
      ))}
    </ol>
  );
  return (
    <>
      <Fold title={t('contents')} className="mt-6 border-t border-rule lg:hidden">
        <div className="pb-4">{list}</div>
      </Fold>
      <Part
        as="nav"
        id="contents"
        title={t('contents')}
        size="text-base"
        className="mt-10 max-lg:hidden lg:sticky lg:top-6 lg:col-start-2 lg:max-w-xs lg:self-start lg:justify-self-end print:hidden"
      >
        <div className="mt-2">{list}</div>
      </Part>
    </>
  );
}
