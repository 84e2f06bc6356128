/**
 * @file Runs what `npm run check` and `npm test` promise and ends with one count of it all. Takes the names of the test
 * projects to run after the static checks. A skipped test is named with its reason and with what would enable it.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { setPriority, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from '../src-preload/contract/schema.ts';
import { isWithoutChromium } from './support/browser/chromium.ts';

const root = resolve(import.meta.dirname, '..');
const bin = (name: string): string => join(root, 'node_modules/.bin', name);

/** Of the operating system's 0 for usual to 19: a third of what a test gets. */
const quietPriority = 5;

/** Slowest first, two at a time, in what the tests leave of the machine while they wait. */
const staticChecks: [name: string, command: string[]][] = [
  ['lint', ['eslint', '--max-warnings', '0', '.']],
  ['types', ['tsc', '-p', 'tsconfig.node.json']],
  ['types of the window', ['svelte-check', '--tsconfig', 'tsconfig.web.json', '--fail-on-warnings']],
  ['format', ['prettier', '--check', '--log-level', 'warn', '.']],
  [
    'layers',
    ['depcruise', '--config', '.dependency-cruiser.cjs', 'src-main', 'src-preload', 'src-renderer', 'test'],
  ],
  ['unused code', ['knip']],
  ['types of the contract', ['tsc', '-p', 'tsconfig.contract.json']],
];

function run(
  command: string[],
  env: NodeJS.ProcessEnv,
  quiet: boolean,
): Promise<{ ok: boolean; output: string }> {
  const [program = '', ...args] = command;
  return new Promise((done) => {
    const child = spawn(bin(program), args, { cwd: root, env, stdio: quiet ? 'pipe' : 'inherit' });
    // What is quiet stands back behind tests that wait for something to happen in time, but not so far that it ends after them.
    if (quiet && child.pid !== undefined) setPriority(child.pid, quietPriority);
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('close', (code) => {
      done({ ok: code === 0, output });
    });
  });
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Returns the names of the checks that failed. */
async function runStaticChecks(): Promise<string[]> {
  const failed: string[] = [];
  const left = [...staticChecks];
  const runNext = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [name, command] = next;
      const { ok, output } = await run(command, process.env, true);
      say(ok ? `✓ ${name}` : `✗ ${name}\n${output}`);
      if (!ok) failed.push(name);
    }
  };
  await Promise.all([runNext(), runNext()]);
  return failed;
}

const reportSchema = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numFailedTestSuites: z.number(),
});
const skipSchema = z.object({ name: z.string(), howToEnable: z.string() });

function skips(file: string): string[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const unique = new Map(
    lines.map((line) => skipSchema.parse(JSON.parse(line))).map((skip) => [skip.name, skip]),
  );
  return [...unique.values()].map(
    (skip) => `skipped: ${skip.name} is missing; to enable: ${skip.howToEnable}`,
  );
}

const folder = mkdtempSync(join(tmpdir(), 'packhorse-test-run-'));
const reportFile = join(folder, 'report.json');
const skipsFile = join(folder, 'skips.jsonl');
process.env['PACKHORSE_SKIPS_FILE'] = skipsFile;

/** Whose tests run in a browser; where none starts, they are not run, and that is said. */
const inBrowser = ['component', 'e2e'];

async function runnable(projects: string[]): Promise<string[]> {
  if (!projects.some((name) => inBrowser.includes(name)) || !(await isWithoutChromium())) return projects;
  return projects.filter((name) => !inBrowser.includes(name));
}

try {
  const projects = await runnable(process.argv.slice(2));
  const checking = runStaticChecks();
  const { ok } = await run(
    [
      'vitest',
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${reportFile}`,
      ...projects.flatMap((name) => ['--project', name]),
    ],
    // vitest keeps a file in the user's data folder, which is none of our business to touch.
    { ...process.env, XDG_DATA_HOME: folder },
    false,
  );
  const failedChecks = await checking;
  const report = existsSync(reportFile)
    ? reportSchema.parse(JSON.parse(readFileSync(reportFile, 'utf8')))
    : null;
  for (const line of skips(skipsFile)) say(line);
  for (const name of failedChecks) say(`failed: the check of ${name}`);
  const passed = (report?.numPassedTests ?? 0) + staticChecks.length - failedChecks.length;
  // A file that could not even be loaded has no failed test of its own, but it failed.
  const failed = Math.max(report?.numFailedTests ?? 0, ok ? 0 : 1) + failedChecks.length;
  say(`${passed} passed, ${failed} failed, ${report?.numPendingTests ?? 0} skipped`);
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
