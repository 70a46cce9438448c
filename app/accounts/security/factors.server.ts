import { json } from '@remix-run/node';
import { z } from 'zod/v4';
import { type CodesAnswer, formOf } from '~/accounts/security/answers';
import { now } from '~/clock.server';
import { eraseInDatabase, requireDatabase, writeDatabase } from '~/database.server';
import {
  CONFIRM_FORM,
  isFactorFresh,
  isPasswordFresh,
  PHONE_FORM,
  TOTP_FORM,
  withProof,
} from '~/domain/security';
import { readForm } from '~/http/form.server';
import { canSendSms, wakeOutbox } from '~/mail/outbox.server';
import {
  backTo,
  idIn,
  refuseForm,
  refuseForNow,
  refuseUnproven,
  type Visit,
} from '~/accounts/security/visit.server';
import { touchSession } from '~db/queries/sessions.server';
import { lockUser } from '~db/queries/users.server';
import {
  confirmFactor,
  enrollPhone,
  enrollTotp,
  listFactors,
  makeRecoveryCodes,
  recoveryCodesLeft,
  removeFactor,
  startChallenge,
  takeCode,
} from '../factors.server';
import { newSession } from '../session.server';
import { countTry, forgiveTry, type Trier } from '../throttle.server';

const DAY_S = 24 * 60 * 60;

/**
 * Whether beginning a factor asks for no proof: of staff without one who have given or chosen their
 * password a moment ago, and to whom nothing else opens.
 */
export function needsNoProof({ needsFactor, methods }: Visit['session']): boolean {
  return needsFactor && isPasswordFresh(methods, now());
}

/**
 * Begins a second factor, also the first one, for who proves to be there; it counts once a code of it
 * was right.
 */
export async function addFactor(visit: Visit) {
  const { session, sent, context } = visit;
  const isPhone = sent.get('factor_type') === 'phone';
  if (isPhone && !canSendSms()) throw new Response(null, { status: 404 });
  const form = formOf('add-factor', isPhone ? 'phone' : 'totp');
  const isProven = needsNoProof(session);
  const asked = isPhone ? PHONE_FORM : TOTP_FORM;
  const read = readForm(sent, isProven ? asked : withProof(asked, session.hasFactor));
  if (read.errors) return refuseForm(form, read);
  const { friendly_name: friendlyName = '', phone = '' } = read.values as Fields;
  // What can be refused without the code is, so that none is used up for nothing.
  const { id: userId, email } = session.user;
  const factors = await requireDatabase((db) => listFactors(db, userId));
  const isTaken = factors.some(
    (one) => one.friendlyName === friendlyName && one.status === 'verified',
  );
  if (isTaken) return refuseForm(form, { ...read, errors: { friendly_name: 'nameTaken' } });
  const refused = isProven ? undefined : await refuseUnproven(visit, form, read);
  if (refused) return refused;

  const { language } = session.user;
  const { client = '' } = context;
  const { sessionId } = session;
  const begun = await requireDatabase(async (db) => {
    if (!isPhone) return enrollTotp(db, { userId, email, friendlyName }, now());
    const one = await enrollPhone(db, { userId, friendlyName, phone, client }, now());
    if (typeof one === 'string') return one;
    const of = { userId, sessionId, factorId: one.id, language, client };
    const started = await startChallenge(db, of, now());
    return { ...one, isSent: started !== undefined && 'id' in started };
  }, writeDatabase);
  if (begun === 'nameTaken') {
    return refuseForm(form, { ...read, errors: { friendly_name: begun } });
  }
  if (begun === 'phone') return refuseForm(form, { ...read, errors: { phone: 'phoneUnknown' } });
  if (begun === 'tooMany') return refuseForNow(visit, form, read, DAY_S, 'tooManyMessages');
  if (begun === 'unavailable') throw new Response(null, { status: 404 });
  wakeOutbox();
  const toast = 'isSent' in begun && begun.isSent ? 'codeSent' : undefined;
  return backTo(visit, 'new-factor', toast, { parameters: { factor: begun.id } });
}

type Fields = Record<string, string | undefined>;

export async function takeFactorOff(visit: Visit) {
  const { session, sent } = visit;
  const factorId = idIn(sent, 'factor') ?? '';
  const { id: userId } = session.user;
  const form = formOf('remove-factor', factorId);
  const factors = await requireDatabase((db) => listFactors(db, userId));
  if (!factors.some(({ id }) => id === factorId)) throw new Response(null, { status: 404 });
  const read = readForm(sent, withProof([], session.hasFactor));
  if (read.errors) return refuseForm(form, read);
  const refused = await refuseUnproven(visit, form, read);
  if (refused) return refused;
  await requireDatabase((db) => removeFactor(db, { userId, factorId }, now()), eraseInDatabase);
  wakeOutbox();
  return backTo(visit, 'factors', 'factorRemoved');
}

/**
 * Takes the first code of a new factor: from now on it counts, the sessions without it end, and this
 * one gets a new token, at the second level.
 */
export async function confirmNewFactor(visit: Visit) {
  const { session, sent, context, request } = visit;
  const { user } = session;
  const factorId = idIn(sent, 'factor');
  const read = readForm(sent, CONFIRM_FORM);
  if (read.errors) return refuseForm('confirm-factor', read);
  const factors = await requireDatabase((db) => listFactors(db, user.id));
  const factor = factors.find(({ id, status }) => id === factorId && status === 'unverified');
  if (!factor) return refuseForm('confirm-factor', read, 'gone');
  // Who has a factor gave it when this one was begun; a session that has not is not let in here.
  const instead = { user, aal: 2 as const, methods: [factor.type], request, instead: session };
  const next = await newSession(instead);
  const trier: Trier = {
    what: 'code',
    kind: user.kind,
    client: context.client ?? '',
    email: user.email,
    known: session.sessionId,
  };
  const result = await requireDatabase(async (db) => {
    const at = now();
    // A password that is set anew meanwhile ends this session, and what it would become.
    await lockUser(db, user.id);
    if (!(await touchSession(db, session.sessionId, at))) return 'ended';
    const wait = await countTry(db, trier, at);
    if (wait > 0) return { wait };
    const taken = await takeCode(
      db,
      {
        userId: user.id,
        sessionId: session.sessionId,
        factorId: factor.id,
        code: read.values.code,
      },
      at,
    );
    if (taken !== 'right') return taken;
    await forgiveTry(db, trier, at);
    await confirmFactor(db, { userId: user.id, factorId: factor.id, keep: session.sessionId }, at);
    await next.insert(db);
    return taken;
  }, eraseInDatabase);
  if (typeof result === 'object') return refuseForNow(visit, 'confirm-factor', read, result.wait);
  if (result === 'ended') return backTo(visit, 'factors', undefined);
  if (result !== 'right') {
    return refuseForm('confirm-factor', { ...read, errors: { code: result } });
  }
  wakeOutbox();
  return backTo(visit, 'recovery-codes', 'factorAdded', { cookies: [next.cookie] });
}

/**
 * Makes new recovery codes and shows them in this very answer (200, no-store): after a redirect they
 * would have to be kept in clear somewhere, and only their hashes are. Loading the page again asks for
 * another proof, so that it makes no others by accident.
 *
 * They ask for the proof of who is there, but for the first ones right after the second factor was
 * given: the password was typed before it, and an authenticator shows the next code only after half a
 * minute.
 */
export async function newRecoveryCodes(visit: Visit) {
  const { session } = visit;
  const { id: userId } = session.user;
  if (!session.hasFactor) throw new Response(null, { status: 404 });
  const left = await requireDatabase((db) => recoveryCodesLeft(db, userId));
  if (left > 0 || !isFactorFresh(session.methods, now())) {
    const read = readForm(visit.sent, withProof([], true));
    if (read.errors) return refuseForm('recovery-codes', read);
    const refused = await refuseUnproven(visit, 'recovery-codes', read);
    if (refused) return refused;
  }
  const codes = await requireDatabase(
    (db) => makeRecoveryCodes(db, userId, now()),
    eraseInDatabase,
  );
  return json<CodesAnswer>({ codes });
}

/** Sends a code to a telephone: to a new one again, or to one that counts, for another form. */
export async function sendCode(visit: Visit) {
  const { session, sent, context } = visit;
  const factorId = idIn(sent, 'factor') ?? '';
  const { client = '' } = context;
  const { user, sessionId } = session;
  const of = { userId: user.id, sessionId, factorId, language: user.language, client };
  const factors = await requireDatabase((db) => listFactors(db, of.userId));
  const factor = factors.find(({ id, type }) => id === factorId && type === 'phone');
  if (!factor) throw new Response(null, { status: 404 });
  const started = await requireDatabase((db) => startChallenge(db, of, now()), writeDatabase);
  if (!started) throw new Response(null, { status: 404 });
  if ('wait' in started) {
    return refuseForNow(visit, 'send-code', {}, started.wait, 'tooManyMessages');
  }
  wakeOutbox();
  if (factor.status === 'unverified') {
    return backTo(visit, 'new-factor', 'codeSent', { parameters: { factor: factor.id } });
  }
  // The form that asked for it is open when the page comes back.
  const open = z
    .string()
    .regex(/^[a-z0-9-]{1,60}$/)
    .safeParse(sent.get('open')).data;
  const parameters = open === undefined ? undefined : { open };
  return backTo(
    visit,
    parameters ? `${open}-code` : 'factors',
    'codeSent',
    parameters && { parameters },
  );
}
