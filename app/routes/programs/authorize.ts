import type { LoaderFunctionArgs } from '@remix-run/node';

import { refuseProvider } from '~/accounts/token-interface/account-calls.server';
import { live } from '~/http/live.server';

/** `GET /authorize?provider=`: no provider is configured here. */
export const loader = live(({ request }: LoaderFunctionArgs) => refuseProvider(request));
