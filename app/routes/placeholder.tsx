import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { placeholderFor } from '~/domain/placeholders';
import { languageOf, translator } from '~/i18n/server.server';
import { Icon } from '~/ui/icon';

/** Every section that is switched off in offline mode. */
export const handle = { fromMemory: { parameters: [] } };

export async function loader({ request }: LoaderFunctionArgs) {
  const t = translator(await languageOf(request));
  const section = placeholderFor(new URL(request.url).pathname);
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
  const { t } = useTranslation('placeholders');
  return (
    <div className="mx-auto max-w-2xl px-4 py-16 sm:py-24">
      <h1 className="text-h1">{t(`${section}.title`)}</h1>
      <p className="mt-4 text-lg">{t(`${section}.text`)}</p>
      <p className="mt-8">
        <a href="/" className="button">
          <Icon name="arrow-left" />
          {t('backHome')}
        </a>
      </p>
    </div>
  );
}
