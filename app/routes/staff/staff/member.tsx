import { useTranslation } from 'react-i18next';

import { STAFF_ROLES, type StaffRole } from '~/domain/staff';

interface MemberView {
  id: string;
  email: string;
  name: string;
  role: StaffRole | null;
  version: number;
  state: string;
  hasFactor: boolean;
}

interface MemberProps {
  member: MemberView;
  isSelf: boolean;
}

/** One of the staff: who, in which state, and what an admin can change. */
export function Member({ member, isSelf }: MemberProps) {
  const { t } = useTranslation('staff');
  const { email, name, role, hasFactor } = member;
  const state = member.state as 'active' | 'invited' | 'left';
  return (
    <li className="card p-4 sm:p-6">
      <h3 className="text-lg wrap-anywhere">{name || email}</h3>
      {name && <p className="text-sm wrap-anywhere text-muted">{email}</p>}
      <p className="mt-2">
        {role && <strong>{t(`roles.${role}`)}</strong>} · {t(`staff.states.${state}`)}
        {state === 'active' && ` · ${t(`staff.factor.${hasFactor ? 'yes' : 'no'}`)}`}
      </p>
      {isSelf && <p className="mt-2 text-sm text-muted">{t('staff.you')}</p>}
      {!isSelf && state !== 'left' && <Changes member={member} />}
    </li>
  );
}

function Changes({ member }: Pick<MemberProps, 'member'>) {
  const { t } = useTranslation('staff');
  const { id, email, role, version, hasFactor } = member;
  const about = (
    <>
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="version" value={version} />
    </>
  );
  return (
    <>
      <form method="post" action="/crm/staff" className="mt-4 flex flex-wrap items-end gap-3">
        {about}
        <select
          name="role"
          defaultValue={role ?? undefined}
          aria-label={t('staff.roleOf', { email })}
          className="field w-full sm:w-auto"
        >
          {STAFF_ROLES.map((one) => (
            <option key={one} value={one}>
              {t(`roles.${one}`)}
            </option>
          ))}
        </select>
        <input type="hidden" name="intent" value="role" />
        <button type="submit" className="button button-quiet">
          {t('staff.changeRole')}
        </button>
      </form>
      <div className="mt-2 flex flex-wrap gap-x-6">
        {hasFactor && (
          <details className="w-full sm:w-auto">
            <summary className="text-button inline-flex min-h-11 items-center">
              {t('staff.reset')}
            </summary>
            <form method="post" action="/crm/staff" className="max-w-xl pb-3">
              {about}
              <p className="mb-3 wrap-anywhere">{t('staff.resetText', { email })}</p>
              <input type="hidden" name="intent" value="reset" />
              <button type="submit" className="button button-danger">
                {t('staff.resetButton')}
              </button>
            </form>
          </details>
        )}
        <details className="w-full sm:w-auto">
          <summary className="text-button inline-flex min-h-11 items-center">
            {t('staff.deactivate')}
          </summary>
          <form method="post" action="/crm/staff" className="max-w-xl pb-3">
            {about}
            <p className="mb-3 wrap-anywhere">{t('staff.deactivateText', { email })}</p>
            <input type="hidden" name="intent" value="deactivate" />
            <button type="submit" className="button button-danger">
              {t('staff.deactivateButton')}
            </button>
          </form>
        </details>
      </div>
    </>
  );
}
