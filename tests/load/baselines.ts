import { type ChildProcess, spawn } from 'node:child_process';

/** A server that the site is compared with. */
export interface Baseline {
  origin: string;
  process: ChildProcess;
}

const children = new Set<ChildProcess>();
process.once('exit', () => children.forEach((child) => child.kill()));

/** Ends with this process, whatever ends that. */
function ending(child: ChildProcess): ChildProcess {
  children.add(child);
  return child;
}

/** Starts a file of `baselines/` with this on its input, and waits for its port. */
export async function startBaseline(name: string, input: string): Promise<Baseline> {
  const child = spawn(process.execPath, [`tests/load/baselines/${name}.js`], {
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(input);
  const port = await firstMatch(child, /"port":(\d+)/);
  return { origin: `http://127.0.0.1:${port}`, process: ending(child) };
}

/** What a pattern finds first in what a process prints; all it prints is read. */
async function firstMatch(child: ChildProcess, pattern: RegExp): Promise<string> {
  return new Promise((found, failed) => {
    let output = '';
    child.once('exit', (code) => failed(new Error(`A baseline ended: ${code}\n${output}`)));
    child.stdout?.on('data', (chunk) => {
      if (output.length < 10_000) output += String(chunk);
      const match = pattern.exec(output)?.[1];
      if (match) found(match);
    });
  });
}
