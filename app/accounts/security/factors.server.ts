import { json } from '@remix-run/node';
import { z } from 'zod/v4';
import { now } from '~/clock.server';
import { requireDatabase, requireWrite, writeWithSecureDelete } from '~/database.server';
import {
  CONFIRM_FORM,
  formOf,
  isFactorFresh,
  isPasswordFresh,
  PHONE_FORM,
  TOTP_FORM,
  withReauth,
} from '~/domain/security';
import { canSendSms } from '~/mail/outbox.server';
import { recoveryCodesLeft } from '~db/queries/factors.server';
import { touchSession } from '~db/queries/sessions.server';
import { lockUser } from '~db/queries/users.server';
import { codeKey, makeRecoveryCodes } from '../codes.server';
import {
  confirmFactor,
  enrollPhone,
  enrollTotp,
  listFactors,
  removeFactor,
  startChallenge,
  takeCode,
} from '../factors.server';
import { createSession } from '../session.server';
import { clearAttempts, recordAttempt } from '../throttle.server';
import { backTo, idIn, openForm, requireReauthentication, type Visit } from './visit.server';

const DAY_S = 24 * 60 * 60;

const notFound = () => new Response(null, { status: 404 });

/** Staff without a factor who have just given or chosen their password need no other proof. */
export const needsNoProof = ({ mfaRequired, methods }: Visit['session']): boolean =>
  mfaRequired && isPasswordFresh(methods, now());

export async function addFactor(visit: Visit) {
  const { session, sent, context } = visit;
  const isPhone = sent.get('factor_type') === 'phone';
  if (isPhone && !canSendSms()) throw notFound();
  const isProven = needsNoProof(session);
  const asked = isPhone ? PHONE_FORM : TOTP_FORM;
  const fields = isProven ? asked : withReauth(asked, session.hasFactor);
  const form = openForm(visit, formOf('add-factor', isPhone ? 'phone' : 'totp'), fields);
  const values = form.values as Record<string, string | undefined>;
  const { friendly_name: friendlyName = '', phone = '' } = values;
  // What can be refused without the code is, so that none is used up for nothing.
  const { id: userId, email, language } = session.user;
  const isTaken = (await requireDatabase((db) => listFactors(db, userId))).some(
    ({ friendly_name, status }) => friendly_name === friendlyName && status === 'verified',
  );
  if (isTaken) throw form.refuse({ friendly_name: 'nameTaken' });
  if (!isProven) await requireReauthentication(visit, form);

  const { client = '' } = context;
  const { sessionId } = session;
  const begun = await requireWrite(async (db) => {
    if (!isPhone) return enrollTotp(db, { userId, email, friendlyName }, now());
    const one = await enrollPhone(db, { userId, friendlyName, phone, client }, now());
    if (typeof one === 'string') return one;
    const of = { userId, sessionId, factorId: one.id, language, client };
    const started = await startChallenge(db, of, now());
    return { ...one, isSent: started !== undefined && 'id' in started };
  });
  if (begun === 'nameTaken') throw form.refuse({ friendly_name: begun });
  if (begun === 'phone') throw form.refuse({ phone: 'phoneUnknown' });
  if (begun === 'tooMany') throw form.refuseForNow(DAY_S, 'tooManyMessages');
  if (begun === 'unavailable') throw notFound();
  const toast = 'isSent' in begun && begun.isSent ? 'codeSent' : undefined;
  return backTo(visit, 'new-factor', toast, { parameters: { factor: begun.id } });
}

async function sentFactor({ sent, session: { user } }: Visit) {
  const factors = await requireDatabase((db) => listFactors(db, user.id));
  return factors.find(({ id }) => id === idIn(sent, 'factor'));
}

export async function takeFactorOff(visit: Visit) {
  const { user, hasFactor } = visit.session;
  const factor = await sentFactor(visit);
  if (!factor) throw notFound();
  const of = { userId: user.id, factorId: factor.id };
  const form = openForm(visit, formOf('remove-factor', factor.id), withReauth([], hasFactor));
  await requireReauthentication(visit, form);
  await requireDatabase((db) => removeFactor(db, of, now()), writeWithSecureDelete);
  return backTo(visit, 'factors', 'factorRemoved');
}

/** The sessions without the factor end, and this one gets a new token, at the second level. */
export async function confirmNewFactor(visit: Visit) {
  const { session, context, request } = visit;
  const { user, sessionId } = session;
  const form = openForm(visit, 'confirm-factor', CONFIRM_FORM);
  const factor = await sentFactor(visit);
  if (factor?.status !== 'unverified') throw form.refuse({}, 'gone');
  const of = { userId: user.id, factorId: factor.id };
  // Who has a factor gave it when this one was begun; a session that has not is not let in here.
  const methods = [factor.factor_type];
  const next = await createSession({ user, aal: 2, methods, request, instead: session });
  const key = codeKey(user, context.client ?? '', sessionId);
  const { code } = form.values;
  const result = await requireDatabase(async (db) => {
    const at = now();
    // A password that is set anew meanwhile ends this session, and what it would become.
    await lockUser(db, user.id);
    if (!(await touchSession(db, sessionId, at))) return 'ended';
    const wait = await recordAttempt(db, key, at);
    if (wait > 0) return { wait };
    const taken = await takeCode(db, { ...of, sessionId, code }, at);
    if (taken !== 'right') return taken;
    await clearAttempts(db, key, at);
    await confirmFactor(db, { ...of, keep: sessionId }, at);
    await next.insert(db);
    return taken;
  }, writeWithSecureDelete);
  if (typeof result === 'object') throw form.refuseForNow(result.wait);
  if (result === 'ended') return backTo(visit, 'factors', undefined);
  if (result !== 'right') throw form.refuse({ code: result });
  return backTo(visit, 'recovery-codes', 'factorAdded', { cookies: [next.cookie] });
}

/** In this very answer (200, no-store): after a redirect they would be kept in clear somewhere. */
export async function newRecoveryCodes(visit: Visit) {
  const { user, hasFactor, methods } = visit.session;
  if (!hasFactor) throw notFound();
  const left = await requireDatabase((db) => recoveryCodesLeft(db, user.id));
  if (left > 0 || !isFactorFresh(methods, now())) {
    await requireReauthentication(visit, openForm(visit, 'recovery-codes', withReauth([], true)));
  }
  const codes = await requireDatabase(
    (db) => makeRecoveryCodes(db, user.id, now()),
    writeWithSecureDelete,
  );
  return json({ codes });
}

export async function sendCode(visit: Visit) {
  const { session, sent, context } = visit;
  const { user, sessionId } = session;
  const { client = '' } = context;
  const factor = await sentFactor(visit);
  if (factor?.factor_type !== 'phone') throw notFound();
  const of = { userId: user.id, sessionId, language: user.language, client, factorId: factor.id };
  const started = await requireWrite((db) => startChallenge(db, of, now()));
  if (!started) throw notFound();
  if ('wait' in started) {
    throw openForm(visit, 'send-code', []).refuseForNow(started.wait, 'tooManyMessages');
  }
  if (factor.status === 'unverified') {
    return backTo(visit, 'new-factor', 'codeSent', { parameters: { factor: factor.id } });
  }
  // The form that asked for it is open when the page comes back.
  const name = z.string().regex(/^[a-z0-9-]{1,60}$/);
  const open = name.safeParse(sent.get('open')).data;
  if (open === undefined) return backTo(visit, 'factors', 'codeSent');
  return backTo(visit, `${open}-code`, 'codeSent', { parameters: { open } });
}
