import { useTranslation } from 'react-i18next';

import type { TypedAgain } from '~/http/typed-again';
import { ButtonLink, Part, Submit } from './elements';
import { PAGE_FORM } from './root-data';

/** In place of a page whose form came without a session: it waits here until its sender is back. */
type SignInAgainProps = { typed: TypedAgain; signIn: string; needs: 'session' | 'factor' };
export function SignInAgain({ typed, signIn, needs }: SignInAgainProps) {
  const { t } = useTranslation('typed-again');
  return (
    <div className="wrap py-8 sm:py-12">
      <h1 className="text-h1">{t(`${needs}.title`)}</h1>
      <p className="lead mt-3">{t('lead')}</p>
      <p className="mt-3 max-w-[44rem]">{t(`${needs}.text`)}</p>
      <p className="mt-4">
        <ButtonLink href={signIn} target="_blank" rel="noreferrer" words={t(`${needs}.button`)} />
      </p>
      <SendAgain typed={typed} />
    </div>
  );
}

/** The same below what an error page says; `how`: what has to be done before it can be sent. */
export function StillHere({ typed, how }: { typed: TypedAgain; how?: string }) {
  const { t } = useTranslation('typed-again');
  return (
    <Part id="typed" title={t('here')} size="text-2xl" className="mt-8">
      {how && <p className="mt-2 max-w-[44rem]">{how}</p>}
      <SendAgain typed={typed} />
    </Part>
  );
}

function SendAgain({ typed: { address, fields } }: { typed: TypedAgain }) {
  const { t } = useTranslation('typed-again');
  return (
    <form
      id={PAGE_FORM}
      method="post"
      action={address}
      data-typed-again
      className="mt-4 grid max-w-[44rem] gap-3"
    >
      {fields.map(({ name, value, isText }) =>
        isText ? (
          <Text key={name} name={name} value={value} />
        ) : (
          <input key={name} type="hidden" name={name} value={value} />
        ),
      )}
      <p>
        <Submit words={t('send')} />
      </p>
    </form>
  );
}

export function TypedTexts({ texts }: { texts: readonly (string | undefined)[] }) {
  const { t } = useTranslation('typed-again');
  const typed = texts.filter(Boolean);
  if (typed.length === 0) return null;
  return (
    <section className="say say-look my-6 max-w-[44rem]" data-typed-again>
      <div className="grid grow gap-2">
        <h2 className="text-lg">{t('typed')}</h2>
        <p className="text-sm">{t('copy')}</p>
        {typed.map((value) => (
          <Text key={value} value={value ?? ''} />
        ))}
      </div>
    </section>
  );
}

function Text({ name, value }: { name?: string; value: string }) {
  const { t } = useTranslation('typed-again');
  return (
    <textarea
      name={name}
      readOnly={name === undefined}
      aria-label={t('label')}
      rows={Math.min(12, 1 + Math.ceil(value.length / 60) + (value.match(/\n/g)?.length ?? 0))}
      defaultValue={value}
      className="field"
    />
  );
}
