import { useTranslation } from 'react-i18next';

import type { CheckPage } from '~/applications/check-page.server';
import type { BoxView, NodeView } from '~/applications/views';
import { ApplicationFields, Box } from '~/ui/application-fields';
import { Hidden, Icon, LinkLine, Part } from '~/ui/elements';
import { ErrorText } from '~/ui/field';
import { PAGE_FORM } from '~/ui/root-data';

const isBox = (node: NodeView): node is BoxView => node.kind === 'box';
const isBranch = (node: NodeView) => node.kind === 'branch';

/** Addresses are relative on this page, the longest of all. */
export function Certification({
  nodes,
  hidden,
  problem,
  check,
}: CheckPage['view'] & { nodes: NodeView[] }) {
  const { t } = useTranslation('application-check');
  return (
    <Part id="certify" title={t('certify.title')} className="mt-4">
      <form id={PAGE_FORM} method="post" action="step-8" noValidate className="asks mt-3 gap-5">
        <Hidden {...Object.fromEntries(hidden)} />
        <ul className="framed">
          {nodes.filter(isBox).map((box) => (
            <Statement key={box.name} field={box} />
          ))}
        </ul>
        <ApplicationFields nodes={nodes.filter((node) => !isBox(node) && !isBranch(node))} />
        {nodes.map(
          (node) => node.kind === 'branch' && <OtherPerson key="other" nodes={node.nodes} />,
        )}
        <div>
          <button type="submit" name="intent" value="continue" className="button w-full sm:w-auto">
            {problem && !check ? t('errors.again') : t('certify.button')}
            <Icon name="arrow-right" />
          </button>
          <p className="mt-2 text-sm text-muted">{t('certify.next')}</p>
          <LinkLine href="step-7" words={t('certify.back')} />
        </div>
      </form>
    </Part>
  );
}

function Statement({ field }: { field: BoxView }) {
  const { id, label, hint, error } = field;
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <li className={error && 'group wrong'}>
      {error && <ErrorText id={`${id}-error`}>{error}</ErrorText>}
      <label>
        <Box field={field} described={described || undefined} />
        <span>
          {label}
          {hint && (
            <small id={`${id}-hint`} className="block text-sm text-muted">
              {hint}
            </small>
          )}
        </span>
      </label>
    </li>
  );
}

/** Who does not tick it fills in the form alone. */
function OtherPerson({ nodes }: { nodes: NodeView[] }) {
  const { t } = useTranslation('application-check');
  return (
    <div className="branch">
      {nodes.map((node, index) => {
        if (node.kind !== 'choice') return null;
        return (
          <label key={index} className="flex min-h-11 items-center gap-3 leading-[1.4]">
            <input
              type="checkbox"
              id={node.id}
              name={node.name}
              value="other"
              defaultChecked={node.value === 'other'}
              className="size-5 flex-none accent-action"
            />
            {node.label}
          </label>
        );
      })}
      {nodes.map(
        (node, index) =>
          node.kind === 'dependent' && (
            <div key={index} data-if={node.answer}>
              <p className="text-sm text-muted">{t('certify.signedFor')}</p>
              <ApplicationFields nodes={node.nodes} />
            </div>
          ),
      )}
    </div>
  );
}

export function NotYet() {
  const { t } = useTranslation('application-check');
  return (
    <Part id="certify" title={t('certify.title')} className="mt-4">
      <p className="mt-3">{t('open.wait')}</p>
    </Part>
  );
}
