import { now } from '~/clock.server';
import { sessionEnd } from '~/domain/accounts';
import { formOf, inGroups, isFactorFresh } from '~/domain/security';
import { localPath } from '~/http/local-path';
import { dayInWords, formatInstant } from '~/i18n/locale.server';
import type { Language } from '~/i18n/languages';
import { canSendSms } from '~/mail/outbox.server';
import { siteSettings } from '~/settings/settings.server';
import { recoveryCodesLeft } from '~db/queries/factors.server';
import { listSessions, type SessionRow } from '~db/queries/sessions.server';
import type { Database } from '~db/schema';
import { listFactors, totpOf } from '../factors.server';
import { readClient, type SignedIn } from '../session.server';
import { needsNoProof } from './factors.server';

export async function securityView(
  db: Database,
  session: SignedIn,
  language: Language,
  parameters: URLSearchParams,
) {
  const { user } = session;
  const { auditYears } = siteSettings();
  const factors = await listFactors(db, user.id);
  const verified = factors.filter(({ status }) => status === 'verified');
  const codesLeft = await recoveryCodesLeft(db, user.id);
  const begun = factors.find(
    ({ id, status }) => id === parameters.get('factor') && status === 'unverified',
  );
  const setup = begun && (await totpOf(db, user.id, begun.id));
  return {
    firstName: user.firstName ?? '',
    lastName: user.lastName ?? '',
    email: user.email,
    isTraveller: user.kind === 'traveller',
    /** Staff without a second factor see nothing else until they have one. */
    mustAddFactor: session.mfaRequired,
    needsProofToAdd: !needsNoProof(session),
    factors: verified.map(({ id, friendly_name, factor_type, phone = '', created_at }) => ({
      id,
      name: friendly_name,
      type: factor_type,
      phone,
      since: dayInWords(created_at, language),
    })),
    newFactor: begun
      ? {
          id: begun.id,
          name: begun.friendly_name,
          phone: begun.phone ?? '',
          setup: setup ? { ...setup, secret: inGroups(setup.secret) } : null,
        }
      : null,
    canAddPhone: canSendSms(),
    codesLeft,
    needsProofForCodes: codesLeft > 0 || !isFactorFresh(session.methods, now()),
    sessions: sessionViews(await listSessions(db, user.id), session, language),
    auditYears,
    open: parameters.get('open') ?? (session.mfaRequired ? formOf('add-factor', 'totp') : ''),
    returnTo: localPath(parameters.get('returnTo'), ''),
  };
}
export type SecurityView = Awaited<ReturnType<typeof securityView>>;

function sessionViews(rows: SessionRow[], { sessionId, user }: SignedIn, language: Language) {
  const moment = (instant: string) => formatInstant(new Date(instant), language);
  const lasts = ({ last_seen_at, expires_at }: SessionRow) =>
    sessionEnd(user.kind, new Date(last_seen_at), new Date(expires_at)) > now();
  return rows
    .filter(lasts)
    .map((row) => ({
      id: row.id,
      isThis: row.id === sessionId,
      ...readClient(row.client),
      begun: moment(row.created_at),
      used: moment(row.last_seen_at),
    }))
    .sort((a, b) => Number(b.isThis) - Number(a.isThis));
}
