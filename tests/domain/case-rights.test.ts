import { expect, it } from 'vitest';

import type { ApplicationState } from '~/domain/application/states';
import { caseRights } from '~/domain/desk';
import type { StaffRole } from '~/domain/staff';

it.each<[StaffRole, string, ApplicationState, string]>([
  ['agent', '', 'in_review', 'summary take'],
  ['agent', 'assigned', 'in_review', 'full amend note take release'],
  ['agent', 'assigned', 'action_required', 'full note take release'],
  ['agent', '', 'checked', 'full note take'],
  ['agent', 'reason', 'in_review', 'summary take'],
  ['agent', '', 'filed', 'summary take'],
  ['supervisor', '', 'in_review', 'reason take release assign hold cancel'],
  ['supervisor', 'reason', 'in_review', 'full amend note take release assign hold cancel'],
  ['supervisor', 'reason', 'approved', 'full note take release assign hold cancel'],
  ['supervisor', 'assigned', 'in_review', 'full amend note take release assign hold cancel'],
  ['supervisor', '', 'checked', 'reason take release assign hold cancel'],
  ['auditor', 'reason', 'in_review', 'summary'],
  ['admin', 'reason', 'checked', 'summary'],
])('%s (%s) may of a case, in %s: %s', (role, how, state, expected) => {
  const { view, ...may } = caseRights({
    role,
    isAssigned: how === 'assigned',
    state,
    gaveReason: how === 'reason',
  });
  const granted = Object.entries(may).flatMap(([name, holds]) => (holds ? [name] : []));
  expect([view, ...granted].join(' ')).toBe(expected);
});
