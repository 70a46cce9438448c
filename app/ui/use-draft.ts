import { type RefObject, useEffect } from 'react';

import type { Form } from '~/domain/form';
import { keep, readKept } from './browser-storage';

/** Keeps the input of a form in this browser tab, until the form is `sent`. */
export function useDraft(
  element: RefObject<HTMLFormElement>,
  form: Form,
  key: string,
  sent: boolean,
): void {
  useEffect(() => {
    const shown = element.current;
    if (!shown) return;
    if (sent) keep('sessionStorage', key, undefined);
    const draft = (readKept('sessionStorage', key) ?? {}) as Record<string, string>;
    const controls = form.flatMap(({ name }) => {
      const control = shown.elements.namedItem(name);
      return isControl(control) ? control : [];
    });
    for (const control of controls) {
      // Values sent back by the server are newer than the draft.
      if (control.value === '' && draft[control.name]) control.value = draft[control.name] ?? '';
    }
    const save = () => {
      const values = controls.map(({ name, value }) => [name, value] as const);
      keep('sessionStorage', key, Object.fromEntries(values));
    };
    shown.addEventListener('input', save);
    return () => shown.removeEventListener('input', save);
  }, [element, form, key, sent]);
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

function isControl(found: Element | RadioNodeList | null): found is Control {
  return found !== null && 'value' in found && 'name' in found;
}
