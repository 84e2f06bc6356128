/**
 * @file Every bench runs, at its smallest size; its measurements then mean nothing.
 *
 * Slow, because each of the 17 benches starts its own processes: sandboxes, the product, a browser. Only a run shows
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

/** Goals may be missed; any other error ends a bench with a message on its standard error. */
async function runs(name: string): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(repository, 'test/bench/bench.ts'), name, '--smallest'],
    { cwd: repository, env: { ...process.env, PACKHORSE_BENCH_OUT: join(product, 'out') } },
  ).catch((error: unknown) => {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    // A bad verdict still comes with a complete report.
    if (/goal .*: (reached|MISSED)/.test(stdout)) return { stdout };
    throw new Error(`${stdout}\n${stderr}`);
  });
  return stdout;
}

const reported = /: (reached|MISSED)/;

test.each([
  'catalogue',
  'idle',
  'kill',
  'kill-migration',
  'loss',
  'migration',
  'migration-look',
  'plan',
  'retry',
])('the bench of %s runs', async (name) => {
  expect(await runs(name)).toMatch(reported);
});

test.skipIf(withoutTools).each(['archive', 'download', 'listing', 'upload'])(
  'the bench of %s runs',
  async (name) => {
    expect(await runs(name)).toMatch(reported);
  },
);

test.skipIf(withoutPython)('the bench of end-to-end runs', async () => {
  expect(await runs('end-to-end')).toMatch(reported);
});

test.skipIf(withoutKeychain)('the bench of rotation runs', async () => {
  expect(await runs('rotation')).toMatch(reported);
});

test.skipIf(withoutChromium)('the bench of ui runs', async () => {
  expect(await runs('ui')).toMatch(reported);
});

test('a bench that there is not is refused', async () => {
  await expect(runs('nothing')).rejects.toThrow('There is no bench "nothing"');
});
