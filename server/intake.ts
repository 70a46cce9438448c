import type { RateLimit } from '~/http/form.server';
import { LEAST_PROGRESS, MOST_UPLOAD_BYTES } from '~/http/upload.server';
import { isOffline } from '~/mode.server';

export interface Intake {
  methods: readonly string[];
  /** The content type of a body; any, where its bytes are signed. */
  contentType?: string;
  maxBytes: number;
  bodyMs: number;
  /** Its action reads the body, piece by piece, once it knows who sends it; before that nobody does. */
  isStreamed?: true;
  /** A form, taken from pages of this site only; programs bring a token or a signature instead. */
  isForm: boolean;
  limit: Extract<RateLimit, 'post' | 'webhook'>;
  requiredHeader?: string;
  /** How many may be taken at once, and of them of one client: who sends slowly holds no place for all. */
  atOnce?: { all: number; ofOneClient: number };
  /**
   * What is too large is read to its end, thrown away, and led back to the page itself, which says why
   * (`?refused=413`): a browser shows no answer before it has sent all.
   */
  tellsOnPage?: true;
  isWriteOnly?: true;
  /** For programs: what is refused is told in JSON, as the token interface does. */
  forPrograms?: true;
}

const FORM: Intake = {
  methods: ['POST'],
  contentType: 'application/x-www-form-urlencoded',
  // Enough for the longest message, percent-encoded, with all other fields.
  maxBytes: 64 * 1024,
  bodyMs: 15_000,
  isForm: true,
  limit: 'post',
};

const PROGRAM: Intake = {
  methods: ['POST'],
  maxBytes: FORM.maxBytes,
  bodyMs: FORM.bodyMs,
  isForm: false,
  limit: 'post',
  forPrograms: true,
};

/** Of the form for the photo of a passport page; proxies have to let it pass (deploy/nginx.conf). */
export const PASSPORT_PHOTO: Intake = {
  ...FORM,
  contentType: 'multipart/form-data',
  maxBytes: MOST_UPLOAD_BYTES,
  // As slowly as a body may come; its action ends what is slower.
  bodyMs: (MOST_UPLOAD_BYTES / LEAST_PROGRESS.bytes) * LEAST_PROGRESS.ms,
  isStreamed: true,
  tellsOnPage: true,
};

const LIVE: [path: RegExp, Intake][] = [
  [
    /^\/(token|logout|factors|factors\/[^/]+\/(challenge|verify))$/,
    { ...PROGRAM, contentType: 'application/json', isWriteOnly: true },
  ],
  [/^\/factors\/[^/]+$/, { ...PROGRAM, methods: ['DELETE'], isWriteOnly: true }],
  [/^\/(user|authorize|\.well-known\/jwks\.json)$/, { ...PROGRAM, methods: [] }],
  [
    // From the payment provider's few addresses; its signature is over the bytes as they came.
    /^\/webhooks\/[a-z-]+$/,
    {
      methods: ['POST'],
      maxBytes: 64 * 1024,
      bodyMs: 3000,
      isForm: false,
      limit: 'webhook',
      requiredHeader: 'stripe-signature',
      atOnce: { all: 64, ofOneClient: 8 },
      isWriteOnly: true,
    },
  ],
  [/^\/(application\/[^/]+\/(passport-photo|portrait)|portrait\/[^/]+)$/, PASSPORT_PHOTO],
];

export const LONGEST_BODY_MS = Math.max(FORM.bodyMs, ...LIVE.map(([, { bodyMs }]) => bodyMs));

export function intakeOf(path: string): Intake {
  const live = isOffline() ? undefined : LIVE.find(([pattern]) => pattern.test(path));
  return live?.[1] ?? FORM;
}
