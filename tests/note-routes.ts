import { relative } from 'node:path';

import { afterAll, afterEach, beforeEach, expect } from 'vitest';

import { noteRoutes } from './asked-routes';

const file = () => relative('.', expect.getState().testPath ?? '');

// What a hook has asked before belongs to all tests of the file.
beforeEach(() => noteRoutes(file()));
afterEach(() => noteRoutes(file(), expect.getState().currentTestName?.replaceAll(' > ', ' ')));
// After the hooks of the file itself, in which its sites end.
afterAll(() => noteRoutes(file()));
