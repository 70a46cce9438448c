import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

const FILE = 'app/i18n/locales.generated.server.ts';

/** Vite runs it at startup and when a file is added or removed, so that nobody has to maintain a list. */
export function writeLocalesIndex(): void {
  const languages = readdirSync('locales').filter((name) => !name.startsWith('.'));
  const imports: string[] = [];
  const entries = languages.map((language) => {
    const names = readdirSync(`locales/${language}`)
      .filter((name) => name.endsWith('.json'))
      .map((name) => name.slice(0, -'.json'.length));
    const pairs = names.map((name) => {
      const variable = `${language}_${name.replace(/\W/g, '_')}`;
      imports.push(
        `import ${variable} from '../../locales/${language}/${name}.json' with { type: 'json' };`,
      );
      return `    '${name}': ${variable},`;
    });
    return [`  '${language}': {`, ...pairs, '  },'].join('\n');
  });
  const text = [
    '// Written by scripts/locales-index.ts from the files of locales/; a change here is lost.',
    ...imports,
    '',
    'export const words = {',
    ...entries,
    '};',
    '',
  ].join('\n');
  // Written only if it changed: otherwise every module that imports it would reload.
  if (!existsSync(FILE) || readFileSync(FILE, 'utf8') !== text) writeFileSync(FILE, text);
}
