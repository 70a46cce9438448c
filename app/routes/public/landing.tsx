import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { copyValues } from '~/content/copy-values.server';
import { CAMPAIGN_PARAMETERS, landingPage } from '~/domain/landing';
import { factViews } from '~/content/facts.server';
import type { PageHandle } from '~/http/page-handle';
import { languageOf, translator } from '~/i18n/server.server';
import { PageHeading } from '~/ui/page-heading';
import { Icon } from '~/ui/icon';

/** The parameters that `landingPage` reads. */
export const handle: PageHandle = { fromMemory: { parameters: CAMPAIGN_PARAMETERS } };

/**
 * A campaign's landing page. An unknown variant is a 404: docs/decisions/0011-landing-variants.md
 */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const language = await languageOf(request);
  const t = translator(language);
  const landing = landingPage(params['variant'] ?? '', new URL(request.url).searchParams);
  if (!landing) throw new Response(null, { status: 404 });
  const values = copyValues(await factViews(language), language);
  return {
    ...landing,
    values,
    page: {
      title: t(`landing:${landing.words}.title`, values),
      description: t(`landing:${landing.words}.description`, values),
      noindex: true,
    },
  };
}

const POINTS = ['one', 'two', 'three'] as const;

export default function Landing() {
  const { t } = useTranslation('landing');
  const { words, href, values } = useLoaderData<typeof loader>();
  return (
    <div className="mx-auto max-w-3xl px-4 py-12 sm:py-20">
      <PageHeading title={t(`${words}.title`, values)} lead={t(`${words}.lead`, values)} />
      <ul className="mt-8 grid gap-3">
        {POINTS.map((point) => (
          <li key={point} className="flex gap-3 text-lg">
            <Icon name="check" className="mt-1 size-6 text-pine" />
            {t(`${words}.${point}`, values)}
          </li>
        ))}
      </ul>
      <p className="mt-8">
        <a href={href} className="button">
          {t(`${words}.button`)}
          <Icon name="arrow-right" />
        </a>
      </p>
      <p className="mt-6 text-muted">{t('honesty', values)}</p>
    </div>
  );
}
