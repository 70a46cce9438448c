/**
 * The stock set-up that the benchmark compares with: Remix's default `entry.server`, with an
 * i18next instance a request as the README of remix-i18next has it.
 */
import { PassThrough } from 'node:stream';

import { createReadableStreamFromReadable, type EntryContext } from '@remix-run/node';
import { RemixServer } from '@remix-run/react';
import { createInstance } from 'i18next';
import { renderToPipeableStream } from 'react-dom/server';
import { I18nextProvider, initReactI18next } from 'react-i18next';

import { bundles } from '~/i18n/bundles.server';
import { languageOf } from '~/i18n/server.server';

const ABORT_DELAY = 5000;

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
): Promise<Response> {
  const language = await languageOf(request);
  const instance = createInstance().use(initReactI18next);
  await instance.init({ lng: language, resources: bundles, defaultNS: 'shell' });
  return new Promise((resolve, reject) => {
    const { pipe, abort } = renderToPipeableStream(
      <I18nextProvider i18n={instance}>
        <RemixServer context={context} url={request.url} abortDelay={ABORT_DELAY} />
      </I18nextProvider>,
      {
        onShellReady() {
          const body = new PassThrough();
          headers.set('Content-Type', 'text/html');
          resolve(new Response(createReadableStreamFromReadable(body), { headers, status }));
          pipe(body);
        },
        onShellError: reject,
        onError: console.error,
      },
    );
    setTimeout(abort, ABORT_DELAY);
  });
}
