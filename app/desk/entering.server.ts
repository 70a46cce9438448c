import { redirect } from '@remix-run/node';

import { tellTraveller } from '~/applications/address.server';
import { answerLines } from '~/applications/answer-lines.server';
import { stepWords } from '~/applications/field-words.server';
import { audit } from '~/accounts/audit.server';
import { now } from '~/clock.server';
import { requireDatabase, requireWrite } from '~/database.server';
import { ASKED_STEPS } from '~/domain/application/steps';
import { localInstant } from '~/domain/day-period';
import { readOfficialNumber } from '~/domain/desk-work';
import { workedAt } from '~/domain/worklist';
import { refuse, textIn } from '~/http/form.server';
import type { Language } from '~/i18n/languages';
import { dayInWords, formatInstant, formatTime, formatTimeZone } from '~/i18n/locale.server';
import { unsealColumn } from '~/sealing/seal.server';
import { siteSettings } from '~/settings/settings.server';
import { rowsIn } from '~db/queries/rows.server';
import { caseAnswers } from './answers.server';
import { caseAddress, lockCase, type OpenCase } from './case.server';
import { picturesSection } from './case-page.server';
import { OFFICIAL_SITE } from './official-fee.server';
import { keptBeside } from './kept-texts.server';
import { actOnWork } from './work.server';

/** Whether its reader is the one who enters it at the official site. */
export const isEntering = ({ row, isAssigned }: OpenCase) => isAssigned && row.state === 'checked';

const sectionsIn = (text: string | null) => new Set(text?.split(' ') ?? []);

export const nextToEnter = ({ entered_sections }: OpenCase['row']) =>
  ASKED_STEPS.find(({ number }) => !sectionsIn(entered_sections).has(String(number)));

/**
 * The values of a case as they are typed or chosen at the official site, in the order of its form.
 *
 * @throws {Response} 503 without a database
 */
export async function copySheet(open: OpenCase, language: Language) {
  const { row } = open;
  const { context } = await caseAnswers(row.id);
  const pictures = await picturesSection(open, language);
  const done = sectionsIn(row.entered_sections);
  const { officialFee, filingEmail } = siteSettings();
  return requireDatabase(async () => {
    const linesOf = await answerLines(context, language);
    return {
      address: caseAddress(open, {}, '/copy-sheet'),
      version: row.version,
      isEntering: isEntering(open),
      officialSite: OFFICIAL_SITE,
      isOperatorPaying: officialFee === 'operator',
      filingEmail,
      code: filingEmail === null ? codeView(row, language) : null,
      photos: (pictures ?? []).filter(({ facts }) => facts),
      certifiedOn: row.certified_at ? dayInWords(row.certified_at, language) : undefined,
      steps: ASKED_STEPS.map((step) => ({
        step: step.number,
        title: stepWords(step, language).title,
        isDone: done.has(String(step.number)),
        lines: linesOf(step)
          .filter(({ isAsked }) => isAsked)
          .map(({ name, label, isOurs, official }) => ({ name, label, isOurs, values: official })),
      })),
    };
  });
}

/** The appointment at which its traveller waits for the code, and what they have typed of it. */
function codeView(row: OpenCase['row'], language: Language) {
  const typed = unsealColumn('applications', row, 'code_sealed');
  const [code, at] = typed ? (JSON.parse(typed) as [string, string]) : [];
  return {
    zone: formatTimeZone(now(), language),
    at: row.code_at && formatInstant(new Date(row.code_at), language),
    ...(code && at && { code, typedAt: formatTime(new Date(at), language) }),
  };
}

export const ENTERING_INTENTS = ['section', 'enter', 'send_back', 'appoint', 'look'] as const;

/** @throws {Response} 400 for a section that no form has */
export async function actOnEntering(
  intent: (typeof ENTERING_INTENTS)[number],
  open: OpenCase,
  sent: FormData,
) {
  if (intent === 'section') return markSection(open, sent);
  if (intent === 'appoint') return appoint(open, sent);
  if (intent === 'look') return backToCode(open, sent);
  const number = readOfficialNumber(textIn(sent, 'official_number'));
  // It counts once the number was shown and compared, and that number only.
  const isCompared = number !== undefined && textIn(sent, 'compared') === number;
  if (isCompared) sent.set('confirm', 'yes');
  else sent.delete('confirm');
  return actOnWork(intent, open, sent);
}

/** Keeps which parts are typed already; whoever does so is at work. */
async function markSection(open: OpenCase, sent: FormData) {
  const section = ASKED_STEPS.find(({ number }) => String(number) === sent.get('section'));
  if (!section) throw new Response(null, { status: 400 });
  const isSaved = await requireWrite(async (db) => {
    const row = await rowsIn(db).lock('applications', open.row.id);
    if (!row || row.state !== 'checked' || row.assigned_to !== open.session.user.id) return false;
    const done = sectionsIn(row.entered_sections);
    if (sent.get('done') === 'yes') done.add(String(section.number));
    else done.delete(String(section.number));
    const entered_sections = [...done].filter(Boolean).sort().join(' ') || null;
    const set = { entered_sections, worked_at: workedAt(row, now()) };
    await rowsIn(db).update('applications', { id: row.id }, set).execute();
    return true;
  });
  if (!isSaved) return refuse('changed', { typed: {} }, { status: 409 });
  return redirect(`${caseAddress(open, {}, '/copy-sheet')}#step-${section.number}`, 303);
}

/** Tells the traveller when to be there; until then, and a while longer, the case stays with its reader. */
async function appoint(open: OpenCase, sent: FormData) {
  const typed = {
    ...{ appointment: textIn(sent, 'appointment'), intent: 'appoint' },
    official_number: textIn(sent, 'official_number'),
  };
  const [at, { timeZone }] = [now(), siteSettings()];
  const due = localInstant(typed.appointment, timeZone);
  if (!due || due <= at)
    return refuse('invalid', { typed, errors: { appointment: 'appointment' } });
  const { user } = open.session;
  const isMade = await requireWrite(async (db) => {
    const row = await lockCase(db, open, sent);
    if (!row || !isEntering(open)) return false;
    const code_at = due.toISOString();
    const set = { state: row.state, code_at, code_sealed: null };
    const worked_at = workedAt(set, at);
    if (!(await rowsIn(db).move('applications', row, { ...set, worked_at }))) return false;
    await audit(db, user, 'case.appointed', ['application', row.id], at);
    const said = { due: code_at, writer: user.firstName ?? '' };
    await tellTraveller(db, row, 'codeAppointment', said, at);
    return true;
  });
  if (!isMade) return refuse('changed', { typed }, { status: 409 });
  return backToCode(open, sent);
}

/** The number may be typed already, without a script in the same form. */
async function backToCode(open: OpenCase, sent: FormData) {
  const kept = await keptBeside(open.session.sessionId, sent, ['official_number']);
  return redirect(`${caseAddress(open, kept, '/copy-sheet')}#code`, 303);
}
