import { renderToStaticMarkup } from 'react-dom/server';
import { I18nextProvider } from 'react-i18next';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { describe, expect, it } from 'vitest';

import { bundles } from '~/i18n/bundles.server';
import { LANGUAGES } from '~/i18n/languages';
import { translations } from '~/i18n/locale.server';
import { ErrorPage } from '~/ui/error-page';

const thrown = (status: number) => ({ status, statusText: '', internal: false, data: null });

describe.each(LANGUAGES)('the error page in %s', (language) => {
  it.each([
    [new Error('a detail that is nobody’s business'), 500, 'unexpected'],
    [thrown(500), 500, 'unexpected'],
    [thrown(503), 503, 'unavailable'],
    [{ ...thrown(503), data: { server: 'other' } }, 503, 'otherServer'],
    [thrown(403), 403, 'forbidden'],
    [thrown(404), 404, 'notFound'],
    [thrown(429), 429, 'tooMany'],
    [thrown(400), 400, 'badRequest'],
  ] as const)('of %s says %i, what happened, and has a way on', (error, status, kind) => {
    const element = <ErrorPage error={error} />;
    const html = renderToStaticMarkup(
      <I18nextProvider i18n={translations(language)}>
        <RouterProvider router={createMemoryRouter([{ path: '*', element }])} />
      </I18nextProvider>,
    );
    const { errors } = bundles[language].shell;
    expect(html).toContain(`>${status}<`);
    expect(html).toContain(errors[kind].title);
    expect(html).toContain(errors[kind].text);
    expect(html).toMatch(new RegExp(`<a href="/"[^>]*>${errors.returnHome}</a>`));
    expect(html).not.toContain('nobody’s business');
  });
});
