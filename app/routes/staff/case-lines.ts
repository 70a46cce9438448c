import { redirect } from '@remix-run/node';

import { caseAddress, openCase } from '~/desk/case.server';
import { live } from '~/live.server';

/** Where the lines were typed once; they are typed in the case. @throws {Response} 303 */
export const loader = live(async ({ request, params }) => {
  throw redirect(`${caseAddress(await openCase(request, params['id']))}#lines`, 303);
});
