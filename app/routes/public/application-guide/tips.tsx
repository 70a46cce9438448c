import { useTranslation } from 'react-i18next';

import type { GuideView } from '~/content/guide.server';
import { Icon } from '~/ui/icon';
import type { IconName } from '~/ui/icon-names';

/** Tips and warnings. */
export function Tips({ tips, warnings }: Pick<GuideView, 'tips' | 'warnings'>) {
  const { t } = useTranslation('guide');
  return (
    <div className="grid gap-10 print:mt-10">
      <Advice title={t('tips.title')} icon="circle-check" colour="text-success" texts={tips} />
      <Advice
        title={t('tips.warnings')}
        icon="triangle-alert"
        colour="text-danger"
        texts={warnings}
      />
    </div>
  );
}

interface AdviceProps {
  title: string;
  icon: IconName;
  colour: string;
  texts: GuideView['tips'];
}

function Advice({ title, icon, colour, texts }: AdviceProps) {
  if (texts.length === 0) return null;
  return (
    <section>
      <h2 className="text-2xl">{title}</h2>
      <ul className="mt-4 grid gap-3">
        {texts.map(({ key, title: text, language }) => (
          <li key={key} lang={language} className="flex max-w-[66ch] gap-3">
            <Icon name={icon} className={`mt-1 size-5 ${colour}`} />
            {text}
          </li>
        ))}
      </ul>
    </section>
  );
}
