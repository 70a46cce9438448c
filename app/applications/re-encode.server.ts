import { spawn } from 'node:child_process';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

import { log } from '~/log.server';
import { type CleanImage, HEAD_BYTES, type ImageProblem, kindProblem } from './image';
import { inTurn } from './in-turn';

const MOST_MS = 10_000;

/** The child's program: a file of the build, or its source, while there is none. */
const PROGRAM: string[] = import.meta.env?.PROD
  ? [fileURLToPath(new URL('../re-encode.js', import.meta.url))]
  : ['--import', 'tsx', fileURLToPath(new URL('re-encode-child.ts', import.meta.url))];

/** One at a time, in a process that has nothing of the site's environment, and is killed in time. */
export async function reencode(content: readonly Uint8Array[], ms = MOST_MS) {
  const problem = kindProblem(headOf(content));
  return problem ? { problem } : inTurn('re-encode', () => reencodeApart(content, ms));
}

function headOf(content: readonly Uint8Array[]): Uint8Array {
  const head = Buffer.alloc(HEAD_BYTES);
  let at = 0;
  for (const piece of content) {
    if (at === HEAD_BYTES) break;
    head.set(piece.subarray(0, HEAD_BYTES - at), at);
    at = Math.min(HEAD_BYTES, at + piece.length);
  }
  return head.subarray(0, at);
}

async function reencodeApart(
  content: readonly Uint8Array[],
  ms: number,
): Promise<CleanImage | { problem: ImageProblem | 'failed' }> {
  const child = spawn(process.execPath, PROGRAM, {
    // No keys; and no picture in a temporary file, however large it is.
    env: { NODE_ENV: 'production', VIPS_DISC_THRESHOLD: '2g' },
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: ms,
    killSignal: 'SIGKILL',
  });
  const { stdin, stdout } = child;
  const ended = new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null));
    child.once('close', resolve);
  });
  // A child that ends early reads no further.
  stdin.on('error', () => undefined);
  Readable.from(content).pipe(stdin);
  const [bytes, code] = await Promise.all([buffer(stdout).catch(() => Buffer.alloc(0)), ended]);
  if (code === 0) return { mediaType: 'image/jpeg', bytes };
  if (code === 2) return { problem: bytes.toString() as ImageProblem };
  log('warn', 'a photo was not re-encoded', { signal: child.signalCode, code });
  return { problem: 'failed' };
}
