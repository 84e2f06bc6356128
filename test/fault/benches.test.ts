/**
 * @file Runs every bench at its smallest size, except those of migrations.
 *
 * Slow, because benches start processes: sandboxes, the product, a browser. Only a run shows that a bench still
 * fits the product.
 */
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { hasKeychainPrograms } from '../support/keychain/keychain-session.ts';
import { isWithoutChromium } from '../support/browser/chromium.ts';
import { runBenches } from '../support/processes/bench-process.ts';
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

const names = [
  ...['catalogue', 'idle', 'kill', 'plan'],
  ...(withoutTools ? [] : ['archive', 'download', 'listing', 'upload']),
  ...(withoutPython ? [] : ['end-to-end']),
  ...(withoutKeychain ? [] : ['rotation']),
  ...(withoutChromium ? [] : ['ui']),
];

test('each bench runs and reports whether it reached its goal', async () => {
  expect(await runBenches(names)).toEqual(names);
});

test('an unknown bench is rejected', async () => {
  await expect(runBenches(['nothing'])).rejects.toThrow('There is no bench "nothing"');
});
