/** What Stripe's interface refuses, in its own words and codes. */
export class Problem extends Error {
  override name = 'Problem';
  constructor(
    message: string,
    readonly details: {
      status?: number;
      type?: 'invalid_request_error' | 'idempotency_error';
      code?: string;
      param?: string;
    } = {},
  ) {
    super(message);
  }

  /** As the interface says it. */
  get body(): object {
    const { type = 'invalid_request_error', code, param } = this.details;
    return {
      error: { type, message: this.message, ...(code && { code }), ...(param && { param }) },
    };
  }
}

/** There is none of this id. */
export function missing(what: string, id: string, { param = 'id', status = 404 } = {}): Problem {
  return new Problem(`No such ${what}: '${id}'`, { status, code: 'resource_missing', param });
}
