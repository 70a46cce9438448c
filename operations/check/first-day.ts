/** What the start lets pass, and a first day with visitors does not: docs/before-going-live.md. */
import { env } from '~/env.server';
import type { listStaff } from '~db/queries/staff.server';
import { holding } from './report';

export function variableWarnings(): string[] {
  const { secure, trustProxy, payment } = env();
  return holding([
    [secure && !trustProxy, 'TRUST_PROXY is not set: all visitors share the limits of one client.'],
    [secure && payment?.isTest, 'STRIPE_SECRET_KEY is a test key: nobody pays.'],
  ]);
}

export function staffWarnings(staff: Awaited<ReturnType<typeof listStaff>>, fourEyes: boolean) {
  const joined = staff.filter((one) => one.hasFactor && one.deactivated_at === null);
  const admins = joined.filter(({ role }) => role === 'admin').length;
  const atDesk = joined.filter(({ role }) => role === 'agent' || role === 'supervisor').length;
  return holding([
    [admins < 2, `Admins with a second factor: ${admins}; of two, one resets the other's.`],
    [atDesk > 1 && !fourEyes, `fourEyes is false, and ${atDesk} people work on cases.`],
  ]);
}
