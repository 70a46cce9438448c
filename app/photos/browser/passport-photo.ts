/**
 * The page of the passport's photo (`application/passport-photo`): says what speaks against a picture before
 * it is sent. All words stand in the page; nothing keeps anybody from sending it.
 */
import type { PassportReply, PassportRequest } from './prepare';

const root = document.querySelector<HTMLElement>('[data-prepare]')!;
const send = root.querySelector<HTMLElement>('[data-once-chosen]')!;
let worker: Worker | undefined;

function say(remark?: string): void {
  for (const part of root.querySelectorAll<HTMLElement>('[data-remark]')) {
    part.hidden = part.dataset['remark'] !== remark;
  }
  send.scrollIntoView({ block: 'nearest' });
}

function look(picture: File): void {
  const { prepare = '', number = '' } = root.dataset;
  worker = new Worker(prepare, { type: 'module' });
  worker.onmessage = ({ data }: MessageEvent<PassportReply>) => {
    worker?.terminate();
    const read = 'reading' in data && data.reading.answers[2]['passport_number'];
    if ('problem' in data && data.problem === 'nothing') say('nothing');
    else if (read && number && read !== number) say('other');
  };
  worker.postMessage({ picture } satisfies PassportRequest);
}

for (const input of root.querySelectorAll<HTMLInputElement>('input[type="file"]')) {
  input.onchange = () => {
    worker?.terminate();
    say();
    const [picture] = input.files ?? [];
    if (picture) look(picture);
  };
}
