import type { ApplicationState } from '~/domain/application/states';
import { caseRights } from '~/domain/desk';
import type { StaffRole } from '~/access';
import { decisionTables } from '../decision-tables';

decisionTables(import.meta.url, {
  'what staff may of a case': (role, how, state) => {
    const { view, ...may } = caseRights({
      role: role as StaffRole,
      isAssigned: how === 'assigned',
      state: state as ApplicationState,
      gaveReason: how === 'reason',
    });
    const granted = Object.entries(may).flatMap(([name, holds]) => (holds ? [name] : []));
    return [view, ...granted].join(' ');
  },
});
