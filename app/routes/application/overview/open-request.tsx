import { useTranslation } from 'react-i18next';

import type { ApplicationTicketView } from '~/content/application-ticket-view';
import { Icon } from '~/ui/icon';
import type { RequestView } from './requests.server';

interface OpenRequestProps {
  request: RequestView;
  ticket: ApplicationTicketView;
}

/** What the traveller is asked for, above everything else, with the way to answer it. */
export function OpenRequest({ request: { asks, by }, ticket }: OpenRequestProps) {
  const { t } = useTranslation('application-requests');
  const isPhoto = asks === 'photo';
  const isOpen = ticket.level === 'answers';
  const page = isPhoto ? 'passport-photo' : 'respond';
  return (
    <section aria-labelledby="asked" className="card mt-6 max-w-[48rem] p-4 sm:p-6">
      <h2 id="asked" className="flex items-start gap-2 text-xl">
        <Icon name="info" className="mt-0.5 size-6" />
        {t(isPhoto ? 'requests.photoTitle' : 'requests.title')}
      </h2>
      <p className="mt-2">{t(isPhoto ? 'requests.photoText' : 'requests.text')}</p>
      {by && <p className="mt-2">{t('requests.by', { date: by })}</p>}
      {isOpen ? (
        <a href={`/application/${ticket.id}/${page}`} className="button mt-4 w-full sm:w-auto">
          {t(isPhoto ? 'requests.photo' : 'requests.respond')}
          <Icon name="arrow-right" />
        </a>
      ) : (
        <p className="mt-2">{t(isPhoto ? 'requests.photoBirth' : 'requests.birth')}</p>
      )}
    </section>
  );
}
