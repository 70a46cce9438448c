import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { Icon, Submit } from './elements';
import { PostForm, type PostFormProps } from './post-form';

interface QuestionProps extends Pick<PostFormProps, 'action' | 'hidden' | 'intent'> {
  title: string;
  text: string;
  yes: string;
  /** For who has seen a mistake: the form comes back with what was typed. */
  no?: string;
  children?: ReactNode;
}

/** In place of a form whose press cannot be taken back: asked once more, before it counts. */
export function Question({ title, text, yes, no, children, ...form }: QuestionProps) {
  const { t } = useTranslation('desk');
  return (
    <PostForm
      id="confirm"
      {...form}
      aria-labelledby="confirm-title"
      tabIndex={-1}
      // Nothing is recorded yet, and the page begins far above: nothing else brings the reader here.
      autoFocus // oxlint-disable-line jsx-a11y/no-autofocus -- as after each refused form
      className="say say-look my-4"
    >
      <Icon name="circle-alert" />
      <div className="grid gap-3">
        <h3 id="confirm-title" className="text-lg">
          {title}
        </h3>
        {children}
        <p>{text}</p>
        <p className="flex flex-wrap items-center gap-4">
          <Submit name="confirm" value="yes" words={yes} />
          <Submit name="confirm" value="no" look="button-quiet" words={no ?? t('cancel')} />
        </p>
      </div>
    </PostForm>
  );
}
