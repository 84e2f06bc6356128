/**
 * @file Runs the operations with a third-party client. A step counts only if the sandbox's own log contains a successful
 * request of that operation.
 */
import { Gitlab } from '@gitbeaker/rest';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../../src-main/platform/clock.ts';
import type { SandboxTokens } from '../../../src-main/sandbox/accounts/accounts.ts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../src-main/sandbox/sandbox.ts';
import { operation, type KnownOperation, type OperationId } from '../../../src-contract/operations.ts';
import { operations, specified } from '../operations/operations.ts';
import type { Specified } from '../operations/specified.ts';

export type Row = Record<string, unknown>;
type Client = InstanceType<typeof Gitlab<false>>;

export class GitbeakerWalk {
  #sandbox: Sandbox | null = null;
  readonly #walked: OperationId[] = [];

  /** Opens one sandbox for the tests of a file, which run in order. @param options called when the sandbox starts. */
  static ofFile(options: () => Partial<SandboxOptions>): GitbeakerWalk {
    const walk = new GitbeakerWalk();
    beforeAll(async () => {
      walk.#sandbox = await startSandbox({ clock: systemClock, ...options() });
    });
    afterAll(() => walk.sandbox.close());
    return walk;
  }

  get sandbox(): Sandbox {
    if (this.#sandbox === null) throw new Error('The sandbox has not started yet.');
    return this.#sandbox;
  }

  /**
   * Returns the client as one of the sandbox's users. Its own delay between requests is off: it would slow the polling
   * down.
   */
  as(who: keyof SandboxTokens): Client {
    return this.with(this.sandbox.tokens[who]);
  }

  with(token: string): Client {
    return new Gitlab({ host: this.sandbox.url, token, rateLimits: { '**': 10_000 } });
  }

  /** Adds one step: `call` names the function of the client, `steps` must send the operation's request. */
  step(id: OperationId, call: string, steps: () => Promise<void>): void {
    this.#walked.push(id);
    test(`${id} by ${call}`, async () => {
      const before = this.sandbox.requests.length;
      await steps();
      const statuses = (): (number | null)[] =>
        this.sandbox.requests
          .slice(before)
          .filter((entry) => isOf(operation(id), entry))
          .map(({ status }) => status);
      // The log is written after the reply, which the client may have read before.
      await expect
        .poll(statuses, { message: 'statuses of the replies' })
        .toContain(specified[id].successStatuses[0]);
    });
  }

  /** Adds a step without a function in the client, with the reason. */
  stepWithoutFunction(id: OperationId, reason: string, steps: () => Promise<void>): void {
    this.step(id, `the generic requester, for ${reason}`, steps);
  }

  /** Adds the last test of a file, which asserts that each operation of its document was run exactly once. */
  expectAllOperationsOf(document: Specified['document']): void {
    test(`every operation of document ${document} is run exactly once`, () => {
      const all = operations.filter((row) => row.document === document).map(({ id }) => id);
      expect(this.#walked.toSorted()).toEqual(all.toSorted());
    });
  }

  /** Returns rows from the sandbox's own pages outside the API. */
  async sandboxRows(path: string): Promise<Row[]> {
    const reply = await fetch(`${this.sandbox.url}/-/sandbox/${path}`);
    return (await reply.json()) as Row[];
  }

  /** Returns a record as the administrator reads it without the client. */
  async read(path: string): Promise<Row> {
    const headers = { 'PRIVATE-TOKEN': this.sandbox.tokens.administrator };
    const reply = await fetch(`${this.sandbox.url}/api/v4${path}`, { headers });
    return (await reply.json()) as Row;
  }
}

function isOf({ method, path }: KnownOperation, entry: { method: string; path: string }): boolean {
  const pattern = path.split('/').map((part) => (part.startsWith(':') ? '(?!self(?:/|$))[^/]+' : part));
  return (
    entry.method === method &&
    new RegExp(`^/api/v4${pattern.join('/')}$`).test(entry.path.split('?')[0] ?? '')
  );
}
