import { isRouteErrorResponse } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

/** The status of an error and the translation key for its texts. */
export function errorKind(error: unknown): {
  status: number;
  kind: 'notFound' | 'badRequest' | 'tooMany' | 'unavailable' | 'unexpected';
} {
  const status = isRouteErrorResponse(error) ? error.status : 500;
  if (status === 404) return { status, kind: 'notFound' };
  if (status === 429) return { status, kind: 'tooMany' };
  if (status === 503) return { status, kind: 'unavailable' };
  return { status, kind: status < 500 ? 'badRequest' : 'unexpected' };
}

/** The page for a failed request, with a link to the home page. */
export function ErrorPage({ error }: { error: unknown }) {
  const { t } = useTranslation();
  const { status, kind } = errorKind(error);
  return (
    <div
      className="mx-auto max-w-2xl px-4 py-16"
      data-not-found={kind === 'notFound' ? '' : undefined}
    >
      <p className="text-lg font-semibold text-muted tabular-nums">{status}</p>
      <h1 className="text-h1">{t(`errors.${kind}.title`)}</h1>
      <p className="mt-4 text-lg">{t(`errors.${kind}.text`)}</p>
      <p className="mt-8">
        <a href="/" className="button">
          {t('errors.returnHome')}
        </a>
      </p>
    </div>
  );
}
