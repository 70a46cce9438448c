import type { Question } from '~/domain/eligibility';
import type { Database } from '../schema';
import { type Row, rowsIn } from './rows.server';

export interface QuestionRow extends Question {
  isActive: boolean;
  text: string;
  explanation: string;
  hint: string | null;
  language: string;
  rule: { reference: string; url: string | null } | null;
}

export async function listQuestions(db: Database, language: string): Promise<QuestionRow[]> {
  const rows = await db
    .selectFrom('eligibility_questions as question')
    .leftJoin('eligibility_question_translations as translation', (join) =>
      join
        .onRef('translation.question_key', '=', 'question.question_key')
        .on('translation.language_code', '=', language),
    )
    .selectAll('question')
    .select([
      'translation.question_text as translated_text',
      'translation.explanation as translated_explanation',
      'translation.hint as translated_hint',
    ])
    .orderBy('question.question_order')
    .orderBy('question.id')
    .execute();
  return rows.map((row) => {
    const isTranslated = row.translated_text !== null;
    return {
      key: row.question_key,
      isActive: row.is_active === 1,
      disqualifyingAnswer: row.disqualifying_answer,
      severity: row.severity,
      text: row.translated_text ?? row.question_text,
      explanation: row.translated_explanation ?? row.explanation,
      hint: isTranslated ? row.translated_hint : row.hint,
      language: isTranslated ? language : 'en',
      rule: row.rule_reference ? { reference: row.rule_reference, url: row.rule_url } : null,
    };
  });
}

export type GuidanceRow = Row<'guidance_content'>;

/** In order, each in `language` or, if that is missing, in English. */
export async function listGuidance(db: Database, language: string) {
  const rows = await rowsIn(db)
    .of('guidance_content', { is_published: 1 })
    .where('language_code', 'in', [language, 'en'])
    .orderBy('display_order')
    .orderBy('id')
    .execute();
  const translated = new Set(
    rows.filter((row) => row.language_code === language).map((row) => row.content_key),
  );
  return rows.filter((row) => row.language_code === language || !translated.has(row.content_key));
}
