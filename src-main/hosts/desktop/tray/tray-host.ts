/**
 * @file Whether a tray icon would be seen. Windows and macOS always have a place for it; a Linux desktop has one when
 * something owns the name of the StatusNotifier watcher on the session bus, which may come up after we do. Electron cannot
 * be asked: it makes icons that nobody shows. Needs no Electron.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Clock } from '../../../platform/clock.ts';

const watcher = 'org.kde.StatusNotifierWatcher';
const askMs = 3_000;
/** At login the panel may start later than we do. */
const looks = { most: 15, everyMs: 2_000 };

/** The same question for whichever of these programs there is; each prints `true` or `false`. */
const questions: readonly (readonly [program: string, args: readonly string[]])[] = [
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
  (await promisify(execFile)(program, [...args], { timeout: askMs })).stdout;

/** Asks once. Where nothing can be asked there is taken to be none: a window must not vanish on a guess. */
export async function hasTrayHost(platform: NodeJS.Platform, ask: Run = run): Promise<boolean> {
  if (platform !== 'linux') return true;
  for (const [program, args] of questions) {
    try {
      return /\btrue\b/.test(await ask(program, args));
    } catch {
      // Not there, or no bus; the next one is asked.
    }
  }
  return false;
}

/** Asks again for half a minute; resolves to false when none came up until then, or when aborted. */
export async function awaitTrayHost(
  clock: Clock,
  signal: AbortSignal,
  ask: () => Promise<boolean>,
): Promise<boolean> {
  for (let look = 1; ; look += 1) {
    if (await ask()) return true;
    if (look === looks.most) return false;
    try {
      await clock.sleep(looks.everyMs, signal);
    } catch {
      return false;
    }
  }
}
