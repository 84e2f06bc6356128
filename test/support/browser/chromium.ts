/** @file The browser that tests use: the system's Chromium, else the one that a devDependency carries. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import sparticuz from '@sparticuz/chromium';
import { chromium, type Browser } from 'playwright-core';

export interface ChromiumChoice {
  executablePath: string;
  args: string[];
  /** Whose it is, for the line that says what the tests ran in. */
  whose: 'system' | 'carried';
}

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** `PACKHORSE_TEST_CHROMIUM=carried` passes over the system's one. */
export async function findChromium(): Promise<ChromiumChoice> {
  const folders = (process.env['PATH'] ?? '').split(delimiter).concat('/usr/bin');
  const system = folders
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((path) => existsSync(path));
  if (system !== undefined && process.env['PACKHORSE_TEST_CHROMIUM'] !== 'carried') {
    return { executablePath: system, args: quiet, whose: 'system' };
  }
  return {
    executablePath: await sparticuz.executablePath(),
    args: [...new Set([...quiet, ...sparticuz.args])],
    whose: 'carried',
  };
}

/** Where no locale is set, Chromium cannot open files whose names are not plain ASCII. */
const locale = { LC_ALL: 'C.UTF-8' };

/** Whoever launches it closes it. Rejects where there is no Chromium. */
export async function launchChromium(): Promise<Browser> {
  const { executablePath, args } = await findChromium();
  return chromium.launch({ executablePath, args, env: { ...process.env, ...locale } });
}

let shared: Promise<Browser> | null = null;

/** The one of all tests of this process, each of which opens a context of its own and closes that. It ends with the process. */
export async function sharedChromium(): Promise<Browser> {
  // One that has crashed costs the test that it crashed under, and no other.
  if (shared !== null && !(await shared).isConnected()) shared = null;
  shared ??= launchChromium();
  return shared;
}
