import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';

import type { PageHandle } from '~/http/page-handle';
import { languageOf, translator } from '~/i18n/server.server';
import { addressOf, type PlaceholderSection } from '~/site-map';
import { Closed } from '~/ui/closed';

/** All sections that are closed in this mode (specification, sections 2 and 8), and the stub. */
export const handle: PageHandle = { fromMemory: { parameters: [] } };

export async function loader({ request }: LoaderFunctionArgs) {
  const t = translator(await languageOf(request));
  const { words = '' } = addressOf(new URL(request.url).pathname);
  const section = words.replace('placeholders:', '') as PlaceholderSection;
  return {
    section,
    page: {
      title: t(`placeholders:${section}.title`),
      description: t('placeholders:description'),
      noindex: true,
    },
  };
}

export default function Placeholder() {
  const { section } = useLoaderData<typeof loader>();
  return <Closed section={section} />;
}
