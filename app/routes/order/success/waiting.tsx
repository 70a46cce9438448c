import { useTranslation } from 'react-i18next';

import { Icon } from '~/ui/icon';

export interface WaitingProps {
  is: 'waiting' | 'mismatch';
  reference: string;
  /** The address of the page itself. */
  again: string;
}

/** What is not known yet is said as that; nobody is told to pay again. */
export function Waiting({ is, reference, again }: WaitingProps) {
  const { t } = useTranslation('order-success');
  return (
    <div className="wrap py-8 sm:py-12">
      <div className="max-w-[44rem]">
        <h1 tabIndex={-1} className="text-h1">
          {t(`${is}.title`)}
        </h1>
        <p className="lead mt-3">{t(`${is}.lead`)}</p>
        <p className="mt-4 font-semibold">{t(`${is}.text`)}</p>
        {is === 'waiting' && (
          <p className="mt-6">
            <a href={again} className="button w-full sm:w-auto">
              <Icon name="rotate-ccw" />
              {t('waiting.again')}
            </a>
          </p>
        )}
        <p className="mt-6">{t(`${is}.contact`, { reference })}</p>
        <p>
          <a href="/contact" className="inline-flex min-h-11 items-center">
            {t('contact')}
          </a>
        </p>
      </div>
    </div>
  );
}
