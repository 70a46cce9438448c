import { useTranslation } from 'react-i18next';

import type { NodeView } from '~/content/application-views';
import { AMENDMENT_FORM } from '~/domain/application/amend';
import { ApplicationFields } from '~/ui/application-fields';
import { FormFields } from '~/ui/form-fields';
import { PAGE_FORM } from '~/ui/root-data';
import { useCaseAction } from '../case-action';
import { useAmendWords } from './amend-words';
import type { AmendRefusal } from '../answers.server';
import type { AmendView } from './amend-view.server';

interface AmendFormProps {
  view: AmendView;
  refusal: AmendRefusal | undefined;
  version: number;
}

/** The form that changes one answer: the field as the traveller had it, and why it is changed. */
export function AmendForm({ view, refusal, version }: AmendFormProps) {
  const { t } = useTranslation('desk-case');
  const words = useAmendWords();
  const action = useCaseAction();
  const { name, label, nodes, isList } = view;
  return (
    <section aria-labelledby="amend" className="card border-2 border-action p-4 sm:p-6">
      <h2 id="amend" tabIndex={-1} className="text-xl">
        {t('amend.title', { label })}
      </h2>
      <p className="mt-1 text-sm text-muted">{t('amend.text')}</p>
      <form
        method="post"
        action={action({ amend: name })}
        id={PAGE_FORM}
        noValidate
        autoComplete="off"
        className="case-note-form mt-4 grid max-w-2xl gap-5"
      >
        <input type="hidden" name="version" value={version} />
        <input type="hidden" name="field" value={name} />
        <input type="hidden" name="intent" value="amend" />
        {isList && <p>{t('amend.list')}</p>}
        {nodes.map((node) => (
          <Node key={'name' in node ? node.name : node.kind} node={node} />
        ))}
        <FormFields form={AMENDMENT_FORM} refusal={refusal} words={words} fieldId={amendId} />
        <p className="flex flex-wrap items-center gap-x-6 gap-y-2">
          <button type="submit" className="button">
            {t('amend.save')}
          </button>
          <a href={action()} className="inline-flex min-h-11 items-center">
            {t('amend.cancel')}
          </a>
        </p>
      </form>
    </section>
  );
}

/** The page has several forms. */
export const amendId = (name: string) => `amend-${name}`;

/** A field; of a list its rows one below the other, without the buttons of the traveller's form. */
function Node({ node }: { node: NodeView }) {
  if (node.kind !== 'rows') return <ApplicationFields nodes={[node]} />;
  return (
    <div id={node.id} tabIndex={-1} className="grid gap-6">
      {node.error && <p className="font-semibold text-bad">{node.error}</p>}
      {node.rows.map(({ legend, nodes }) => (
        <fieldset key={legend} className="grid gap-4 border-l-4 border-rule pl-4">
          <legend className="font-bold">{legend}</legend>
          <ApplicationFields nodes={nodes} />
        </fieldset>
      ))}
    </div>
  );
}
