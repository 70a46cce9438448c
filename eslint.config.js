import { readdirSync } from 'node:fs';

import js from '@eslint/js';
import i18next from 'eslint-plugin-i18next';
import importX from 'eslint-plugin-import-x';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import jsxA11y from 'eslint-plugin-jsx-a11y';
import reactHooks from 'eslint-plugin-react-hooks';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

/** The route groups, and the route folders in them. */
const groups = foldersIn('app/routes');
const routeFolders = groups.flatMap((group) =>
  foldersIn(`app/routes/${group}`).map((folder) => `${group}/${folder}`),
);

/** @param {string} path */
function foldersIn(path) {
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
}

/** Only `clock.server.ts` reads the clock, so that tests can inject another time. */
const CLOCK = [
  {
    selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']",
    message:
      'Ask app/clock.server.ts, take `now` as an argument, or measure with performance.now().',
  },
  {
    selector: "NewExpression[callee.name='Date'][arguments.length=0]",
    message: 'Ask app/clock.server.ts, or take `now` as an argument.',
  },
];

/**
 * Kysely's transactions begin on SQLite without the lock, and fail as soon as another process has
 * written between their first read and their first write.
 */
const TRANSACTIONS = [
  {
    selector: 'CallExpression[callee.property.name=/^(transaction|startTransaction)$/]',
    message: 'Use `write` of the store (writeDatabase), which begins with the lock.',
  },
];

/** Who may import whom: docs/decisions/0008-import-rules.md */
const onlyPackages = (/** @type {string[]} */ allowed, /** @type {string} */ reason) => ({
  'no-restricted-imports': [
    'error',
    {
      patterns: [
        {
          // Anything that is neither a local path nor one of the allowed packages.
          regex: `^(?!\\.|~/|(?:${allowed.join('|')})(?:/|$))`,
          message: reason,
        },
      ],
    },
  ],
});

export default defineConfig(
  // The baselines follow the style of their frameworks' examples.
  {
    ignores: [
      'build/',
      'node_modules/',
      'data/',
      '.cache/',
      'tests/load/baselines/',
      '**/*.generated.*',
    ],
  },
  js.configs.recommended,
  tseslint.configs.recommendedTypeChecked,
  jsxA11y.flatConfigs.strict,
  {
    languageOptions: {
      parserOptions: {
        projectService: { allowDefaultProject: ['eslint.config.js'] },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    plugins: { 'react-hooks': reactHooks, 'import-x': importX },
    settings: { 'import-x/resolver-next': [createTypeScriptImportResolver()] },
    rules: {
      ...reactHooks.configs.recommended.rules,
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      // Loaders, actions and middleware throw responses.
      '@typescript-eslint/only-throw-error': 'off',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
      'import-x/no-cycle': 'error',
      'import-x/no-duplicates': 'error',
      'import-x/no-restricted-paths': [
        'error',
        {
          zones: [
            {
              target: './app/domain',
              from: ['./app', './db', './server', './migrations'],
              except: ['./domain'],
              message: 'Rules are pure: they import nothing but other rules.',
            },
            {
              target: './db',
              from: './app',
              except: ['./domain', './validation'],
              message:
                'The database knows the rules’ types, validation, and nothing else of the app.',
            },
            {
              target: ['./app/ui', './app/i18n', './app/http'],
              from: ['./db', './app/routes'],
              message: 'Views get their data from a loader.',
            },
            {
              target: ['./app/*.{ts,tsx}', './server', './app/routes/{,*/}*.{ts,tsx}'],
              from: './app/routes',
              message: 'Nobody imports a route.',
            },
            // The files of a route's folder may import each other.
            ...routeFolders.map((folder) => ({
              target: `./app/routes/${folder}`,
              from: './app/routes',
              except: [`./${folder}`],
              message: 'Nobody imports a route.',
            })),
            { target: './app', from: './server', message: 'The app runs under any server.' },
          ],
        },
      ],
    },
  },
  {
    files: ['app/**', 'server/**', 'operations/**', 'db/**'],
    rules: { 'no-restricted-syntax': ['error', ...CLOCK, ...TRANSACTIONS] },
  },
  {
    files: ['app/clock.server.ts'],
    rules: { 'no-restricted-syntax': ['error', ...TRANSACTIONS] },
  },
  {
    files: ['db/sqlite/**', 'db/postgres/**'],
    rules: { 'no-restricted-syntax': ['error', ...CLOCK] },
  },
  {
    files: ['app/domain/**'],
    rules: onlyPackages(['zod', 'date-fns'], 'Rules import zod and date-fns, nothing else.'),
  },
  {
    files: ['db/**'],
    rules: onlyPackages(
      [
        ...['kysely', 'better-sqlite3', 'pg', 'zod', 'node:crypto', 'node:fs', 'node:path'],
        ...['node:child_process', 'node:module', 'node:util'],
      ],
      'The database imports kysely, better-sqlite3, pg and, for fixtures, zod.',
    ),
  },
  {
    files: ['app/ui/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [{ regex: '\\.server$', message: 'Views get their data from a loader.' }] },
      ],
    },
  },
  {
    files: ['migrations/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [{ regex: '^(?!kysely$)', message: 'Migrations import kysely only.' }] },
      ],
    },
  },
  {
    files: ['app/**/*.tsx'],
    plugins: { i18next },
    rules: {
      // Components contain no text; it is in the locales.
      'i18next/no-literal-string': [
        'error',
        {
          mode: 'jsx-only',
          'jsx-attributes': {
            include: ['^aria-label$', '^aria-description$', '^alt$', '^title$', '^placeholder$'],
          },
        },
      ],
    },
  },
  {
    files: ['**/*.js'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: {
      globals: {
        console: 'readonly',
        document: 'readonly',
        process: 'readonly',
        requestAnimationFrame: 'readonly',
        setTimeout: 'readonly',
      },
    },
  },
);
