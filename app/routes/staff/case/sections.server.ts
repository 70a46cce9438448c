import type { OpenCase } from '~/desk/open-case.server';
import type { Language } from '~/i18n/languages';
import { answersSection } from './answers.server';
import { assignmentSection } from './assignment.server';
import { historySection } from './history.server';
import { notesSection } from './notes.server';
import { photoSection } from './photo.server';
import { requestsSection } from './requests.server';
import { workSection } from './work.server';

/**
 * The parts of a case's page; of those that the rights do not open, undefined.
 *
 * @param asked the parameters of the address
 */
export async function sectionsOf(open: OpenCase, language: Language, asked: URLSearchParams) {
  return {
    assignment: await assignmentSection(open, language),
    work: await workSection(open, language),
    requests: await requestsSection(open, language, asked),
    photo: await photoSection(open, language),
    answers: await answersSection(open, language, asked),
    notes: await notesSection(open, language),
    history: await historySection(open, language, asked),
  };
}
