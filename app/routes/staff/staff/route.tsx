import { json, redirect, type SerializeFrom } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod/v4';

import type { AuditActor } from '~/accounts/audit.server';
import {
  changeOwner,
  changeRole,
  deactivateStaff,
  inviteStaff,
  resetFactors,
} from '~/desk/staff-accounts.server';
import { now } from '~/clock.server';
import { requireDatabase, requireWrite } from '~/database.server';
import { deskAction, deskLoader } from '~/desk/desk-page.server';
import { isStaffRole, STAFF_ROLES } from '~/access';
import { INVITATION_FORM } from '~/domain/staff';
import { env } from '~/env.server';
import { namedIntentOf, readForm, refuse, requireVersion, textIn } from '~/http/form.server';
import type { PageHandle } from '~/live.server';
import type { Language } from '~/i18n/languages';
import { PageHeading, Part, Submit } from '~/ui/elements';
import { Done } from '~/ui/plain-elements';
import { DescribedForm, SelectField } from '~/ui/form-fields';
import { PostForm } from '~/ui/post-form';
import { StaffErrors, useStaffWords } from '~/ui/staff-forms';
import { listStaff } from '~db/queries/staff.server';
import { findUser } from '~db/queries/users.server';

export const handle: PageHandle = { limitsForms: true };
export const loader = deskLoader('staff', async ({ user, t, asked }) => {
  const members = await requireDatabase(listStaff);
  return json({
    self: user.id,
    done: DONE.find((what) => what === asked.get('done')),
    members: members.map(({ first_name, last_name, deactivated_at, is_owner, ...member }) => ({
      ...member,
      isOwner: is_owner === 1,
      name: [first_name, last_name].filter(Boolean).join(' '),
      state: deactivated_at === null ? stateOf(member) : ('left' as const),
    })),
    page: { title: t('staff:staff.title'), form: true },
  });
});

const stateOf = ({ hasJoined }: { hasJoined: boolean }) => (hasJoined ? 'active' : 'invited');

/** Each change asks anew whether who sends it is an admin. */
export const action = deskAction('staff', async ({ sent, user, language }) => {
  const intent = namedIntentOf(sent, ['invite', 'role', 'owner', 'deactivate', 'reset']);
  return intent === 'invite' ? invite(sent, user, language) : change(intent, sent, user);
});

export default function Staff() {
  const { t } = useTranslation('staff');
  const { members, self, done } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const words = useStaffWords();
  const invited = answer && 'invited' in answer ? answer.invited : undefined;
  const refusal = answer && 'errors' in answer ? answer : undefined;
  return (
    <div className="wrap py-8 sm:py-12">
      <StaffErrors refusal={refusal} form={INVITATION_FORM} />
      {invited && (
        // Where no mail is sent: shown in this one answer.
        <section role="status" aria-labelledby="link" className="card mb-8 max-w-2xl p-4 sm:p-6">
          <h2 id="link" className="text-xl wrap-anywhere">
            {t('staff.linkTitle', { email: invited.email })}
          </h2>
          <p className="mt-2">{t('staff.linkText')}</p>
          <p className="mt-3 font-mono text-sm wrap-anywhere">
            <code>{invited.link}</code>
          </p>
        </section>
      )}
      {done && !answer && <Done>{t(`staff.done.${done}`)}</Done>}
      <PageHeading title={t('staff.title')} lead={t('staff.lead')} />
      <div className="mt-8 grid items-start gap-x-12 gap-y-10 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <Part id="invite" title={t('staff.invite')} className="card p-4 sm:p-6 lg:order-last">
          <DescribedForm
            action="/crm/staff"
            className="mt-3"
            form={INVITATION_FORM}
            intent="invite"
            {...{ refusal, words }}
          >
            <p className="mt-3 text-sm text-muted">{t('staff.inviteHint')}</p>
            <Submit look="mt-4 w-full" words={t('staff.inviteButton')} />
          </DescribedForm>
        </Part>
        <Part id="members" title={t('staff.list')}>
          <ul className="mt-4 grid gap-4">
            {members.map((member) => (
              <Member key={member.id} {...member} isSelf={member.id === self} />
            ))}
          </ul>
        </Part>
      </div>
    </div>
  );
}

type MemberProps = SerializeFrom<typeof loader>['members'][number] & { isSelf: boolean };

function Member({ isSelf, isOwner, id, email, name, role, ...member }: MemberProps) {
  const { state, version, hasFactor } = member;
  const { t } = useTranslation('staff');
  const form = (intent: string) => ({
    ...{ id: `${intent}-${id}`, action: '/crm/staff', hidden: { id, version }, intent },
  });
  return (
    <li className="card p-4 sm:p-6">
      <h3 className="text-lg wrap-anywhere">{name || email}</h3>
      {name && <p className="text-sm wrap-anywhere text-muted">{email}</p>}
      <p className="mt-2">
        {role && <strong>{t(`roles.${role}`)}</strong>}
        {isOwner && ` · ${t('staff.alsoOwner')}`} · {t(`staff.states.${state}`)}
        {state === 'active' && ` · ${t(`staff.factor.${hasFactor ? 'yes' : 'no'}`)}`}
      </p>
      {isSelf && <p className="mt-2 text-sm text-muted">{t('staff.you')}</p>}
      {!isSelf && state !== 'left' && (
        <>
          <PostForm
            {...form('role')}
            refusal={{ errors: {}, values: { role: role ?? '' } }}
            className="mt-4 flex flex-wrap items-end gap-3"
          >
            <SelectField
              name="role"
              id={`role-of-${id}`}
              label={t('staff.roleOf', { email })}
              isLabelHidden
              options={STAFF_ROLES.map((one) => [one, t(`roles.${one}`)] as const)}
            />
            <Submit look="button-quiet" words={t('staff.changeRole')} />
          </PostForm>
          <div className="mt-2 flex flex-wrap gap-x-6">
            {role !== 'owner' && (
              <PostForm {...form('owner')}>
                <input type="hidden" name="owner" value={isOwner ? 'no' : 'yes'} />
                <button className="text-button min-h-11">
                  {t(isOwner ? 'staff.ownerNo' : 'staff.ownerYes')}
                </button>
              </PostForm>
            )}
            {(['reset', 'deactivate'] as const)
              .filter((intent) => hasFactor || intent !== 'reset')
              .map((intent) => (
                <details key={intent} className="w-full sm:w-auto">
                  <summary className="text-button inline-flex min-h-11 items-center">
                    {t(`staff.${intent}`)}
                  </summary>
                  <PostForm {...form(intent)} className="max-w-xl pb-3">
                    <p className="mb-3 wrap-anywhere">{t(`staff.${intent}Text`, { email })}</p>
                    <Submit look="button-danger" words={t(`staff.${intent}Button`)} />
                  </PostForm>
                </details>
              ))}
          </div>
        </>
      )}
    </li>
  );
}

const DONE = ['invited', 'role', 'owner', 'deactivated', 'reset'] as const;

const done = (what: (typeof DONE)[number]) => redirect(`/crm/staff?done=${what}`, 303);
type Self = AuditActor & { id: string };

/**
 * Invites somebody. Where mails are sent, the link goes there; where not, the answer itself shows it,
 * and nothing else ever will.
 */
async function invite(sent: FormData, actor: Self, language: Language) {
  const read = readForm(sent, INVITATION_FORM);
  if (read.errors) return refuse('invalid', read);
  const { email, role } = read.values;
  if (!isStaffRole(role)) throw new Response(null, { status: 400 });
  const invitation = { email, role, language, actor };
  const invited = await requireWrite((db) => inviteStaff(db, invitation, now()));
  if (invited === 'active') return refuse(invited, { ...read, errors: { email: invited } });
  if (invited === 'changed') return refuse(invited, read, { status: 409 });
  if (!env().mail) return json({ invited: { email, link: invited.link } });
  return done('invited');
}

/**
 * Changes, closes or resets another's account.
 *
 * @throws {Response} 400 for fields that no page has, 403 for one's own account, 404 for an account
 *   that is not of the staff
 */
async function change(
  intent: 'role' | 'owner' | 'deactivate' | 'reset',
  sent: FormData,
  self: Self,
) {
  const [id, role] = [textIn(sent, 'id'), textIn(sent, 'role')];
  const version = requireVersion(sent);
  if (!id) throw new Response(null, { status: 400 });
  if (!z.uuid().safeParse(id).success) throw new Response(null, { status: 404 });
  // Nobody locks themselves out, gives themselves another role, or does without a factor.
  if (id === self.id) throw new Response(null, { status: 403 });
  const account = { id, version, actor: self };
  const isChanged = await requireWrite(async (db) => {
    const user = await findUser(db, id);
    if (user?.kind !== 'staff') throw new Response(null, { status: 404 });
    // Who has left is invited again, and nothing else: no page has these forms then.
    if (user.deactivated_at !== null) return false;
    if (intent === 'deactivate') return deactivateStaff(db, account, now());
    if (intent === 'reset') return resetFactors(db, account, now());
    if (intent === 'owner') {
      return changeOwner(db, account, textIn(sent, 'owner') === 'yes', now());
    }
    if (!isStaffRole(role)) throw new Response(null, { status: 400 });
    return changeRole(db, account, role, now());
  });
  if (!isChanged) return refuse('changed', {}, { status: 409 });
  return done(intent === 'deactivate' ? 'deactivated' : intent);
}
