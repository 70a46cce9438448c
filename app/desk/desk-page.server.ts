import type { Right } from '~/access';
import { audit } from '~/accounts/audit.server';
import { requireStaff } from '~/accounts/session.server';
import { now } from '~/clock.server';
import { requireDatabase, requireWrite } from '~/database.server';
import { isLanguageChange, limitForms, readFormData, rerender } from '~/http/form.server';
import { live, type PageArgs } from '~/live.server';
import type { Database } from '~db/schema';
import { openCase, type OpenCase } from './case.server';

/** For who has the right. @throws {Response} 401, 403 */
export const deskLoader = <T>(right: Right, work: (page: DeskPage) => Promise<T>) =>
  live(async (args) => work(await deskPage(right, args)));
type DeskPage = Awaited<ReturnType<typeof deskPage>>;

async function deskPage(right: Right, args: PageArgs) {
  const session = await requireStaff(args.request, right);
  return { ...args, session, user: session.user, asked: args.searchParams };
}

/** 403, 429, or once more in another language. */
export const deskAction = <T>(
  right: Right,
  work: (form: DeskPage & { sent: FormData }) => Promise<T>,
) =>
  live(async (args) => {
    const page = await deskPage(right, args);
    limitForms(args.context);
    const sent = await readFormData(args.request);
    return isLanguageChange(sent) ? rerender(sent) : work({ ...page, sent });
  });

/** The same of a case. The form that changes an answer is made on the server, with what was typed into it. */
export const caseAction = <T>(
  work: (form: PageArgs & { open: OpenCase; sent: FormData }) => Promise<T>,
) =>
  live(async (args) => {
    const open = await openCase(args.request, args.params['id']);
    limitForms(args.context);
    const sent = await readFormData(args.request);
    const isAmended = sent.get('intent') === 'amend';
    return isLanguageChange(sent) && !isAmended ? rerender(sent) : work({ ...args, open, sent });
  });

/** What the page of one of them shows; that it was seen is recorded. @throws {Response} 404 */
export async function viewed<T>(
  kind: 'lead' | 'message' | 'refund',
  { user, params: { id = '' } }: Pick<DeskPage, 'user' | 'params'>,
  view: (db: Database, id: string) => Promise<T | undefined>,
): Promise<T> {
  const found = await requireDatabase((db) => view(db, id));
  if (!found) throw new Response(null, { status: 404 });
  await requireWrite((db) => audit(db, user, `${kind}.viewed`, [kind, id], now()));
  return found;
}
