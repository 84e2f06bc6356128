/**
 * @file Runs the built desktop host in its own process, on the fake Electron, without a browser. Tests that need the
 * rendered page use `desktop-app.ts`.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { compileCacheOf } from '../processes/compile-cache.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import type { DesktopState, FromDesktop, RequestName, Requests, ToDesktop } from './messages.ts';

const hooks = new URL('./hooks.ts', import.meta.url).href;

export interface DesktopOptions {
  /** The folder of `builtProduct`. */
  product: string;
  /** Default: a new folder. */
  dataDir?: string;
  /** Whether the Linux desktop shows tray icons. */
  tray?: boolean;
  env?: Record<string, string>;
  args?: string[];
}

/** The maximum wait, longer than any work of the program in a test. */
const maxWaitMs = 30_000;

export interface Exit {
  code: number | null;
  stderr: string;
}

/** Returns a program that plays the session bus, and reports whether something shows tray icons. */
function fakeBus(tray: boolean): string {
  const folder = temporaryFolder();
  for (const name of ['dbus-send', 'gdbus']) {
    writeFileSync(join(folder, name), `#!/bin/sh\necho '   boolean ${tray}'\n`);
    chmodSync(join(folder, name), 0o700);
  }
  return folder;
}

export class DesktopProcess {
  readonly dataDir: string;
  /** The home folder of the program. */
  readonly home = temporaryFolder();
  readonly exited: Promise<Exit>;
  state: DesktopState | null = null;
  /** Called with the address of the page to show; resolves when the page is loaded. */
  onLoad: (url: string) => Promise<void> = () => Promise.resolve();
  onEvent: (channel: string, payload: unknown) => void = () => undefined;
  readonly #child: ChildProcess;
  readonly #replies = new Map<number, PromiseWithResolvers<unknown>>();
  readonly #waiting = new Set<() => void>();
  #id = 0;

  constructor({ product, dataDir, tray = true, env = {}, args = [] }: DesktopOptions) {
    const entry = join(product, 'out/main/hosts/desktop.js');
    this.dataDir = dataDir ?? join(this.home, 'data');
    if (dataDir === undefined) mkdirSync(this.dataDir, { mode: 0o700 });
    const child = spawn(process.execPath, ['--import', hooks, entry, ...args], {
      env: {
        PATH: `${fakeBus(tray)}${delimiter}${process.env['PATH'] ?? ''}`,
        HOME: this.home,
        XDG_CONFIG_HOME: join(this.home, 'config'),
        TZ: 'Europe/Berlin',
        NODE_COMPILE_CACHE: compileCacheOf(entry),
        PACKHORSE_DATA_DIR: this.dataDir,
        // Without a session bus there is no keychain, so tokens last for this session.
        DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent',
        ...env,
      },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      serialization: 'advanced',
    });
    this.#child = child;
    const stderr = child.stderr === null ? Promise.resolve('') : text(child.stderr);
    this.exited = once(child, 'exit').then(async ([code]) => {
      const exit = { code: code as number | null, stderr: await stderr };
      for (const reply of this.#replies.values())
        reply.reject(new Error(`The program ended. ${exit.stderr}`));
      for (const check of this.#waiting) check();
      return exit;
    });
    child.on('message', (message: FromDesktop) => {
      this.#receive(message);
    });
    onTestFinished(async () => {
      child.kill('SIGKILL');
      await this.exited;
    });
  }

  get running(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  request<Name extends RequestName>(
    name: Name,
    request: Requests[Name]['ask'],
  ): Promise<Requests[Name]['answer']> {
    this.#id += 1;
    const reply = Promise.withResolvers<unknown>();
    this.#replies.set(this.#id, reply);
    this.#send({ kind: 'ask', id: this.#id, name, request: request });
    return reply.promise;
  }

  /**
   * Resolves with the first state that satisfies `wanted`. Fails if the program ends before, or after the maximum wait.
   */
  async until(wanted: (state: DesktopState) => unknown): Promise<DesktopState> {
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(check);
      };
      const fail = (reason: string): void => {
        end();
        reject(new Error(`${reason} ${String(wanted)} did not come true: ${JSON.stringify(this.state)}`));
      };
      const timer = setTimeout(fail, maxWaitMs, 'The wait takes too long.');
      const check = (): void => {
        if (this.state !== null && Boolean(wanted(this.state))) {
          end();
          resolve(this.state);
        } else if (!this.running) fail('The program ended.');
      };
      this.#waiting.add(check);
      check();
    });
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** A program that is ending may have closed the channel already. Its exit then rejects the open requests. */
  #send(message: ToDesktop): void {
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }

  #receive(message: FromDesktop): void {
    switch (message.kind) {
      case 'state':
        this.state = message.state;
        for (const check of this.#waiting) check();
        return;
      case 'event':
        this.onEvent(message.channel, message.payload);
        return;
      case 'load':
        this.onLoad(message.url).then(
          () => {
            this.#send({ kind: 'loaded', error: null });
          },
          (thrown: unknown) => {
            this.#send({ kind: 'loaded', error: String(thrown) });
          },
        );
        return;
      case 'answer':
      case 'refused': {
        const reply = this.#replies.get(message.id);
        this.#replies.delete(message.id);
        if (message.kind === 'answer') reply?.resolve(message.answer);
        else reply?.reject(new Error(message.message));
      }
    }
  }
}
