/** @file Plain requests to a sandbox as each of its users, for the conformance suite. */
import { afterAll, beforeAll, expect } from 'vitest';
import { systemClock } from '../../src-main/platform/clock.ts';
import type { SandboxTokens } from '../../src-main/sandbox/accounts/accounts.ts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../src-main/sandbox/sandbox.ts';

export type Row = Record<string, unknown>;

/** A user with a prepared token, or no user. */
export type Account = keyof SandboxTokens | 'anonymous';

export interface Reply {
  status: number;
  headers: Headers;
  /** Parsed JSON, otherwise text; null without a body. */
  body: unknown;
}

export interface RequestOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Sent as JSON, unless it is a form. */
  body?: unknown;
  headers?: Record<string, string>;
}

export class Conformance {
  #sandbox: Sandbox | null = null;

  /** Opens one sandbox for the tests of a file. Redirects are not followed. */
  static ofFile(options: Partial<SandboxOptions> = {}): Conformance {
    const conformance = new Conformance();
    beforeAll(async () => {
      conformance.#sandbox = await startSandbox({ clock: systemClock, projectCount: 8, ...options });
    });
    afterAll(() => conformance.sandbox.close());
    return conformance;
  }

  get sandbox(): Sandbox {
    if (this.#sandbox === null) throw new Error('The sandbox has not started yet.');
    return this.#sandbox;
  }

  async send(
    who: Account,
    path: string,
    { method = 'GET', body, headers = {} }: RequestOptions = {},
  ): Promise<Reply> {
    const token = who === 'anonymous' ? {} : { 'PRIVATE-TOKEN': this.sandbox.tokens[who] };
    const isForm = body instanceof FormData || body instanceof URLSearchParams;
    const json = body === undefined || isForm ? {} : { 'Content-Type': 'application/json' };
    const reply = await fetch(`${this.sandbox.url}/api/v4${path}`, {
      method,
      redirect: 'manual',
      headers: { ...token, ...json, ...headers },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await reply.text();
    const isJson = (reply.headers.get('content-type') ?? '').startsWith('application/json');
    const parsed: unknown = isJson ? JSON.parse(text) : text;
    return { status: reply.status, headers: reply.headers, body: text === '' ? null : parsed };
  }

  post(who: Account, path: string, body?: unknown): Promise<Reply> {
    return this.send(who, path, body === undefined ? { method: 'POST' } : { method: 'POST', body });
  }

  put(who: Account, path: string, body: unknown): Promise<Reply> {
    return this.send(who, path, { method: 'PUT', body });
  }

  delete(who: Account, path: string, body?: unknown): Promise<Reply> {
    return this.send(who, path, body === undefined ? { method: 'DELETE' } : { method: 'DELETE', body });
  }

  /** Returns the object of a read that must succeed. */
  async row(who: Account, path: string): Promise<Row> {
    const { status, body } = await this.send(who, path);
    expect(status, path).toBe(200);
    return body as Row;
  }

  /** Returns the rows of a list that must succeed. */
  async rows(who: Account, path: string): Promise<Row[]> {
    return (await this.row(who, path)) as unknown as Row[];
  }

  /** Returns one field of every row of a list of at most a hundred. */
  async list(who: Account, path: string, field = 'path'): Promise<unknown[]> {
    const full = `${path}${path.includes('?') ? '&' : '?'}per_page=100`;
    return (await this.rows(who, full)).map((row) => row[field]);
  }

  /** Creates a project, in the maintainer's own namespace unless the body or `who` names another one. */
  async createProject(
    body: Row,
    who: Account = 'maintainer',
  ): Promise<Row & { id: number; path_with_namespace: string }> {
    const answer = await this.post(who, '/projects', body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body as Row & { id: number; path_with_namespace: string };
  }

  async userId(username: string): Promise<number> {
    const [user] = await this.rows('administrator', `/users?username=${username}`);
    return Number(user?.['id']);
  }

  async groupId(path: string): Promise<number> {
    return Number((await this.row('administrator', `/groups/${encodeURIComponent(path)}`))['id']);
  }
}

/** Returns the address of a project by its full path. */
export function at(fullPath: string): string {
  return `/projects/${encodeURIComponent(fullPath)}`;
}
