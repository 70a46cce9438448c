import { createHash } from 'node:crypto';

import { expect, it } from 'vitest';

import { withHashes } from '~/http/inline-scripts.server';

const hash = (content: string) =>
  `'sha256-${createHash('sha256').update(content).digest('base64')}'`;

it('a page’s own inline scripts are allowed by their hashes, in their order', () => {
  const { html, sources } = withHashes(
    '<script nonce="n">one()</script><p>text</p><script type="module" nonce="n">two()</script>',
    'n',
  );
  expect(sources).toBe(`${hash('one()')} ${hash('two()')}`);
  expect(html).toBe('<script>one()</script><p>text</p><script type="module">two()</script>');
});

it.each([
  ['without a nonce', '<script>evil()</script>'],
  ['with another nonce', '<script nonce="m">evil()</script>'],
  ['that is a file', '<script src="/a.js" nonce="n"></script>'],
])('a script %s is not allowed', (_, script) => expect(withHashes(script, 'n').sources).toBe(''));
