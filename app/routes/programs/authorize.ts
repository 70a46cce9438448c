import type { LoaderFunctionArgs } from '@remix-run/node';

import { refuseProvider } from '~/accounts/token-interface/account-calls.server';

/** `GET /authorize?provider=`: no provider is configured here. */
export const loader = ({ request }: LoaderFunctionArgs) => refuseProvider(request);
