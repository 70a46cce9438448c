import type { LoaderFunctionArgs } from '@remix-run/node';
import { useTranslation } from 'react-i18next';

import { languageOf, translator } from '~/i18n/server.server';
import { Icon } from '~/ui/icon';

export async function loader({ request }: LoaderFunctionArgs) {
  const t = translator(await languageOf(request));
  return {
    page: {
      title: t('placeholders:howItWorks.title'),
      description: t('placeholders:howItWorks.description'),
    },
  };
}

/** A stub, as the specification has it (section 2). */
export default function HowItWorks() {
  const { t } = useTranslation('placeholders');
  return (
    <div className="mx-auto max-w-2xl px-4 py-16 sm:py-24">
      <h1 className="text-h1">{t('howItWorks.title')}</h1>
      <p className="mt-4 text-lg">{t('howItWorks.text')}</p>
      <p className="mt-8">
        <a href="/" className="button">
          <Icon name="arrow-left" />
          {t('backHome')}
        </a>
      </p>
    </div>
  );
}
