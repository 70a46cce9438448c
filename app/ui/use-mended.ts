import { type FormEvent, useState } from 'react';

import type { Refusal } from '~/http/refusal';

/**
 * A refusal without the problems that have been mended since: a field that is changed, and that the
 * browser's own rules accept, is no longer refused. The server judges again when the form is sent.
 *
 * @returns the refusal with the open problems and all values; whether none of its problems is left;
 *   and `onChange` for the form
 */
export function useMended<R extends Refusal>(refusal: R | undefined) {
  const [mended, setMended] = useState<{ of: R | undefined; names: string[] }>({
    of: refusal,
    names: [],
  });
  const names = mended.of === refusal ? mended.names : [];

  function onChange({ target }: FormEvent) {
    if (!isControl(target) || names.includes(target.name)) return;
    if (target.validity.valid) setMended({ of: refusal, names: [...names, target.name] });
  }

  if (!refusal) return { refusal, isMended: false, onChange };
  const open = Object.entries(refusal.errors).filter(([name]) => !names.includes(name));
  const isMended = open.length === 0 && Object.keys(refusal.errors).length > 0;
  const left = { ...refusal, errors: Object.fromEntries(open) as R['errors'] };
  return { refusal: left, isMended, onChange };
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

function isControl(target: EventTarget): target is Control {
  return 'validity' in target && 'name' in target;
}
