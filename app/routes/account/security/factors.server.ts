import {
  enrollPhone,
  enrollTotp,
  listFactors,
  removeFactor,
  startChallenge,
} from '~/accounts/factors.server';
import { now } from '~/clock.server';
import { eraseInDatabase, requireDatabase, writeDatabase } from '~/database.server';
import { CODE_FORM, PHONE_FORM, TOTP_FORM, withCode } from '~/domain/security';
import { readForm } from '~/http/form.server';
import { canSendSms, wakeOutbox } from '~/mail/outbox.server';
import { idIn, proveFactor } from './proof.server';
import { formOf } from './refusal';
import { backTo, mailLanguage, refuseForm, refuseForNow, type Visit } from './visit.server';

const DAY_S = 24 * 60 * 60;

/**
 * Begins a second factor; it counts once a code of it was right. Beside one that counts already, the
 * second factor is asked for now (live-mode.md, accounts).
 */
export async function addFactor(visit: Visit) {
  const { session, sent, context } = visit;
  const isPhone = sent.get('factor_type') === 'phone';
  if (isPhone && !canSendSms()) throw new Response(null, { status: 404 });
  const form = formOf('add-factor', isPhone ? 'phone' : 'totp');
  const read = readForm(sent, withCode(isPhone ? PHONE_FORM : TOTP_FORM, session.hasFactor));
  if (read.errors) return refuseForm(form, read);
  const { friendly_name: friendlyName = '', phone = '', code } = read.values as Fields;
  // What can be refused without the code is, so that none is used up for nothing.
  const { id: userId, email } = session.user;
  const factors = await requireDatabase((db) => listFactors(db, userId));
  const isTaken = factors.some(
    (one) => one.friendlyName === friendlyName && one.status === 'verified',
  );
  if (isTaken) return refuseForm(form, { ...read, errors: { friendly_name: 'nameTaken' } });
  if (session.hasFactor) {
    const proof = await proveFactor(visit, code ?? '');
    if (typeof proof === 'object') return refuseForNow(visit, form, read, proof.wait);
    if (proof !== 'right') return refuseForm(form, { ...read, errors: { code: proof } });
  }

  const language = mailLanguage(session);
  const { client = '' } = context;
  const begun = await requireDatabase(async (db) => {
    if (!isPhone) return enrollTotp(db, { userId, email, friendlyName }, now());
    const one = await enrollPhone(db, { userId, friendlyName, phone, client }, now());
    if (typeof one === 'string') return one;
    const started = await startChallenge(db, { userId, factorId: one.id, language, client }, now());
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

/** Takes a factor off the account; the second factor is asked for now. */
export async function takeFactorOff(visit: Visit) {
  const { session, sent } = visit;
  const factorId = idIn(sent, 'factor') ?? '';
  const { id: userId } = session.user;
  const form = formOf('remove-factor', factorId);
  const factors = await requireDatabase((db) => listFactors(db, userId));
  if (!factors.some(({ id }) => id === factorId)) throw new Response(null, { status: 404 });
  const read = readForm(sent, CODE_FORM);
  if (read.errors) return refuseForm(form, read);
  const proof = await proveFactor(visit, read.values.code);
  if (typeof proof === 'object') return refuseForNow(visit, form, read, proof.wait);
  if (proof !== 'right') return refuseForm(form, { ...read, errors: { code: proof } });
  await requireDatabase((db) => removeFactor(db, { userId, factorId }, now()), eraseInDatabase);
  wakeOutbox();
  return backTo(visit, 'factors', 'factorRemoved');
}
