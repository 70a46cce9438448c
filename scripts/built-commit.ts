import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';

/** Git's, with `-dirty` where files were changed since; without git that of `COMMIT`, if known. */
export function builtCommit(folder: string, given: string | undefined): string {
  const { status, stdout } = spawnSync(
    'git',
    ['describe', '--always', '--dirty', '--abbrev=40', '--exclude=*'],
    {
      cwd: folder,
      encoding: 'utf8',
      // Not that of another repository which the folder lies in.
      env: { ...process.env, GIT_CEILING_DIRECTORIES: dirname(folder) },
    },
  );
  return status === 0 ? stdout.trim() : (given ?? '');
}
