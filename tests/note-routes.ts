import { relative } from 'node:path';

import { afterAll, expect } from 'vitest';

import { noteRoutes } from './asked-routes';

// After the hooks of the file itself, in which its sites end.
afterAll(() => noteRoutes(relative('.', expect.getState().testPath ?? '')));
