import { json, type LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { requireStaff } from '~/accounts/session.server';
import { staffView } from '~/content/staff.server';
import { STAFF_PAGES } from '~/domain/staff';
import { noStore } from '~/http/response-headers';
import { languageOf, translator } from '~/i18n/server.server';
import { addressOf } from '~/site-map';
import { PageHeading } from '~/ui/page-heading';

export const headers = noStore;

/** The desk's pages that are not built yet: closed for those, too, who may open them. */
export async function loader({ request }: LoaderFunctionArgs) {
  const { path } = addressOf(new URL(request.url).pathname, 'live');
  const page = STAFF_PAGES.find((one) => one.path === path);
  const session = await requireStaff(request, page?.roles ?? []);
  const title = page ? translator(await languageOf(request))(`staff:pages.${page.name}`) : '';
  return json({ staff: staffView(session), page: { title, noindex: true } });
}

export default function ClosedDesk() {
  const { t } = useTranslation('staff');
  const { page } = useLoaderData<typeof loader>();
  return (
    <div className="wrap py-8 sm:py-12">
      <PageHeading title={page.title} lead={t('closed.lead')} />
      <p className="mt-3 max-w-2xl">{t('closed.text')}</p>
      <p className="mt-6">
        <a href="/crm/dashboard" className="button">
          {t('closed.back')}
        </a>
      </p>
    </div>
  );
}
