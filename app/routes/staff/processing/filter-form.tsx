import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { PACKAGES } from '~/domain/offer';
import { SOON_DAYS, type Tab } from '~/domain/worklist';
import { Icon } from '~/ui/icon';
import type { FilterName } from './asked.server';

interface FilterFormProps {
  list: { tab: Tab; filters: Partial<Record<FilterName, string>>; isFiltered: boolean };
  choices: {
    citizenships: readonly { code: string; name: string }[];
    staff: readonly { id: string; name: string }[];
  };
}

/** Narrows the list; what is chosen stands in the address, for a bookmark or a colleague. */
export function FilterForm({ list, choices }: FilterFormProps) {
  const { t } = useTranslation('desk-worklist');
  const { t: staff } = useTranslation('staff');
  const { tab, filters, isFiltered } = list;
  const hasWho = tab !== 'free' && tab !== 'mine';
  return (
    <details className="fold mt-2" open={isFiltered}>
      <summary>
        {t('filters.title')}
        <Icon name="chevron-down" />
      </summary>
      <form method="get" action="/crm/processing" className="filters pb-3">
        <input type="hidden" name="tab" value={tab} />
        <Choice name="package" value={filters.package}>
          {PACKAGES.map((one) => (
            <option key={one} value={one}>
              {staff(`refunds.packages.${one}`)}
            </option>
          ))}
        </Choice>
        <Choice name="citizenship" value={filters.citizenship}>
          {choices.citizenships.map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </Choice>
        {tab !== 'ended' && (
          <Choice name="due" value={filters.due}>
            <option value="overdue">{t('filters.overdue')}</option>
          </Choice>
        )}
        <Choice name="travel" value={filters.travel}>
          <option value="soon">{t('filters.soon', { count: SOON_DAYS })}</option>
        </Choice>
        {hasWho && (
          <Choice name="who" value={filters.who}>
            <option value="me">{t('filters.me')}</option>
            <option value="nobody">{t('nobody')}</option>
            {choices.staff.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Choice>
        )}
        <p className="flex flex-wrap items-center gap-x-4">
          <button type="submit" className="button button-quiet">
            {t('filters.apply')}
          </button>
          {isFiltered && (
            <a href={`/crm/processing?tab=${tab}`} className="inline-flex min-h-11 items-center">
              {t('filters.clear')}
            </a>
          )}
        </p>
      </form>
    </details>
  );
}

interface ChoiceProps {
  name: FilterName;
  value: string | undefined;
  children: ReactNode;
}

function Choice({ name, value = '', children }: ChoiceProps) {
  const { t } = useTranslation('desk-worklist');
  return (
    <div>
      <label htmlFor={`filter-${name}`} className="text-sm font-[650]">
        {t(`filters.${name}`)}
      </label>
      <select id={`filter-${name}`} name={name} defaultValue={value} className="field">
        <option value="">{t('filters.all')}</option>
        {children}
      </select>
    </div>
  );
}
