/**
 * @file Walking the operations with a client that is not ours. Each step counts only when the sandbox's own log holds the
 * request of that operation, answered well.
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

  /** One sandbox for the tests of a file, which walk it in order. @param options asked for when it is started. */
  static ofFile(options: () => Partial<SandboxOptions>): GitbeakerWalk {
    const walk = new GitbeakerWalk();
    beforeAll(async () => {
      walk.#sandbox = await startSandbox({ clock: systemClock, ...options() });
    });
    afterAll(() => walk.sandbox.close());
    return walk;
  }

  get sandbox(): Sandbox {
    if (this.#sandbox === null) throw new Error('The sandbox is not there yet.');
    return this.#sandbox;
  }

  /** The client as one of the sandbox's users. Its own waiting between requests is off: it would slow the polling down. */
  as(who: keyof SandboxTokens): Client {
    return this.with(this.sandbox.tokens[who]);
  }

  with(token: string): Client {
    return new Gitlab({ host: this.sandbox.url, token, rateLimits: { '**': 10_000 } });
  }

  /** One step: `call` says what it is called through, `steps` must send the operation's request. */
  step(id: OperationId, call: string, steps: () => Promise<void>): void {
    this.#walked.push(id);
    test(`${id} by ${call}`, async () => {
      const before = this.sandbox.requests.length;
      await steps();
      const answers = (): (number | null)[] =>
        this.sandbox.requests
          .slice(before)
          .filter((entry) => isOf(operation(id), entry))
          .map(({ status }) => status);
      // The log is written once the answer is out, which the client may have read by then.
      await expect
        .poll(answers, { message: 'what the sandbox answered' })
        .toContain(specified[id].answers[0]);
    });
  }

  /** A step that the client has no function for, and why not. */
  lacking(id: OperationId, reason: string, steps: () => Promise<void>): void {
    this.step(id, `the generic requester, for ${reason}`, steps);
  }

  /** The last test of a file: the operations of its document are all walked, once each. */
  endsWithAllOf(document: Specified['document']): void {
    test(`every operation of document ${document} is walked`, () => {
      const all = operations.filter((row) => row.document === document).map(({ id }) => id);
      expect(this.#walked.toSorted()).toEqual(all.toSorted());
    });
  }

  /** What the sandbox tells of itself outside its API. */
  async behind(path: string): Promise<Row[]> {
    const reply = await fetch(`${this.sandbox.url}/-/sandbox/${path}`);
    return (await reply.json()) as Row[];
  }

  /** A record as the administrator reads it without the client. */
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
