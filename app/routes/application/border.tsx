import { json } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { settingCookies } from '~/http/cookies.server';
import { findChecked } from '~/applications/check-action.server';
import { borderView, type BorderView, type SheetLine } from '~/applications/border.server';
import { live } from '~/http/live.server';
import { languageOf, translator } from '~/i18n/server.server';
import { LinkLine, PageHeading, Say } from '~/ui/elements';
import { touchCookie } from '~/applications/access.server';

export const loader = live(async ({ request, params }) => {
  const { open, context } = await findChecked(request, params['id']);
  const t = translator(await languageOf(request));
  return json(
    {
      summary: await borderView(open.row, context),
      back: `/application/${open.row.id}/overview`,
      page: {
        title: t('application-check:border.title'),
        description: t('application-check:borderDescription'),
        noindex: true,
      },
    },
    { headers: settingCookies(await touchCookie(request, open)) },
  );
});

export default function Border() {
  const { t } = useTranslation('application-check');
  const { summary, back } = useLoaderData<typeof loader>();
  return (
    <div className="wrap paper py-8 sm:py-12 print:p-0">
      <div className="print:hidden">
        <PageHeading title={t('border.title')} lead={t('border.lead')} />
        <Say icon="info" className="mt-6 max-w-[48rem]" words={t('border.notice')} />
        <Say icon="printer" className="say-look mt-4 max-w-[48rem]" words={t('border.print')} />
        <LinkLine className="mt-2" href={back} words={t('border.back')} />
      </div>
      <Summary {...summary} />
    </div>
  );
}

function Summary({ heading, facts, groups, independence, printed }: BorderView) {
  return (
    <article lang="en" className="sheet">
      <h2>{heading}</h2>
      <p className="sheet-note">{independence}</p>
      <Pairs pairs={facts} />
      {groups.map(({ name, title, answers }) => (
        <section key={name}>
          <h3>{title}</h3>
          <Pairs pairs={answers} />
        </section>
      ))}
      <p className="sheet-note">{printed}</p>
    </article>
  );
}

function Pairs({ pairs }: { pairs: SheetLine[] }) {
  return (
    <dl>
      {pairs.map(({ label, text, isPrinted }) => (
        <div key={label + text}>
          <dt>{label}</dt>
          <dd className={isPrinted && 'machine'}>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
