import {
  enrollPhone,
  enrollTotp,
  listFactors,
  removeFactor,
  startChallenge,
} from '~/accounts/factors.server';
import { now } from '~/clock.server';
import { eraseInDatabase, requireDatabase, writeDatabase } from '~/database.server';
import { isPasswordFresh, PHONE_FORM, TOTP_FORM, withProof } from '~/domain/security';
import { readForm } from '~/http/form.server';
import { canSendSms, wakeOutbox } from '~/mail/outbox.server';
import { idIn, refuseUnproven } from './proof.server';
import { formOf } from './refusal';
import { backTo, refuseForm, refuseForNow, type Visit } from './visit.server';

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

/** Takes a factor off the account, for who proves to be there. */
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
