import { expect, it } from 'vitest';

import { answerCall } from '~/accounts/token-interface/call.server';
import { phoneNumbers } from '~/applications/answers-in-words.server';
import { versionIn } from '~/applications/step-action.server';
import { type Cell, CSV_BEGIN, csvLine } from '~/http/csv.server';
import { requireVersion } from '~/http/form.server';
import { localPath } from '~/http/local-path';
import { languageOf } from '~/i18n/locale.server';
import { decisionTables } from '../decision-tables';

const lineOf = (cells: readonly Cell[], separator: 'comma' | 'semicolon') => {
  const line = csvLine(cells, separator);
  expect(line.endsWith('\r\n')).toBe(true);
  return line.slice(0, -2);
};

decisionTables(import.meta.url, {
  'a telephone number of somebody who lives in a country': async (_, text, residence) =>
    (await phoneNumbers())(text, residence),
  'where a path leads': (path) => {
    expect(new URL(localPath(path), 'https://here.example').origin).toBe('https://here.example');
    return localPath(path);
  },
  'language of a request: what decides, address, browser, cookie': (_, at, browser, cookie) => {
    const headers = {
      ...(browser && { 'Accept-Language': browser }),
      ...(cookie && { Cookie: cookie }),
    };
    return languageOf(new Request(`http://localhost${at}`, { headers }));
  },
  'what a program reads where a page would get this status, and how long it waits': async (
    status,
    wait,
  ) => {
    const headers = wait ? { 'Retry-After': wait } : {};
    const response = await answerCall(() => {
      throw new Response(null, { status: Number(status), headers });
    });
    expect(response.status).toBe(Number(status));
    const { msg, ...body } = (await response.json()) as Record<string, unknown>;
    expect(msg).toMatch(/\S/);
    return [JSON.stringify(body), response.headers.get('Retry-After')].join(' ').trim();
  },
  'the version in a form of the desk, and in a step': (version) => {
    const sent = new FormData();
    sent.set('version', version);
    const required = () => {
      try {
        return requireVersion(sent);
      } catch (refused) {
        return (refused as Response).status;
      }
    };
    return `${required()} ${versionIn(sent)}`;
  },
  'a cell that could be a formula': (text) => lineOf([text], 'comma'),
  'a line, with commas and with semicolons': (json) => {
    const cells = JSON.parse(json) as Cell[];
    return `${lineOf(cells, 'comma')} / ${lineOf(cells, 'semicolon')}`;
  },
});

it.each([null, 42])('%j leads home', (path) => expect(localPath(path)).toBe('/'));

it('Excel is told of UTF-8 where it is asked for', () =>
  expect(CSV_BEGIN).toEqual({ comma: '', semicolon: '\ufeff' }));
