/**
 * @file Calls the keychain in a child process, which can be killed. A call that never returns would keep this process
 * alive.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { extname } from 'node:path';
import { AppError, type ErrorData } from '../../src-contract/errors.ts';

export interface KeychainRequest {
  id: number;
  method: 'getPassword' | 'setPassword' | 'deletePassword';
  account: [service: string, account: string];
  password: string;
}
export type KeychainReply = { id: number; value: unknown } | { id: number; error: ErrorData };

const keytarProgram = new URL(`./credentials-keytar-worker${extname(import.meta.url)}`, import.meta.url);

/** Starts the child process with the first call, and again after it ended. The child ends with this process. */
export class KeychainProcess {
  readonly #program: URL;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #child: ChildProcess | null = null;
  #asked = 0;

  /** @param program a module that serves `KeychainRequest`s; tests pass other modules. */
  constructor(program = keytarProgram) {
    this.#program = program;
  }

  async getPassword(service: string, account: string): Promise<string | null> {
    return (await this.#ask('getPassword', [service, account])) as string | null;
  }

  async setPassword(service: string, account: string, password: string): Promise<void> {
    await this.#ask('setPassword', [service, account], password);
  }

  async deletePassword(service: string, account: string): Promise<boolean> {
    return (await this.#ask('deletePassword', [service, account])) as boolean;
  }

  abortPending(reason: AppError): void {
    if (this.#child !== null) this.#end(this.#child, reason);
  }

  #ask(method: KeychainRequest['method'], account: [string, string], password = ''): Promise<unknown> {
    this.#child ??= this.#start();
    const reply = Promise.withResolvers<unknown>();
    this.#asked += 1;
    this.#waiting.set(this.#asked, reply);
    this.#child.send({ id: this.#asked, method, account, password } satisfies KeychainRequest);
    return reply.promise;
  }

  #start(): ChildProcess {
    // The keychain library's output is dropped; its failures arrive as errors.
    const child = fork(this.#program, [], { execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    child.unref();
    child.channel?.unref();
    child.on('message', (reply: KeychainReply) => {
      const asked = this.#waiting.get(reply.id);
      this.#waiting.delete(reply.id);
      if ('error' in reply) asked?.reject(AppError.fromData(reply.error));
      else asked?.resolve(reply.value);
    });
    for (const way of ['error', 'exit']) {
      child.on(way, () => {
        this.#end(
          child,
          new AppError('keychain-failed', 'The process of the keychain ended.', { retry: 'later' }),
        );
      });
    }
    return child;
  }

  #end(child: ChildProcess, reason: AppError): void {
    if (this.#child !== child) return;
    this.#child = null;
    child.kill('SIGKILL');
    for (const asked of this.#waiting.values()) asked.reject(reason);
    this.#waiting.clear();
  }
}
