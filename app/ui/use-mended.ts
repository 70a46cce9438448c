import { type FormEvent, useState } from 'react';

import { HIDDEN_CHARACTERS, PHONE } from '~/domain/form';
import type { Refusal } from '~/http/form.server';

/** Without the problems mended since: a field that was changed, and is valid now. The server judges again. */
export function useMended<R extends Refusal>(refusal: R | undefined) {
  const [mended, setMended] = useState<{ of: R | undefined; names: string[] }>({
    of: refusal,
    names: [],
  });
  const names = mended.of === refusal ? mended.names : [];

  function onChange({ target }: FormEvent) {
    if (!isControl(target)) return;
    const others = names.filter((name) => name !== target.name);
    setMended({ of: refusal, names: isValid(target) ? [...others, target.name] : others });
  }

  if (!refusal) return { refusal, isMended: false, onChange };
  const open = Object.entries(refusal.errors).filter(([name]) => !names.includes(name));
  const isMended = open.length === 0 && Object.keys(refusal.errors).length > 0;
  const left = { ...refusal, errors: Object.fromEntries(open) as R['errors'] };
  return { refusal: left, isMended, onChange };
}

function isValid({ type, value, validity }: Control): boolean {
  if (!validity.valid) return false;
  if (type === 'tel' && value.trim() !== '' && !PHONE.test(value.trim())) return false;
  return type === 'textarea' || !HIDDEN_CHARACTERS.test(value.trim());
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const isControl = (target: EventTarget): target is Control =>
  'validity' in target && 'name' in target;
