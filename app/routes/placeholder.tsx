import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';

import { meanwhileView } from '~/content/meanwhile.server';
import type { PageHandle } from '~/http/page-handle';
import { languageOf, translator } from '~/i18n/server.server';
import { isOffline, siteMode } from '~/mode.server';
import { addressOf, type PlaceholderSection } from '~/site-map';
import { Closed } from '~/ui/closed';
import { Accordion, StationList } from '~/ui/section';

/** All sections that are closed in this mode (specification, sections 2 and 8), and the stub. */
export const handle: PageHandle = { fromMemory: { parameters: [] } };

export async function loader({ request }: LoaderFunctionArgs) {
  const language = await languageOf(request);
  const t = translator(language);
  const { words = '' } = addressOf(new URL(request.url).pathname, siteMode());
  const section = words.replace('placeholders:', '') as PlaceholderSection;
  return {
    section,
    isSoon: !isOffline(),
    meanwhile: await meanwhileView(section, language),
    page: {
      title: t(`placeholders:${section}.title`),
      description: t('placeholders:description'),
      noindex: true,
    },
  };
}

/** A closed section: the notice, what there is of it already, and ways on. */
export default function Placeholder() {
  const { section, isSoon, meanwhile } = useLoaderData<typeof loader>();
  const { ways, documents, questions, steps } = meanwhile;
  return (
    <Closed section={section} isSoon={isSoon} ways={ways}>
      {documents && (
        <section lang={documents.language} aria-labelledby="list">
          <h2 id="list" className="text-2xl">
            {documents.title}
          </h2>
          <ul className="mt-4 grid list-disc gap-2 pl-6">
            {documents.list.map((item) => (
              <li key={item}>{item}</li>
            ))}
          </ul>
        </section>
      )}
      {questions.length > 0 && <Accordion name="faq" items={questions} />}
      {steps && (
        <section aria-labelledby="steps">
          <h2 id="steps" className="mb-6 text-2xl">
            {steps.title}
          </h2>
          <StationList items={steps.items} />
        </section>
      )}
    </Closed>
  );
}
