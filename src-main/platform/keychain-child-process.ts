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
  entry: [service: string, account: string];
  password: string;
}
export type KeychainReply = { id: number; value: unknown } | { id: number; error: ErrorData };

const keytarProgram = new URL(`./credentials-keytar-worker${extname(import.meta.url)}`, import.meta.url);

/** Starts the child process with the first call, and again after it ended. The child ends with this process. */
export class KeychainProcess {
  readonly #program: URL;
  readonly #pending = new Map<number, PromiseWithResolvers<unknown>>();
  #child: ChildProcess | null = null;
  #lastId = 0;

  /** @param program a module that serves `KeychainRequest`s; tests pass other modules. */
  constructor(program = keytarProgram) {
    this.#program = program;
  }

  async getPassword(service: string, account: string): Promise<string | null> {
    return (await this.#call('getPassword', [service, account])) as string | null;
  }

  async setPassword(service: string, account: string, password: string): Promise<void> {
    await this.#call('setPassword', [service, account], password);
  }

  async deletePassword(service: string, account: string): Promise<boolean> {
    return (await this.#call('deletePassword', [service, account])) as boolean;
  }

  abortPending(reason: AppError): void {
    if (this.#child !== null) this.#end(this.#child, reason);
  }

  #call(method: KeychainRequest['method'], account: [string, string], password = ''): Promise<unknown> {
    this.#child ??= this.#start();
    const reply = Promise.withResolvers<unknown>();
    this.#lastId += 1;
    this.#pending.set(this.#lastId, reply);
    this.#child.send({ id: this.#lastId, method, entry: account, password } satisfies KeychainRequest);
    return reply.promise;
  }

  #start(): ChildProcess {
    // The keychain library's output is dropped; its failures arrive as errors.
    const child = fork(this.#program, [], { execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    child.unref();
    child.channel?.unref();
    child.on('message', (reply: KeychainReply) => {
      const pendingCall = this.#pending.get(reply.id);
      this.#pending.delete(reply.id);
      if ('error' in reply) pendingCall?.reject(AppError.fromData(reply.error));
      else pendingCall?.resolve(reply.value);
    });
    for (const event of ['error', 'exit']) {
      child.on(event, () => {
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
    for (const pendingCall of this.#pending.values()) pendingCall.reject(reason);
    this.#pending.clear();
  }
}
