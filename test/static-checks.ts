/** @file Runs all static checks of the sources, two at a time, the longest first. Fails if any of them fails. */
import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');

const checks: [name: string, program: string, args: string[]][] = [
  ['lint', 'eslint', ['--max-warnings', '0', '.']],
  ['types', 'tsc', ['-p', 'tsconfig.node.json']],
  ['types of the window', 'svelte-check', ['--tsconfig', 'tsconfig.web.json', '--fail-on-warnings']],
  ['format', 'prettier', ['--check', '--log-level', 'warn', '.']],
  [
    'layers',
    'depcruise',
    [
      '--config',
      '.dependency-cruiser.cjs',
      'src-main',
      'src-contract',
      'src-preload',
      'src-renderer',
      'test',
    ],
  ],
  ['unused code', 'knip', []],
  ['types of the contract', 'tsc', ['-p', 'tsconfig.contract.json']],
];

function run(program: string, args: string[]): Promise<{ ok: boolean; output: string }> {
  return new Promise((done) => {
    const child = spawn(join(root, 'node_modules/.bin', program), args, { cwd: root });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    }
    child.on('close', (code) => {
      done({ ok: code === 0, output });
    });
  });
}

const failed: string[] = [];
const remaining = [...checks];
async function runNext(): Promise<void> {
  for (let next = remaining.shift(); next !== undefined; next = remaining.shift()) {
    const [name, program, args] = next;
    const { ok, output } = await run(program, args);
    process.stdout.write(ok ? `✓ ${name}\n` : `✗ ${name}\n${output}\n`);
    if (!ok) failed.push(name);
  }
}
await Promise.all([runNext(), runNext()]);
process.stdout.write(`${checks.length - failed.length} checks passed, ${failed.length} failed\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
