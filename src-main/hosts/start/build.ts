/** @file Builds the window of a checkout when its build is missing or older than the sources. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../../src-contract/errors.ts';

const sources = [
  'src-main',
  'src-contract',
  'src-preload',
  'src-renderer',
  'package.json',
  'electron.vite.config.ts',
  'svelte.config.js',
];
/** One file of each part of the build. The parts are written one after another. */
const results = ['out/main/hosts/desktop.js', 'out/preload/preload.cjs', 'out/renderer/index.html'];

/** Returns true if every part was built after the last change of a source. `folder` is the checkout. */
export function isBuildUpToDate(folder: string): boolean {
  const built = results.map((file) => changedAt(join(folder, file)));
  return Math.min(...built) >= Math.max(...sources.map((source) => changedAt(join(folder, source))));
}

export async function build(folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  const builder = join(folder, 'node_modules/electron-vite/bin/electron-vite.js');
  if (!existsSync(builder))
    throw new AppError('page-not-built', 'The window is not built, and electron-vite is not installed.');
  const child = spawn(process.execPath, [builder, 'build', '--logLevel', 'warn'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...env, NODE_ENV: 'production' },
  });
  let outputText = '';
  for (const output of [child.stdout, child.stderr]) {
    output.setEncoding('utf8').on('data', (text: string) => {
      outputText += text;
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0)
    throw new AppError('page-not-built', `The window could not be built:\n${outputText.trim()}`);
}

function changedAt(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return -Infinity;
  if (!found.isDirectory()) return found.mtimeMs;
  return Math.max(found.mtimeMs, ...readdirSync(path).map((name) => changedAt(join(path, name))));
}
