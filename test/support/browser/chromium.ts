/** @file The browser that tests use: the system's Chromium, else the one that a devDependency carries. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { requirement } from '../requirement.ts';
import { carriedChromium } from './carried-chromium.ts';

export interface ChromiumChoice {
  executablePath: string;
  args: string[];
  /** Environment that it needs besides that of this process. */
  env: Record<string, string>;
  /** Whose it is, for the line that says what the tests ran in. */
  whose: 'system' | 'carried';
}

/** First the one without windows, which takes half the processor time for the same pages. */
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

/** Where no locale is set, Chromium cannot open files whose names are not plain ASCII. */
const locale = { LC_ALL: 'C.UTF-8' };

/**
 * Returns a Chromium that starts here. `PACKHORSE_TEST_CHROMIUM=carried` passes over the system's one. Rejects with what the
 * browser says where it does not start.
 */
export async function findChromium(): Promise<ChromiumChoice> {
  const choice = await chooseChromium();
  const started = spawnSync(choice.executablePath, ['--version', '--no-sandbox'], {
    env: { ...process.env, ...choice.env },
    encoding: 'utf8',
  });
  if (started.status !== 0) {
    throw new Error(
      `The ${choice.whose} Chromium does not start: ${started.error?.message ?? started.stderr}`,
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
    return { executablePath: system, args: quiet, env: locale, whose: 'system' };
  }
  const { executablePath, env } = await carriedChromium();
  return { executablePath, args: [...quiet, '--no-zygote'], env: { ...locale, ...env }, whose: 'carried' };
}

/** Whether no Chromium starts here, for `describe.skipIf(…)`. */
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

/** Whoever launches it closes it. Rejects where there is no Chromium. */
export async function launchChromium(): Promise<Browser> {
  const { executablePath, args, env } = await findChromium();
  return chromium.launch({ executablePath, args, env: { ...process.env, ...env } });
}

let shared: Promise<Browser> | null = null;

/** The one of all tests of this process, each of which opens a context of its own and closes that. It ends with the process. */
export async function sharedChromium(): Promise<Browser> {
  // One that has crashed costs the test that it crashed under, and no other.
  if (shared !== null && !(await shared).isConnected()) shared = null;
  shared ??= launchChromium();
  return shared;
}
