/**
 * @file Runs the tests of `npm run check` and `npm test`, and prints one total at the end. Takes the names of the test
 * projects to run. Prints the reason for each skipped test, and how to enable the test.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from '../src-contract/schema.ts';
import { isWithoutChromium } from './support/browser/chromium.ts';

const root = resolve(import.meta.dirname, '..');

/** Runs vitest, which prints its own progress. Resolves to whether every test passed. */
function runVitest(args: string[]): Promise<boolean> {
  const child = spawn(join(root, 'node_modules/.bin/vitest'), args, {
    cwd: root,
    // Vitest writes a file to the user's data folder, which this program must not touch.
    env: { ...process.env, XDG_DATA_HOME: folder },
    stdio: 'inherit',
  });
  return new Promise((done) => {
    child.on('close', (code) => {
      done(code === 0);
    });
  });
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
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

/** The test projects that need a browser. If no browser starts, they are skipped, and the skip is reported. */
const inBrowser = ['component', 'e2e'];

async function runnable(projects: string[]): Promise<string[]> {
  if (!projects.some((name) => inBrowser.includes(name)) || !(await isWithoutChromium())) return projects;
  return projects.filter((name) => !inBrowser.includes(name));
}

try {
  const projects = await runnable(process.argv.slice(2));
  const ok = await runVitest([
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${reportFile}`,
    ...projects.flatMap((name) => ['--project', name]),
  ]);
  const report = existsSync(reportFile)
    ? reportSchema.parse(JSON.parse(readFileSync(reportFile, 'utf8')))
    : null;
  for (const line of skips(skipsFile)) print(line);
  // A file that cannot be loaded has no failed test, but counts as a failure.
  const failed = Math.max(report?.numFailedTests ?? 0, ok ? 0 : 1);
  print(`${report?.numPassedTests ?? 0} passed, ${failed} failed, ${report?.numPendingTests ?? 0} skipped`);
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
