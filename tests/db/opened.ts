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
  while (!files(descriptors).includes(file)) {
    if (child.exitCode !== null) throw new Error(`It has ended with ${child.exitCode}.`);
    await pause(10);
  }
}

function files(descriptors: string): string[] {
  return readdirSync(descriptors).map((name) => {
    try {
      return readlinkSync(`${descriptors}/${name}`);
    } catch {
      // Closed meanwhile.
      return '';
    }
  });
}
