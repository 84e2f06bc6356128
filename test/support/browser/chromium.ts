/** @file Finds the browser for tests: the system's Chromium, otherwise the one in a devDependency. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { requirement } from '../requirement.ts';
import { bundledChromium } from './carried-chromium.ts';

export interface ChromiumChoice {
  executablePath: string;
  args: string[];
  /** Variables that it needs in addition to the environment of this process. */
  env: Record<string, string>;
  /** The origin of the browser, for messages. */
  origin: 'system' | 'carried';
}

/** The headless build comes first, because it needs half the processor time for the same pages. */
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];
const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Without a locale, Chromium cannot open files whose names are not plain ASCII. */
const locale = { LC_ALL: 'C.UTF-8' };

/**
 * Returns a Chromium that starts here. `PACKHORSE_TEST_CHROMIUM=carried` ignores the system's one. Rejects with the
 * output of a browser that does not start.
 */
export async function findChromium(): Promise<ChromiumChoice> {
  const choice = await chooseChromium();
  const started = spawnSync(choice.executablePath, ['--version', '--no-sandbox'], {
    env: { ...process.env, ...choice.env },
    encoding: 'utf8',
  });
  if (started.status !== 0) {
    throw new Error(
      `The ${choice.origin} Chromium does not start: ${started.error?.message ?? started.stderr}`,
    );
  }
  return choice;
}

async function chooseChromium(): Promise<ChromiumChoice> {
  const folders = (process.env['PATH'] ?? '').split(delimiter).concat('/usr/bin');
  const system = folders
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((path) => existsSync(path));
  if (system !== undefined && process.env['PACKHORSE_TEST_CHROMIUM'] !== 'carried') {
    return { executablePath: system, args: quiet, env: locale, origin: 'system' };
  }
  const { executablePath, env } = await bundledChromium();
  return { executablePath, args: [...quiet, '--no-zygote'], env: { ...locale, ...env }, origin: 'carried' };
}

/** Returns whether no Chromium starts here, for `describe.skipIf(…)`. */
export const isWithoutChromium = async (): Promise<boolean> => {
  const problem = await findChromium().then(
    () => null,
    (error: unknown) => (error as Error).message,
  );
  return requirement(
    'a Chromium that starts',
    problem === null,
    `install Chromium (Debian: chromium-headless-shell or chromium). ${problem ?? ''}`,
  );
};

/** Launches a Chromium, which the caller closes. Rejects if there is none. */
export async function launchChromium(): Promise<Browser> {
  const { executablePath, args, env } = await findChromium();
  return chromium.launch({ executablePath, args, env: { ...process.env, ...env } });
}

let shared: Promise<Browser> | null = null;

/**
 * Returns the Chromium that all tests of this process share; it ends with the process. Each test opens and closes its
 * own context.
 */
export async function sharedChromium(): Promise<Browser> {
  // A crash fails only the test during which it happened.
  if (shared !== null && !(await shared).isConnected()) shared = null;
  shared ??= launchChromium();
  return shared;
}
