/** @file A session bus with a Linux keyring, for tests and for benches. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { compileCache } from '../processes/compile-cache.ts';

export type Keyring = 'open' | 'locked' | 'hanging';

/**
 * Returns a shell script that starts the keyring and runs a program. The program starts when the keyring replies,
 * because an earlier call would make the bus start a second keyring.
 */
export function withKeyring(keyring: Keyring): string {
  const daemon = 'gnome-keyring-daemon --foreground --components=secrets';
  const start = keyring === 'locked' ? daemon : `printf password | ${daemon} --unlock`;
  const bus =
    'dbus-send --session --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.NameHasOwner';
  return `${start} >/dev/null 2>&1 & keyring=$!
    trap 'kill $keyring; kill -CONT $keyring' EXIT
    until ${bus} string:org.freedesktop.secrets | grep -q true; do sleep 0.05; done
    ${keyring === 'hanging' ? 'kill -STOP $keyring' : ''}
    "$@"`;
}

/** Runs a Node program to its end in a separate session with an open keyring. @returns its output. */
export async function inKeychainSession(home: string, program: string, ...args: string[]): Promise<string> {
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    XDG_RUNTIME_DIR: home,
    NODE_COMPILE_CACHE: compileCache,
  };
  const script = ['sh', '-c', withKeyring('open'), 'sh', process.execPath, program, ...args];
  const session = spawn('dbus-run-session', ['--', ...script], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  let printed = '';
  session.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  await once(session, 'close');
  return printed;
}
