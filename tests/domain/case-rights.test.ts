import { expect, it } from 'vitest';

import type { ApplicationState } from '~/domain/application/states';
import { caseRights } from '~/domain/desk';
import type { StaffRole } from '~/domain/staff';

it.each<[StaffRole, string, ApplicationState, string]>([
  ['agent', '', 'in_review', 'summary'],
  ['agent', 'assigned', 'in_review', 'full amend note reassign'],
  ['agent', 'assigned', 'action_required', 'full note reassign'],
  ['agent', 'free', 'checked', 'full note'],
  ['agent', 'reason', 'in_review', 'summary'],
  ['agent', '', 'filed', 'summary'],
  ['supervisor', '', 'in_review', 'reason reassign hold'],
  ['supervisor', 'reason', 'in_review', 'full amend note reassign hold'],
  ['supervisor', 'reason', 'approved', 'full note reassign hold'],
  ['supervisor', 'assigned', 'in_review', 'full amend note reassign hold'],
  ['supervisor', '', 'checked', 'reason reassign hold'],
  ['auditor', 'reason', 'in_review', 'summary'],
  ['admin', 'reason', 'checked', 'summary'],
])('%s (%s) may of a case, in %s: %s', (role, how, state, expected) => {
  const { view, ...may } = caseRights({
    role,
    isAssigned: how === 'assigned',
    isAssignedToNobody: how === 'free',
    state,
    gaveReason: how === 'reason',
  });
  const granted = Object.entries(may).flatMap(([name, holds]) => (holds ? [name] : []));
  expect([view, ...granted].join(' ')).toBe(expected);
});
