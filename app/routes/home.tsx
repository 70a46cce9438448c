import type { LoaderFunctionArgs } from '@remix-run/node';
import { useTranslation } from 'react-i18next';

import { RETENTION_DAYS } from '~/domain/retention';
import { WIZARD_STEPS } from '~/domain/wizard';
import { languageOf, translator } from '~/i18n/server.server';
import { Icon } from '~/ui/icon';

export async function loader({ request }: LoaderFunctionArgs) {
  const t = translator(await languageOf(request));
  return { page: { title: t('home:title'), description: t('home:description') } };
}

export default function Home() {
  const { t } = useTranslation('home');
  return (
    <div className="mx-auto max-w-5xl px-4">
      <section className="max-w-3xl py-12 sm:py-20">
        <h1 className="text-h1">{t('title')}</h1>
        <p className="mt-5 max-w-[60ch] text-xl">{t('lead')}</p>
        <p className="mt-8">
          <a href="/eligibility-check" className="button">
            {t('start')}
            <Icon name="arrow-right" />
          </a>
        </p>
      </section>
      <section aria-labelledby="steps" className="border-t border-rule py-12">
        <h2 id="steps" className="text-2xl">
          {t('steps.title')}
        </h2>
        <ol className="mt-6 grid gap-6 sm:grid-cols-3">
          {WIZARD_STEPS.map((step, index) => (
            <li key={step} className="border-t-4 border-dotted border-pine pt-4">
              <span className="text-3xl font-bold text-pine tabular-nums">{index + 1}</span>
              <h3 className="text-lg">{t(`steps.${step}.title`)}</h3>
              <p>{t(`steps.${step}.text`)}</p>
            </li>
          ))}
        </ol>
      </section>
      <section aria-labelledby="privacy" className="border-t border-rule py-12">
        <h2 id="privacy" className="text-2xl">
          {t('privacy.title')}
        </h2>
        <p className="mt-3 max-w-[60ch]">{t('privacy.text', { days: RETENTION_DAYS })}</p>
      </section>
    </div>
  );
}
