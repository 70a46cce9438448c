import type { SerializeFrom } from '@remix-run/node';

import type { action } from './route';

/** What the action says of a form that it refused. */
export type Refusal = SerializeFrom<typeof action>;
