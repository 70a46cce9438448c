import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { FocusView } from '~/applications/views';
import { LANGUAGE_ROWS } from '~/i18n/languages';
import { CloseHere } from './application-frame';
import { Icon, LinkLine, Submit, TextLink } from './elements';
import { Frame, Logo } from './frame';
import { DefaultButton, LanguageForm, useHasPageForm, useLanguage } from './language-picker';
import { OfficialText } from './official-text';
import { SiteNotice, usePublicData } from './public-frame';
import { PAGE_FORM, useApplication, useRootData } from './root-data';

const TOTAL = 8;

/** Around a page with one task: where somebody is, the way out, and what the law asks for; nothing else. */
export function FocusFrame({ focus, children }: { focus: FocusView; children: ReactNode }) {
  return (
    <Frame header={<Header {...focus} />} footer={<Footer />}>
      <SiteNotice />
      {children}
    </Frame>
  );
}

function Header({ name, frame, leave }: FocusView) {
  const { t } = useTranslation(['application', 'shell']);
  return (
    <header className="focus-head">
      <div className="wrap">
        {/* Enter in a field presses the first button of its form. */}
        <DefaultButton />
        <Logo href="/" isBrief />
        <div className="focus-pace">
          <Place {...{ name, frame }} />
          {frame && (
            <progress
              className="progress-line progress-line-between"
              max={TOTAL - 1}
              value={frame.step - 1}
              aria-label={t('progress')}
            />
          )}
        </div>
        <div className="focus-leave text-right leading-tight">
          {leave === 'save' ? (
            <Submit
              form={PAGE_FORM}
              formNoValidate
              intent="later"
              className="text-button"
              words={t('later')}
            />
          ) : (
            leave && (
              <TextLink
                href={leave}
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
      <strong>{t('step', { step: frame.step, total: TOTAL })}</strong>
      <span className="focus-name">{` ${at ?? ''}`}</span>
    </>
  ) : (
    <strong className="focus-name">{name}</strong>
  );
  if (!frame && !application) return words;
  return (
    <details data-menu>
      <summary className="menu-button">
        {words}
        <Icon name="chevron-down" className="size-5" />
      </summary>
      <div className="menu-panel p-4">
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
      <ol className="route route-tight">
        {steps.map(({ title, state, href }) => (
          <li
            key={title}
            className={state === 'ahead' ? undefined : `is-${state}`}
            aria-current={state === 'now' ? 'step' : undefined}
          >
            {href ? <a href={href}>{title}</a> : title}
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
    <footer className="site-footer focus-foot">
      <div className="wrap">
        <p>
          <OfficialText name="strip" fee={fee} />
        </p>
        <ul>
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
            <LanguageForm className="flex gap-4" label={tShell('footer.languages')}>
              {(language, button) =>
                language !== current && (
                  <button
                    {...button}
                    className="text-button uppercase"
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
