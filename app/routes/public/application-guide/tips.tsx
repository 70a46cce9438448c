import { useTranslation } from 'react-i18next';

import type { GuideView } from '~/content/guide.server';
import { Icon } from '~/ui/icon';
import type { IconName } from '~/ui/icon-names';

/** Tips, and warnings that stand out. */
export function Tips({ tips, warnings }: Pick<GuideView, 'tips' | 'warnings'>) {
  const { t } = useTranslation('guide');
  return (
    <div className="grid gap-x-16 gap-y-10 lg:grid-cols-2 print:mt-10">
      <Advice title={t('tips.title')} icon="circle-check" look="" texts={tips} />
      <Advice
        title={t('tips.warnings')}
        icon="triangle-alert"
        look="say say-look"
        texts={warnings}
      />
    </div>
  );
}

interface AdviceProps {
  title: string;
  icon: IconName;
  look: string;
  texts: GuideView['tips'];
}

function Advice({ title, icon, look, texts }: AdviceProps) {
  if (texts.length === 0) return null;
  return (
    <section>
      <h2 className="text-2xl">{title}</h2>
      <ul className="mt-4 grid max-w-[44rem] gap-3">
        {texts.map(({ key, title: text, language }) => (
          <li key={key} lang={language} className={look || 'flex gap-3'}>
            <Icon name={icon} className={`size-5 ${look ? '' : 'mt-1 text-good'}`} />
            {text}
          </li>
        ))}
      </ul>
    </section>
  );
}
