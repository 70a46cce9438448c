/**
 * What our own rules forbid, for `.oxlintrc.json`: who may import whom, and what only one place does
 * (docs/decisions/0008-import-rules.md).
 */
import { dirname, join, relative } from 'node:path';

/** @typedef {{ cwd: string, filename: string, report: (problem: { node: object, message: string }) => void }} Context */

const VIEWS = 'Views get their data from a loader.';
const ITS_TYPES = `${VIEWS} They import only its types.`;

/**
 * Which files import what never: paths from the folder of the project, and packages.
 *
 * @type {[importer: RegExp, imported: RegExp, why: string][]}
 */
const FORBIDDEN = [
  [
    /^app\/domain\//,
    /^(?!app\/domain\/|app\/access$|package:(zod|date-fns)(\/|$))/,
    'Rules are pure: they import other rules, who may what, zod and date-fns, nothing else.',
  ],
  [
    /^db\//,
    /^app\/(?!domain\/|access$|validation\/)/,
    'The database knows the rules’ types, validation, and nothing else of the app.',
  ],
  [
    /^db\//,
    /^package:(?!(kysely|better-sqlite3|pg|zod|node:(crypto|events|fs|path|child_process|module|timers|util))(\/|$))/,
    'The database imports kysely, better-sqlite3, pg and, for fixtures, zod.',
  ],
  [/^packages\//, /^(app|db|server)\//, 'A package knows nothing of the site.'],
  [/^migrations\//, /^(?!package:kysely$)/, 'Migrations import kysely only.'],
  [/^app\/(ui|i18n|http)\//, /^db\//, VIEWS],
  [/^app\/ui\//, /\.server$/, ITS_TYPES],
  [/^app\/(?!app\.server)/, /^server\//, 'The app runs under any server.'],
  [
    /^app\/mail\//,
    /^app\/(accounts|applications|desk|eligibility|leads|messages|orders|payment|photos|public|travellers)\//,
    'The outbox knows no feature: app/mail-features.server.ts hands it what they send.',
  ],
  [/^(app|server)\//, /^app\/routes\//, 'Nobody imports a route.'],
  ...featureRules(),
];

/**
 * From below to above; accounts hand drafts over to their owner (`applications/take-over.server.ts`).
 *
 * @returns {[RegExp, RegExp, string][]}
 */
function featureRules() {
  const features =
    'public eligibility accounts applications leads orders messages photos desk travellers'.split(
      ' ',
    );
  return features.slice(0, -1).map((feature, at) => {
    const above = features.slice(at + 1).join('|');
    return [
      new RegExp(`^app/${feature}/`),
      new RegExp(`^app/(?!applications/take-over)(${above})/`),
      `A feature imports only those below it; above ${feature} stand: ${above}.`,
    ];
  });
}

/** The folder of a route, whose files may import each other. */
const ROUTE_FOLDER = /^app\/routes\/[^/]+\/[^/]+\//;

/**
 * Why a file may not import another; undefined if it may.
 *
 * @param {string} importer
 * @param {string} imported
 */
function whyNot(importer, imported) {
  const own = ROUTE_FOLDER.exec(importer)?.[0];
  if (own && imported.startsWith(own)) return undefined;
  return FORBIDDEN.find(([from, to]) => from.test(importer) && to.test(imported))?.[2];
}

/**
 * The path of an imported file, or `package:` and the name of a package.
 *
 * @param {string} importer
 * @param {string} name
 */
function pathOf(importer, name) {
  if (name.startsWith('.')) return join(dirname(importer), name).replaceAll('\\', '/');
  if (name.startsWith('~')) return name.replace('~/', 'app/').replace('~db/', 'db/');
  return `package:${name}`;
}

const imports = {
  /** @param {Context} context */
  create(context) {
    const importer = relative(context.cwd, context.filename).replaceAll('\\', '/');
    /** @param {{ source?: { type: string, value?: unknown } | null, importKind?: string }} node */
    const look = ({ source, importKind }) => {
      if (source?.type !== 'Literal' || typeof source.value !== 'string') return;
      const message = whyNot(importer, pathOf(importer, source.value));
      if (message === ITS_TYPES && importKind === 'type') return;
      if (message) context.report({ node: source, message });
    };
    return {
      ImportDeclaration: look,
      ImportExpression: look,
      ExportNamedDeclaration: look,
      ExportAllDeclaration: look,
    };
  },
};

/**
 * Forbids what a selector finds.
 *
 * @param {Record<string, string>} messages by selector
 */
function without(messages) {
  return {
    create: (/** @type {Context} */ context) =>
      Object.fromEntries(
        Object.entries(messages).map(([selector, message]) => [
          selector,
          (/** @type {object} */ node) => {
            context.report({ node, message });
          },
        ]),
      ),
  };
}

/** Attributes that are shown or read aloud. */
const SPOKEN = /^(aria-label|aria-description|alt|title|placeholder)$/;

/**
 * @typedef {object} Node
 * @property {string} type
 * @property {Node} parent
 * @property {{ name: string }} name
 * @property {unknown} value
 * @property {{ value: { raw: string } }[]} quasis
 * @property {Node} expression
 * @property {Node} consequent
 * @property {Node} alternate
 * @property {Node} right
 */

/** Components contain no text; it is in the locales. */
const text = {
  /** @param {Context} context */
  create(context) {
    /** @param {Node} node */
    const isShown = ({ type, name }) => type !== 'JSXAttribute' || SPOKEN.test(name.name);
    /** @param {Node} node what is shown, or one of the things that may be */
    const look = (node) => {
      const { type, value, quasis = [] } = node;
      if (type === 'ConditionalExpression') [node.consequent, node.alternate].forEach(look);
      if (type === 'LogicalExpression') look(node.right);
      const texts = [value, ...quasis.map((part) => part.value.raw)];
      if (texts.some((one) => typeof one === 'string' && /\p{L}/u.test(one))) {
        context.report({ node, message: 'Say it in locales/, and give its key to `t` here.' });
      }
    };
    return {
      JSXText: look,
      /** @param {Node} node */
      JSXExpressionContainer: ({ parent, expression }) => isShown(parent) && look(expression),
      /** @param {Node & { value: Node | null }} node */
      JSXAttribute: (node) => node.value && isShown(node) && look(node.value),
    };
  },
};

/** Words that no name in the code contains any more, each with the word for it now, in kebab case. */
const RETIRED_WORDS = new Map([
  ['arrival-of', 'payment-result-on-return'],
  ['askable', 'requestable'],
  ['asked-fields-only', 'requested-fields-only'],
  ['at-home', 'loopback-host'],
  ['begin-session', 'sign-in'],
  ['count-of-day', 'daily-limit'],
  ['count-sms', 'sms-limit'],
  ['count-try', 'record-attempt'],
  ['deed', 'action'],
  ['deeds', 'actions'],
  ['dispute-news', 'dispute-event'],
  ['drawn-grid', 'illustrated-list'],
  ['erase-in-database', 'write-with-secure-delete'],
  ['follow-application-link', 'consume-magic-link'],
  ['forgive-try', 'clear-attempts'],
  ['frozen-seller', 'seller-snapshot'],
  ['fulfil-in', 'capture-payment'],
  ['give-up', 'cancel-order'],
  ['hold-password', 'assert-password-unchanged'],
  ['horizon', 'skyline'],
  ['judge', 'validate'],
  ['judged', 'validated'],
  ['keep-session', 'save-checkout-session'],
  ['key-place', 'associated-data'],
  ['known-mark', 'trusted-device'],
  ['lane', 'queue'],
  ['lanes', 'queues'],
  ['lead-to-page', 'redirect-to-checkout'],
  ['list-unlooked-for', 'pending-outcome'],
  ['look-into', 'open-read-only'],
  ['made-by-actions', 'pages'],
  ['meanwhile', 'while-closed'],
  ['needs-factor', 'mfa-required'],
  ['open-by', 'consume-magic-link'],
  ['overtaken', 'version-conflict'],
  ['payment-news', 'payment-events'],
  ['place-of', 'associated-data'],
  ['polish', 'progressive'],
  ['prepare-notice', 'prepare-sign-in-alert'],
  ['queue-nothing', 'simulate-queue'],
  ['raise-attempt', 'increment-attempt'],
  ['refund-news', 'refund-event'],
  ['refuse-unproven', 'require-reauthentication'],
  ['scene', 'context'],
  ['scrub', 'secure-delete'],
  ['sealed-buyer', 'encrypted-buyer'],
  ['sealed-place', 'associated-data'],
  ['settle-in', 'handle-checkout-event'],
  ['show-again', 'rerender'],
  ['start-program-session', 'create-api-session'],
  ['trap-field', 'honeypot'],
  ['trier', 'rate-limit-key'],
  ['truth', 'price-comparison'],
  ['untold', 'not-notified'],
  ['ways-on', 'contact-options'],
  ['with-proof', 'with-reauth'],
]);
const RETIRED = new RegExp(`(?<=-)(${[...RETIRED_WORDS.keys()].join('|')})(?=-)`);

/** Neither a name nor the path of a file contains a retired word. */
const retiredWords = {
  /** @param {Context} context */
  create(context) {
    const seen = new Set();
    /**
     * @param {object} node
     * @param {string} name
     */
    const check = (node, name) => {
      if (seen.has(name)) return;
      seen.add(name);
      const words = name.replace(/([a-z0-9])(?=[A-Z])|[^a-zA-Z0-9]+/g, '$1-').toLowerCase();
      const [word] = RETIRED.exec(`-${words}-`) ?? [];
      if (!word) return;
      const message = `“${word}” is retired: say “${RETIRED_WORDS.get(word)}”, or what it is.`;
      context.report({ node, message });
    };
    /** @param {{ name: string }} node */
    const checkName = (node) => check(node, node.name);
    return {
      /** @param {object} node */
      Program: (node) => check(node, relative(context.cwd, context.filename)),
      Identifier: checkName,
      JSXIdentifier: checkName,
      PrivateIdentifier: checkName,
    };
  },
};

export default {
  meta: { name: 'site' },
  rules: {
    imports,
    text,
    'retired-words': retiredWords,
    // So that tests can inject another time.
    clock: without({
      "CallExpression[callee.object.name='Date'][callee.property.name='now']":
        'Ask app/clock.server.ts, take `now` as an argument, or measure with performance.now().',
      "NewExpression[callee.name='Date'][arguments.length=0]":
        'Ask app/clock.server.ts, or take `now` as an argument.',
    }),
    // Several apps run in one process: each has its own (docs/decisions/0055-one-app.md).
    state: without({
      ':matches(Program, Program > ExportNamedDeclaration) > VariableDeclaration[kind="let"]':
        'Keep it per app: `perApp` of app/current-app.server.ts.',
    }),
    // Kysely's begin on SQLite without the lock, and fail as soon as another process has written
    // between their first read and their first write.
    transactions: without({
      'CallExpression[callee.property.name=/^(transaction|startTransaction)$/]':
        'Use `write` of the store (writeDatabase), which begins with the lock.',
    }),
  },
};
