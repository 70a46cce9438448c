import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { FocusView } from '~/applications/views';
import { LANGUAGE_ROWS } from '~/i18n/languages';
import { CloseHere } from './application-frame';
import { Icon, LinkLine, Submit, TextLink } from './elements';
import { Frame, Logo } from './frame';
import { DefaultButton, LanguageForm, useHasPageForm, useLanguage } from './language-picker';
import { OfficialText } from './official-text';
import { usePublicData } from './public-frame';
import { PAGE_FORM, useApplication, useRootData } from './root-data';

const TOTAL = 8;
const PACE = 'relative row-start-2 flex min-h-11 min-w-0 items-center gap-3 lg:row-start-auto';

/** Around a page with one task: where somebody is, the way out, and what the law asks for; nothing else. */
export function FocusFrame({ focus, children }: { focus: FocusView; children: ReactNode }) {
  return (
    <Frame header={<Header {...focus} />} footer={<Footer />}>
      {children}
    </Frame>
  );
}

function Header({ name, frame, leave }: FocusView) {
  const { t } = useTranslation(['application', 'shell']);
  return (
    <header className="focus-head border-b border-rule bg-paper text-(length:--text-sm) print:hidden">
      <div className="wrap grid max-w-6xl grid-cols-[1fr_auto] items-center gap-x-4 lg:min-h-17 lg:grid-cols-[1fr_minmax(0,34rem)_1fr]">
        {/* Enter in a field presses the first button of its form. */}
        <DefaultButton />
        <Logo href="/" isBrief />
        <div className={`${PACE} ${frame ? 'col-span-full lg:col-span-1' : ''}`}>
          <Place {...{ name, frame }} />
          {frame && (
            <progress
              className={`progress-line w-auto min-w-16 flex-1 ${frame.step > 1 ? 'progress-line-between' : ''}`}
              max={TOTAL}
              value={frame.step - 1}
              aria-label={t('progress')}
            />
          )}
        </div>
        <div className="text-right leading-tight">
          {leave === 'save' ? (
            <Submit
              form={PAGE_FORM}
              formNoValidate
              intent="later"
              className="text-button my-1.5 min-h-10"
              words={t('later')}
            />
          ) : (
            leave && (
              <TextLink
                href={leave}
                className="my-1.5"
                words={leave === '/' ? t('shell:errors.returnHome') : t('leave')}
              />
            )
          )}
        </div>
      </div>
    </header>
  );
}

function Place({ name, frame }: Pick<FocusView, 'name' | 'frame'>) {
  const { t } = useTranslation('application');
  const application = useApplication();
  const at = frame?.steps[frame.step - 1]?.title;
  const words = frame ? (
    <>
      <strong className="font-bold whitespace-nowrap">
        {t('step', { step: frame.step, total: TOTAL })}
      </strong>
      <span className="min-w-0 truncate text-muted max-[23rem]:hidden">{` ${at ?? ''}`}</span>
    </>
  ) : (
    <strong className="min-w-0 truncate font-bold">{name}</strong>
  );
  if (!frame && !application) return words;
  return (
    <details data-menu className="min-w-0">
      <summary className="menu-button -mx-2 max-w-[calc(100%+1rem)] justify-start px-2 font-normal">
        {words}
        <Icon name="chevron-down" className="size-5" />
      </summary>
      <div className="menu-panel w-[min(19rem,calc(100vw-2rem))] p-4 *:not-first:mt-3 *:not-first:border-t *:not-first:border-rule *:not-first:pt-3">
        {frame && <Steps steps={frame.steps} />}
        {application && <WaysOut {...application} />}
      </div>
    </details>
  );
}

function Steps({ steps }: { steps: NonNullable<FocusView['frame']>['steps'] }) {
  const { t } = useTranslation('application');
  const done = ` ${t('done')}`;
  return (
    <nav aria-label={t('steps')}>
      <ol className="route">
        {steps.map(({ title, state, href }) => (
          <li
            key={title}
            // As high as the links: none lies over the one before.
            className={`min-h-11 pb-[1.2rem] last:pb-0 aria-[current]:font-bold is-${state}`}
            aria-current={state === 'now' ? 'step' : undefined}
          >
            {href ? (
              <a {...{ href }} className="-my-[0.6rem] inline-block py-[0.6rem]">
                {title}
              </a>
            ) : (
              title
            )}
            {state === 'done' && <span className="sr-only">{done}</span>}
          </li>
        ))}
      </ol>
    </nav>
  );
}

function WaysOut({ owner, reference }: NonNullable<ReturnType<typeof useApplication>>) {
  const { t } = useTranslation('application');
  return (
    <div className="text-sm">
      <p>
        {`${t('title')} `}
        <strong className="machine whitespace-nowrap">{reference}</strong>
      </p>
      <p className="mt-2">{t(owner === 'browser' ? 'out.browser' : 'out.account')}</p>
      {owner === 'browser' && <CloseHere />}
      <LinkLine href="/application-status" words={t('out.applications')} />
    </div>
  );
}

const LEGAL = ['/privacy', '/mentions-legales'];

function Footer() {
  const { t } = useTranslation('application');
  const { t: tShell } = useTranslation();
  const fee = useRootData()?.officialFee ?? '';
  const legal = usePublicData()?.menus.legal ?? [];
  const current = useLanguage();
  // What is typed into the page stays where it is.
  const beside = useHasPageForm() ? { target: '_blank', rel: 'noopener' } : {};
  return (
    <footer className="site-footer mt-10 py-3 text-xs sm:mt-16 print:hidden">
      <div className="wrap max-w-6xl items-center justify-between gap-x-8 lg:flex">
        <p>
          <OfficialText name="strip" fee={fee} />
        </p>
        <ul className="flex flex-wrap gap-x-4 lg:flex-nowrap lg:whitespace-nowrap">
          <li>
            <TextLink href="/contact" {...beside} words={t('help')} />
          </li>
          {legal.map(
            ({ href, label }) =>
              LEGAL.includes(href) && (
                <li key={href}>
                  <TextLink href={href} {...beside} words={label} />
                </li>
              ),
          )}
          <li>
            <LanguageForm className="flex gap-5" label={tShell('footer.languages')}>
              {(language, button) =>
                language !== current && (
                  <button
                    {...button}
                    key={language}
                    className="text-button min-w-8 uppercase"
                    aria-label={LANGUAGE_ROWS[language].name}
                  >
                    {language}
                  </button>
                )
              }
            </LanguageForm>
          </li>
          {/* On every page where contracts are made (Directive 2011/83/EU, article 11a(1)). */}
          <li>
            <TextLink href="/withdrawal" {...beside} words={tShell('footer.withdrawal')} />
          </li>
        </ul>
      </div>
    </footer>
  );
}
