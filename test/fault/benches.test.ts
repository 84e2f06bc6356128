/**
 * @file Runs every bench at its smallest size, at which its measurements mean nothing.
 *
 * Slow, because each of the 18 benches starts its own processes: sandboxes, the product, a browser. Only a run shows
 * that a bench still fits the product.
 */
import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { hasKeychainPrograms } from '../support/keychain/keychain-session.ts';
import { isWithoutChromium } from '../support/browser/chromium.ts';
import { builtProduct } from '../support/processes/product-build.ts';
import { requirement } from '../support/requirement.ts';
import { pythonWithGitlab } from '../bench/measuring.ts';

const repository = join(import.meta.dirname, '../..');
const hasProgram = (name: string): boolean => spawnSync(name, ['--version']).error === undefined;

const withoutTools = requirement(
  'what benches measure beside (curl, pigz, bash, tar)',
  ['curl', 'pigz', 'bash', 'tar'].every(hasProgram),
  'install curl and pigz',
);
const withoutPython = requirement(
  'python3-gitlab, which benches measure beside',
  pythonWithGitlab() !== null,
  'apt-get install python3-gitlab',
);
const withoutKeychain = requirement(
  'the keychain of Linux (D-Bus, gnome-keyring, libsecret)',
  hasKeychainPrograms(),
  'apt-get install libsecret-1-0 gnome-keyring dbus',
);
const withoutChromium = await isWithoutChromium();

let product: string;
beforeAll(async () => {
  product = await builtProduct();
});

/** Runs a bench and returns its output. A missed goal is allowed; any other error throws with the output of the bench. */
async function runBench(name: string): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(repository, 'test/bench/bench.ts'), name, '--smallest'],
    { cwd: repository, env: { ...process.env, PACKHORSE_BENCH_OUT: join(product, 'out') } },
  ).catch((error: unknown) => {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    // A bench that misses its goal still prints a complete report.
    if (/goal .*: (reached|MISSED)/.test(stdout)) return { stdout };
    throw new Error(`${stdout}\n${stderr}`);
  });
  return stdout;
}

const verdict = /: (reached|MISSED)/;

test.each([
  'catalogue',
  'comparison',
  'idle',
  'kill',
  'kill-migration',
  'loss',
  'migration',
  'migration-look',
  'plan',
  'retry',
])('the %s bench runs and reports whether it reached its goal', async (name) => {
  expect(await runBench(name)).toMatch(verdict);
});

test.skipIf(withoutTools).each(['archive', 'download', 'listing', 'upload'])(
  'the %s bench runs and reports whether it reached its goal',
  async (name) => {
    expect(await runBench(name)).toMatch(verdict);
  },
);

test.skipIf(withoutPython)('the end-to-end bench runs and reports whether it reached its goal', async () => {
  expect(await runBench('end-to-end')).toMatch(verdict);
});

test.skipIf(withoutKeychain)('the rotation bench runs and reports whether it reached its goal', async () => {
  expect(await runBench('rotation')).toMatch(verdict);
});

test.skipIf(withoutChromium)('the ui bench runs and reports whether it reached its goal', async () => {
  expect(await runBench('ui')).toMatch(verdict);
});

test('an unknown bench is rejected', async () => {
  await expect(runBench('nothing')).rejects.toThrow('There is no bench "nothing"');
});
