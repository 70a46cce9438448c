import { rmSync } from 'node:fs';

import { temporaryFolder } from '../production-server';

/** Makes the folder of databases that are made once and copied. @returns what removes it */
export default function setUp(): () => void {
  const folder = temporaryFolder();
  process.env['TEST_COPIES'] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
