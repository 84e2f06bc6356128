/**
 * @file The real keychain of Linux without a desktop: a session bus and a keyring of their own, in a home folder of the
 * test's. Calls go to `keychain-child.ts`, which runs inside that session.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { KeychainCall } from './keychain-calls.ts';

const child = fileURLToPath(new URL('./keychain-child.ts', import.meta.url));

/** Whether bus, keyring and libsecret are installed. */
export function hasKeychainPrograms(): boolean {
  const found = (program: string) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;
  return (
    process.platform === 'linux' &&
    found('dbus-run-session') &&
    found('gnome-keyring-daemon') &&
    spawnSync(process.execPath, ['-e', `require('keytar')`], { stdio: 'ignore' }).status === 0
  );
}

/**
 * `open` and `locked` start the keyring with and without its password; `none` has no bus at all.
 * The keyring lasts as long as `home`, the session as long as the test. A call resolves to what it gave, or to its error code.
 */
export function keychainSession(options: {
  home: string;
  keyring: 'open' | 'locked' | 'none';
  env?: Record<string, string>;
}): (call: KeychainCall) => Promise<string> {
  const { home, keyring } = options;
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, XDG_RUNTIME_DIR: home, ...options.env };
  const program = [process.execPath, child];
  const [command, ...rest] =
    keyring === 'none'
      ? program
      : ['dbus-run-session', '--', 'sh', '-c', withKeyring(keyring), 'sh', ...program];
  const session = spawn(command ?? '', rest, { env, stdio: ['pipe', 'pipe', 'ignore'] });
  const answers = createInterface({ input: session.stdout });
  onTestFinished(async () => {
    session.stdin.end();
    if (session.exitCode === null) await once(session, 'exit');
  });
  return async (call) => {
    const answer = once(answers, 'line');
    session.stdin.write(`${JSON.stringify(call)}\n`);
    const [line] = (await Promise.race([
      answer,
      once(answers, 'close').then(() => ['"the session died"']),
    ])) as [string];
    return JSON.parse(line) as string;
  };
}

/** Waits until the keyring answers for itself; asked earlier, the bus would start a second one. */
function withKeyring(keyring: 'open' | 'locked'): string {
  const daemon = 'gnome-keyring-daemon --foreground --components=secrets';
  const start = keyring === 'open' ? `printf password | ${daemon} --unlock` : daemon;
  const bus =
    'dbus-send --session --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.NameHasOwner';
  return `${start} >/dev/null 2>&1 & keyring=$!
    trap 'kill $keyring' EXIT
    until ${bus} string:org.freedesktop.secrets | grep -q true; do sleep 0.05; done
    "$@"`;
}
