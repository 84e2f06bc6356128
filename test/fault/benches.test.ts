/**
 * @file Runs every bench at its smallest size, except those of migrations.
 *
 * Slow, because each bench starts its own processes: sandboxes, the product, a browser. Only a run shows that a bench still
 * fits the product.
 */
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { hasKeychainPrograms } from '../support/keychain/keychain-session.ts';
import { isWithoutChromium } from '../support/browser/chromium.ts';
import { benchVerdict, runBench } from '../support/processes/bench-process.ts';
import { requirement } from '../support/requirement.ts';
import { pythonWithGitlab } from '../bench/measuring.ts';

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

test.each(['catalogue', 'idle', 'kill', 'plan'])(
  'the %s bench runs and reports whether it reached its goal',
  async (name) => {
    expect(await runBench(name)).toMatch(benchVerdict);
  },
);

test.skipIf(withoutTools).each(['archive', 'download', 'listing', 'upload'])(
  'the %s bench runs and reports whether it reached its goal',
  async (name) => {
    expect(await runBench(name)).toMatch(benchVerdict);
  },
);

test.skipIf(withoutPython)('the end-to-end bench runs and reports whether it reached its goal', async () => {
  expect(await runBench('end-to-end')).toMatch(benchVerdict);
});

test.skipIf(withoutKeychain)('the rotation bench runs and reports whether it reached its goal', async () => {
  expect(await runBench('rotation')).toMatch(benchVerdict);
});

test.skipIf(withoutChromium)('the ui bench runs and reports whether it reached its goal', async () => {
  expect(await runBench('ui')).toMatch(benchVerdict);
});

test('an unknown bench is rejected', async () => {
  await expect(runBench('nothing')).rejects.toThrow('There is no bench "nothing"');
});
