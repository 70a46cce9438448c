import { useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { pageTexts } from '~/public/texts.server';
import { live, type PageHandle } from '~/live.server';
import { ButtonLink, PageHeading, Section } from '~/ui/elements';
import { ClosingCall } from '~/ui/plain-elements';
import { Source } from '~/ui/fact';

export const handle: PageHandle = { fromMemory: { parameters: [] } };

const EVERYBODY = [
  'passport',
  'photo',
  'portrait',
  'contact',
  'parents',
  'stay',
  'emergency',
  'card',
] as const;
const SOME = ['work', 'nationalities', 'names', 'social', 'trusted'] as const;
const NONE = ['password', 'flight', 'bank', 'picture'] as const;

export const loader = live(async ({ request }) => {
  const { t, facts } = await pageTexts(request);
  const { portrait_required: portrait } = facts;
  return {
    // Asked for of everybody, or of nobody.
    portrait: portrait?.value === 'true' ? portrait : undefined,
    page: { title: t('documents:title'), description: t('documents:description') },
  };
});

export default function Documents() {
  const { t } = useTranslation('documents');
  const { portrait } = useLoaderData<typeof loader>();
  return (
    <>
      <div className="wrap pt-5 pb-2 sm:pt-12">
        <PageHeading title={t('title')} lead={t('lead')} />
      </div>
      <Section id="everybody" title={t('everybody.title')}>
        <Things part="everybody" keys={EVERYBODY.filter((key) => key !== 'portrait' || portrait)} />
      </Section>
      <Section id="some" title={t('some.title')}>
        <Things part="some" keys={SOME} />
      </Section>
      <Section id="none" title={t('none.title')}>
        <ul className="grid list-disc gap-2 pl-6">
          {NONE.filter((key) => key !== 'picture' || !portrait).map((key) => (
            <li key={key}>{t(`none.items.${key}`)}</li>
          ))}
        </ul>
      </Section>
      <ClosingCall title={t('closing.title')} text={t('closing.text')}>
        <ButtonLink href="/eligibility-check" words={t('closing.check')} />
        <ButtonLink href="/application-guide" look="button-quiet" words={t('closing.guide')} />
      </ClosingCall>
    </>
  );
}
function Things({ part, keys }: { part: 'everybody' | 'some'; keys: readonly string[] }) {
  const { t } = useTranslation('documents');
  const { portrait } = useLoaderData<typeof loader>();
  return (
    <ul className="grid gap-x-12 gap-y-5 sm:grid-cols-2">
      {keys.map((key) => (
        <li key={key} className="border-t-[3px] border-dotted border-route pt-3">
          <h3 className="text-lg">{t(`${part}.items.${key}.title`)}</h3>
          <p className="mt-1 max-w-[40em] text-muted">{t(`${part}.items.${key}.text`)}</p>
          {key === 'portrait' && portrait && <Source fact={portrait} />}
        </li>
      ))}
    </ul>
  );
}
