import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { pageTexts } from '~/public/texts.server';
import { CAMPAIGN_PARAMETERS, landingPage } from '~/domain/landing';
import type { PageHandle } from '~/live.server';
import { ButtonLink, Icon, PageHeading } from '~/ui/elements';
import { useRootData } from '~/ui/root-data';
import { StartApplication } from '~/ui/start-application';
import { Blank, Blanks, Ticket } from '~/ui/ticket';

export const handle: PageHandle = { fromMemory: { parameters: CAMPAIGN_PARAMETERS } };

/** An unknown variant is a 404: docs/decisions/0007-shipped-content.md */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const landing = landingPage(params['variant'] ?? '', new URL(request.url).searchParams);
  if (!landing) throw new Response(null, { status: 404 });
  const { t, values } = await pageTexts(request);
  return {
    ...landing,
    values,
    page: {
      title: t(`landing:${landing.words}.title`, values),
      description: t(`landing:${landing.words}.description`, values),
      noindex: true,
    },
  };
}

const POINTS = ['one', 'two', 'three'] as const;

export default function Landing() {
  const { t } = useTranslation('landing');
  const { t: tHome } = useTranslation('home');
  const { words, values, ...links } = useLoaderData<typeof loader>();
  const isOpen = useRootData()?.applicationsOpen;
  const lead =
    words === 'statusCheck' && isOpen ? t('statusCheck.leadLive') : t(`${words}.lead`, values);
  return (
    <div className="wrap grid items-start gap-x-16 gap-y-6 pt-5 sm:pt-12 lg:grid-cols-[1.08fr_1fr] lg:grid-rows-[auto_1fr]">
      <div>
        <PageHeading title={t(`${words}.title`, values)} lead={lead} />
      </div>
      <div className="lg:row-span-2">
        <Ticket
          stop={words === 'statusCheck' ? 'decision' : 'check'}
          stub={<LandingActions words={words} {...links} />}
        >
          <Blanks>
            <Blank label={tHome('hero.answer')} />
            <Blank label={tHome('hero.departure')} />
          </Blanks>
        </Ticket>
      </div>
      <ul className="grid gap-3">
        {POINTS.map((point) => (
          <li key={point} className="flex max-w-[36em] gap-3 sm:text-lg">
            <Icon name="check" className="mt-0.5 size-6 text-action" />
            {t(`${words}.${point}`, values)}
          </li>
        ))}
      </ul>
    </div>
  );
}

const OFFICIAL = 'https://esta.cbp.dhs.gov/';

type Landing = NonNullable<ReturnType<typeof landingPage>>;

/** The variant's goal is the filled button; offline, where it is closed, what can be done today is. */
function LandingActions({ words, href, checkHref }: Landing) {
  const { t } = useTranslation('landing');
  const { t: tHome } = useTranslation('home');
  const isOpen = useRootData()?.applicationsOpen;
  if (words === 'statusCheck') {
    return (
      <>
        <ButtonLink
          href={isOpen ? href : OFFICIAL}
          rel="noreferrer"
          look="w-full"
          words={t(isOpen ? 'statusCheck.button' : 'statusCheck.official')}
          after={isOpen ? 'arrow-right' : 'external-link'}
        />
        <ButtonLink
          href={isOpen ? OFFICIAL : href}
          rel="noreferrer"
          look="button-quiet button-small mt-4 w-full"
          words={t(isOpen ? 'statusCheck.official' : 'statusCheck.button')}
        />
        {!isOpen && (
          <p className="mt-1 text-center text-xs text-muted">{t('statusCheck.notOpen')}</p>
        )}
      </>
    );
  }
  if (isOpen && words !== 'eligibility') {
    return (
      <>
        <ButtonLink href={href} look="w-full" words={t(`${words}.button`)} after="arrow-right" />
        <ButtonLink
          href={checkHref}
          look="button-quiet button-small mt-4 w-full"
          words={tHome('start')}
        />
      </>
    );
  }
  return (
    <>
      <ButtonLink href={checkHref} look="w-full" words={tHome('start')} after="arrow-right" />
      <p className="mt-2 text-center text-sm text-muted">{tHome('hero.free')}</p>
      {words !== 'eligibility' && (
        <div className="mt-4">
          <StartApplication label={t(`${words}.button`)} href={href} wide />
        </div>
      )}
    </>
  );
}
