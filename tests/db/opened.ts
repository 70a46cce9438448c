import type { ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Resolves once a process has opened a file, so that a test need not guess how long its start takes.
 * Where the system does not say (no /proc), after two seconds. Fails if the process ends before.
 */
export async function opened(child: ChildProcess, file: string): Promise<void> {
  const descriptors = `/proc/${child.pid}/fd`;
  if (!existsSync('/proc/self/fd')) return pause(2000);
  let said = '';
  child.stderr?.on('data', (chunk) => (said += String(chunk)));
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  while (!files(descriptors).includes(file)) {
    // A process that has just ended may be gone before its exit is known.
    if (child.exitCode !== null || !existsSync(descriptors)) {
      await ended;
      throw new Error(`It has ended with ${child.exitCode}: ${said}`);
    }
    await pause(10);
  }
}

function files(descriptors: string): string[] {
  return namesIn(descriptors).map((name) => {
    try {
      return readlinkSync(`${descriptors}/${name}`);
    } catch {
      // Closed meanwhile.
      return '';
    }
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
