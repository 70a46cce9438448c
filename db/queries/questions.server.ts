import type { Question } from '~/domain/eligibility';
import type { Database } from '../schema';

export interface QuestionRow extends Question {
  isActive: boolean;
  text: string;
  explanation: string;
  hint: string | null;
  /** The language of the texts: the requested one, or English if a translation is missing. */
  language: string;
  /** The legal basis of the question. */
  rule: { reference: string; url: string | null } | null;
}

/** All questions, including inactive ones, in order. */
export async function listQuestions(db: Database, language: string): Promise<QuestionRow[]> {
  const rows = await questionRows(db, language)
    .orderBy('question.question_order')
    .orderBy('question.id')
    .execute();
  return rows.map((row) => toQuestion(row, language));
}

function questionRows(db: Database, language: string) {
  return db
    .selectFrom('eligibility_questions as question')
    .leftJoin('eligibility_question_translations as translation', (join) =>
      join
        .onRef('translation.question_key', '=', 'question.question_key')
        .on('translation.language_code', '=', language),
    )
    .select([
      'question.question_key',
      'question.is_active',
      'question.disqualifying_answer',
      'question.severity',
      'question.rule_reference',
      'question.rule_url',
      'question.question_text as english_text',
      'question.explanation as english_explanation',
      'question.hint as english_hint',
      'translation.question_text',
      'translation.explanation',
      'translation.hint',
    ]);
}

type Row = Awaited<ReturnType<ReturnType<typeof questionRows>['execute']>>[number];

function toQuestion(row: Row, language: string): QuestionRow {
  const translated = row.question_text !== null;
  return {
    key: row.question_key,
    isActive: row.is_active === 1,
    disqualifyingAnswer: row.disqualifying_answer,
    severity: row.severity,
    text: row.question_text ?? row.english_text,
    explanation: row.explanation ?? row.english_explanation,
    hint: translated ? row.hint : row.english_hint,
    language: translated ? language : 'en',
    rule: row.rule_reference ? { reference: row.rule_reference, url: row.rule_url } : null,
  };
}
