import { useTranslation } from 'react-i18next';

import { ANSWER_FORM } from '~/domain/messages';
import type { Refusal } from '~/http/refusal';
import { FormFields, type FormWords } from '~/ui/form-fields';
import { PAGE_FORM } from '~/ui/root-data';
import type { MessageView } from './view.server';

export function useAnswerWords(): FormWords {
  const { t } = useTranslation('desk-messages');
  const limit = ANSWER_FORM[0].max_length;
  return {
    label: () => t('answer.label'),
    hint: () => t('answer.hint', { limit }),
    optional: '',
    problem: (_, problem) => t(`errors.${problem as 'required'}`, { limit }),
    option: (_, value) => value,
  };
}

/** The form with which a message is answered. */
export function Answer({ view, refusal }: { view: MessageView; refusal: Refusal | undefined }) {
  const { t } = useTranslation('desk-messages');
  const words = useAnswerWords();
  if (!view.events.includes('answer')) return null;
  const language = t(`languages.${view.language as 'fr'}`);
  return (
    <section aria-labelledby="to-answer">
      <h2 id="to-answer" className="text-xl">
        {t('answer.title')}
      </h2>
      <p className="mt-1 mb-4">{t('answer.text', { language })}</p>
      <form id={PAGE_FORM} method="post" action={`/crm/messages/${view.id}`} noValidate>
        <input type="hidden" name="version" value={view.version} />
        <FormFields form={ANSWER_FORM} refusal={refusal} words={words} />
        <input type="hidden" name="intent" value="answer" />
        <button type="submit" className="button mt-4 w-full sm:w-auto">
          {t('answer.button')}
        </button>
      </form>
    </section>
  );
}

const OTHERS = ['take', 'close', 'reopen'] as const;

/** What else can be done with it. */
export function OtherDeeds({ view }: { view: MessageView }) {
  const { t } = useTranslation('desk-messages');
  const deeds = OTHERS.filter((event) => view.events.includes(event));
  if (deeds.length === 0) return null;
  return (
    <form
      method="post"
      action={`/crm/messages/${view.id}`}
      className="flex flex-wrap gap-3 border-t border-rule pt-6"
    >
      <input type="hidden" name="version" value={view.version} />
      <input type="hidden" name="intent" value={deeds[0]} />
      {deeds.map((event) => (
        <button
          key={event}
          type="submit"
          name="intent"
          value={event}
          className="button button-quiet w-full sm:w-auto"
        >
          {t(`deeds.${event}`)}
        </button>
      ))}
    </form>
  );
}
