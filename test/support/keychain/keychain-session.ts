/**
 * @file The real keychain of Linux without a desktop: a separate session bus and keyring, in a home folder of the test.
 * Calls go to `keychain-child.ts`, which runs inside that session.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { KeychainCall } from './keychain-calls.ts';
import { compileCache } from '../processes/compile-cache.ts';
import { withKeyring, type Keyring } from './keyring.ts';

const child = fileURLToPath(new URL('./keychain-child.ts', import.meta.url));

/**
 * A call resolves to its result, or to its error code; `end` resolves when all of the session's processes have ended.
 */
export type KeychainSession = ((call: KeychainCall) => Promise<string>) & { end: () => Promise<void> };

/** Whether bus, keyring and libsecret are installed. */
export function hasKeychainPrograms(): boolean {
  const found = (program: string) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;
  return (
    process.platform === 'linux' &&
    found('dbus-run-session') &&
    found('gnome-keyring-daemon') &&
    hasKeychainLibrary()
  );
}

/**
 * Whether libsecret is installed. Without it the error of a command is `keychain-missing`, even without a session bus.
 */
export function hasKeychainLibrary(): boolean {
  return spawnSync(process.execPath, ['-e', `require('keytar')`], { stdio: 'ignore' }).status === 0;
}

/**
 * `open` and `locked` start the keyring with and without its password; `hanging` accepts every call and never replies;
 * `none` has no bus at all. `speed` is the factor of the clock of the calls. The keyring lasts as long as `home`, the
 * session as long as the test, unless it is ended before.
 */
export function keychainSession(options: {
  home: string;
  keyring: Keyring | 'none';
  env?: Record<string, string>;
  speed?: number;
}): KeychainSession {
  const { home, keyring, speed = 1 } = options;
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    XDG_RUNTIME_DIR: home,
    NODE_COMPILE_CACHE: compileCache,
    ...options.env,
  };
  const program = [process.execPath, child, String(speed)];
  const [command, ...rest] =
    keyring === 'none'
      ? program
      : ['dbus-run-session', '--', 'sh', '-c', withKeyring(keyring), 'sh', ...program];
  const session = spawn(command ?? '', rest, { env, stdio: ['pipe', 'pipe', 'ignore'] });
  const lines = createInterface({ input: session.stdout });
  const end = async () => {
    session.stdin.end();
    if (session.exitCode === null) await once(session, 'exit');
  };
  onTestFinished(end);
  const send = async (call: KeychainCall) => {
    const answer = once(lines, 'line');
    session.stdin.write(`${JSON.stringify(call)}\n`);
    const [line] = (await Promise.race([
      answer,
      once(lines, 'close').then(() => ['"the session died"']),
    ])) as [string];
    return JSON.parse(line) as string;
  };
  return Object.assign(send, { end });
}

/**
 * Opens a session with an open keyring, which other programs join by the environment. The session lasts as long as the
 * test.
 */
export async function openKeyring(home: string): Promise<Record<string, string>> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, XDG_RUNTIME_DIR: home };
  const script = ['sh', '-c', withKeyring('open'), 'sh', 'sh', '-c', 'echo "$DBUS_SESSION_BUS_ADDRESS"; cat'];
  const session = spawn('dbus-run-session', ['--', ...script], { env, stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = once(session, 'close');
  onTestFinished(async () => {
    session.stdin.end();
    await ended;
  });
  const [address] = (await once(createInterface({ input: session.stdout }), 'line')) as [string];
  return { DBUS_SESSION_BUS_ADDRESS: address, XDG_RUNTIME_DIR: home };
}
