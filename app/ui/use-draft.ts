import { type RefObject, useEffect } from 'react';

/**
 * Keeps what is typed into a form while its tab is open, over changes of page and language. It is
 * in this browser tab alone and gone when the form is `sent`.
 */
export function useDraft(form: RefObject<HTMLFormElement>, key: string, sent: boolean): void {
  useEffect(() => {
    const element = form.current;
    if (!element) return;
    if (sent) sessionStorage.removeItem(key);
    const draft = JSON.parse(sessionStorage.getItem(key) ?? '{}') as Record<string, string>;
    for (const control of fieldsOf(element)) {
      // What the server has sent back is newer than the draft.
      if (control.value === '' && draft[control.name]) control.value = draft[control.name] ?? '';
    }
    const save = () => {
      const values = fieldsOf(element).map(({ name, value }) => [name, value] as const);
      sessionStorage.setItem(key, JSON.stringify(Object.fromEntries(values)));
    };
    element.addEventListener('input', save);
    return () => element.removeEventListener('input', save);
  }, [form, key, sent]);
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

function fieldsOf(form: HTMLFormElement): Control[] {
  return [...form.elements].filter(
    (element): element is Control => 'value' in element && 'name' in element && element.name !== '',
  );
}
