import { useTranslation } from 'react-i18next';

import type { NodeView } from '~/content/application-views';
import { AMENDMENT_FORM } from '~/domain/application/amend';
import { NOTE_FORM } from '~/domain/desk-notes';
import type { Refusal } from '~/http/refusal';
import { ErrorSummary, type SummaryItem, summaryItems } from '~/ui/error-summary';
import { Icon } from '~/ui/icon';
import { TypedTexts } from '~/ui/typed-again';
import { amendId } from './answers/amend-form';
import { useAmendWords } from './answers/amend-words';
import type { AmendRefusal } from './answers.server';
import type { Done } from './done';
import { useNoteWords } from './notes';

/** That what was sent is done. */
export function CaseDone({ done }: { done: Done }) {
  const { t } = useTranslation('desk-case');
  return (
    <p role="status" className="say say-good mb-6 w-fit">
      <Icon name="circle-check" />
      {t(`done.${done.replace('-', '_') as 'note'}`)}
    </p>
  );
}

const OWN: readonly string[] = ['amend', 'note'];

/** Problems of the form as a whole that have a sentence here. */
const KNOWN = ['invalid', 'same', 'changed', 'state'] as const;

/** Why an amendment or a note is refused, with links to its fields; other parts tell of their own. */
export function CaseErrors({ refusal }: { refusal: AmendRefusal | Refusal | undefined }) {
  const { t } = useTranslation('desk-case');
  const items = useItems(refusal);
  if (refusal?.problem === 'lost') {
    return (
      <>
        <ErrorSummary
          title={t('problems.title')}
          description={t('problems.lost')}
          items={[]}
          trigger={refusal}
        />
        <TypedTexts texts={Object.values(refusal.values)} />
      </>
    );
  }
  if (!refusal?.problem || !OWN.includes(refusal.values['intent'] ?? '')) return null;
  const problem = KNOWN.find((one) => one === refusal.problem) ?? 'invalid';
  const others = 'amend' in refusal ? refusal.amend?.others : undefined;
  const text = t(`problems.${problem}`);
  const elsewhere = others?.map((one) => `${one.label} ${one.text}`) ?? [];
  return (
    <ErrorSummary
      title={t('problems.title')}
      description={elsewhere.length > 0 ? [t('problems.elsewhere'), ...elsewhere].join(' ') : text}
      items={items}
      trigger={refusal}
    />
  );
}

function useItems(refusal: AmendRefusal | Refusal | undefined): SummaryItem[] {
  const amendWords = useAmendWords();
  const noteWords = useNoteWords();
  if (!refusal) return [];
  if (refusal.values['intent'] === 'note') return summaryItems(NOTE_FORM, refusal, noteWords);
  const amend = 'amend' in refusal ? refusal.amend : undefined;
  if (amend) {
    return [
      ...itemsOf(amend.nodes),
      ...summaryItems(AMENDMENT_FORM, refusal, { ...amendWords, fieldId: amendId }),
    ];
  }
  return [];
}

/** The fields of the application's own form that have a problem. */
function itemsOf(nodes: readonly NodeView[]): SummaryItem[] {
  return nodes.flatMap((node) => {
    if (node.kind === 'branch' || node.kind === 'dependent') return itemsOf(node.nodes);
    const own =
      node.error === undefined
        ? []
        : [{ fieldId: node.id, name: node.label, number: 1, text: node.error }];
    return node.kind === 'rows' ? [...own, ...node.rows.flatMap((row) => itemsOf(row.nodes))] : own;
  });
}
