import { expect, it } from 'vitest';

import { bundles } from '~/i18n/bundles.server';
import { addCase } from '../cases';
import { agent, auditOf, desk, rowOf, withSite } from './known-site';

withSite(() => ({}), { settings: { fourEyes: false, officialFee: 'operator' } });

const { fields } = bundles.en['desk-work'];

it('without a second person and with the fee paid by us, one agent checks, enters and files', async () => {
  const set = { state: 'checked', assigned_to: agent.id, checked_by: agent.id } as const;
  const { id } = await addCase({ set });
  const reader = await desk(agent, `/crm/processing/${id}/copy-sheet`);
  const { number } = bundles.en['desk-copy'];
  reader.fill(fields.official_number, '8VR3N1XK20AB');
  await reader.press(number.button);
  expect([reader.status, rowOf(id)['state']]).toEqual([422, 'checked']);
  reader.tick(fields.official_paid);
  await reader.press(number.button);
  reader.tick(number.compared);
  await reader.press(number.button);
  expect(rowOf(id)).toMatchObject({ state: 'filed', pay_by: null, filed_by: agent.id });
  const moved = auditOf(id).find(({ action }) => action === 'application.moved');
  expect(moved?.details).toMatchObject({ event: 'enter', fourEyes: false });
});
