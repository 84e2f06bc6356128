/**
 * @file Finds out whether a tray icon would be visible. Windows and macOS always have a place for it. A Linux desktop
 * has one when some program owns the name of the StatusNotifier watcher on the session bus; that program may start
 * later. Electron cannot detect this, and its icons may stay invisible. Needs no Electron.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Clock } from '../../../platform/clock.ts';

const watcher = 'org.kde.StatusNotifierWatcher';
const queryTimeoutMs = 3_000;
/** At login the panel may start after this program. */
const polls = { max: 15, everyMs: 2_000 };

/** The same query for several programs, because only some may be installed. Each prints `true` or `false`. */
const queries: readonly (readonly [program: string, args: readonly string[]])[] = [
  [
    'dbus-send',
    [
      '--session',
      '--print-reply=literal',
      '--dest=org.freedesktop.DBus',
      '/org/freedesktop/DBus',
      'org.freedesktop.DBus.NameHasOwner',
      `string:${watcher}`,
    ],
  ],
  [
    'gdbus',
    [
      'call',
      '--session',
      '--dest=org.freedesktop.DBus',
      '--object-path=/org/freedesktop/DBus',
      '--method=org.freedesktop.DBus.NameHasOwner',
      watcher,
    ],
  ],
];

type Run = (program: string, args: readonly string[]) => Promise<string>;

const run: Run = async (program, args) =>
  (await promisify(execFile)(program, [...args], { timeout: queryTimeoutMs })).stdout;

/** Checks once. Returns false if no program can run the query, because a window must not vanish on a guess. */
export async function hasTrayHost(platform: NodeJS.Platform, runQuery: Run = run): Promise<boolean> {
  if (platform !== 'linux') return true;
  for (const [program, args] of queries) {
    try {
      return /\btrue\b/.test(await runQuery(program, args));
    } catch {
      // The program or the bus is missing; the next program is tried.
    }
  }
  return false;
}

/** Repeats the check for half a minute. Resolves to false if no tray appears in this time, or when aborted. */
export async function awaitTrayHost(
  clock: Clock,
  signal: AbortSignal,
  check: () => Promise<boolean>,
): Promise<boolean> {
  for (let poll = 1; ; poll += 1) {
    if (await check()) return true;
    if (poll === polls.max) return false;
    try {
      await clock.sleep(polls.everyMs, signal);
    } catch {
      return false;
    }
  }
}
