import type { Right } from '~/access';
import { requireStaff } from '~/accounts/session.server';
import type { Form } from '~/domain/form';
import { isLanguageChange, limitForms, readFormData, rerender } from '~/http/form.server';
import { live, type PageArgs } from '~/http/live.server';

type Staff = Awaited<ReturnType<typeof requireStaff>>;

export interface DeskForm extends PageArgs {
  session: Staff;
  user: Staff['user'];
  sent: FormData;
}

/** 403, 429, or once more in another language. @param form whose passwords are not sent back */
export const deskAction = <T>(
  right: Right,
  work: (form: DeskForm) => Promise<T>,
  { form = [] }: { form?: Form } = {},
) =>
  live(async (args) => {
    const session = await requireStaff(args.request, right);
    limitForms(args.context);
    const sent = await readFormData(args.request);
    if (isLanguageChange(sent)) return rerender(sent, form);
    return work({ ...args, session, user: session.user, sent });
  });
