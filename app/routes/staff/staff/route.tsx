import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { requireStaff } from '~/accounts/session.server';
import { requireDatabase } from '~/database.server';
import { INVITATION_FORM, rolesFor } from '~/domain/staff';
import { isLanguageChange, namedIntentOf, sentForm, showAgain } from '~/http/form.server';
import { live } from '~/http/live.server';
import type { PageHandle } from '~/http/page-handle';
import { limitForms } from '~/http/rate-limit.server';
import { languageOf, translator } from '~/i18n/server.server';
import { Icon } from '~/ui/icon';
import { PageHeading } from '~/ui/page-heading';
import { StaffErrors } from '~/ui/staff-errors';
import { listStaff } from '~db/queries/staff.server';
import { change, DONE, invite } from './changes.server';
import { InvitationForm, InvitationLink } from './invitation';
import { Member } from './member';

export const handle: PageHandle = { limitsForms: true };
/** Everybody on the staff, for an admin. */
export const loader = live(async ({ request }: LoaderFunctionArgs) => {
  const session = await requireStaff(request, rolesFor('staff'));
  const members = await requireDatabase(listStaff);
  const asked = new URL(request.url).searchParams.get('done');
  return json({
    self: session.user.id,
    done: DONE.find((what) => what === asked),
    members: members.map(({ first_name, last_name, deactivated_at, ...member }) => ({
      ...member,
      name: [first_name, last_name].filter(Boolean).join(' '),
      state: deactivated_at !== null ? 'left' : member.hasJoined ? 'active' : 'invited',
    })),
    page: {
      title: translator(await languageOf(request))('staff:staff.title'),
      noindex: true,
      form: true,
    },
  });
});

/** Each change asks anew whether who sends it is an admin. */
export const action = live(async ({ request, context }: ActionFunctionArgs) => {
  const { user } = await requireStaff(request, rolesFor('staff'));
  limitForms(context);
  const sent = await sentForm(request);
  if (isLanguageChange(sent)) return showAgain(sent, INVITATION_FORM);
  const intent = namedIntentOf(sent, ['invite', 'role', 'deactivate', 'reset']);
  if (intent !== 'invite') return change(intent, sent, user.id);
  return invite(sent, { kind: 'staff', id: user.id }, await languageOf(request));
});

export default function Staff() {
  const { t } = useTranslation('staff');
  const { members, self, done } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const invited = answer && 'invited' in answer ? answer.invited : undefined;
  const refusal = answer && 'errors' in answer ? answer : undefined;
  return (
    <div className="wrap py-8 sm:py-12">
      <StaffErrors refusal={refusal} form={INVITATION_FORM} />
      {invited && <InvitationLink {...invited} />}
      {done && !answer && (
        <p role="status" className="say say-good mb-6 w-fit">
          <Icon name="circle-check" />
          {t(`staff.done.${done}`)}
        </p>
      )}
      <PageHeading title={t('staff.title')} lead={t('staff.lead')} />
      <div className="mt-8 grid items-start gap-x-12 gap-y-10 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <InvitationForm refusal={refusal} />
        <section aria-labelledby="members">
          <h2 id="members" className="text-2xl">
            {t('staff.list')}
          </h2>
          <ul className="mt-4 grid gap-4">
            {members.map((member) => (
              <Member key={member.id} member={member} isSelf={member.id === self} />
            ))}
          </ul>
        </section>
      </div>
    </div>
  );
}
