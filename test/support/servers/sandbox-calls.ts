/**
 * @file Plain calls to a sandbox as one of its users, for tests. Polls run without a delay, because the sandbox is
 * fast.
 */
import { expect } from 'vitest';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';

export interface ImportRecord {
  id: number;
  path_with_namespace: string;
  import_status: string;
  import_error: string | null;
  failed_relations: {
    id: number;
    exception_class: string;
    exception_message: string | null;
    source: string;
    relation_name: string;
    line_number: number;
  }[];
}

export class SandboxCalls {
  readonly #url: string;
  readonly #token: string | null;

  /** @param token null: no token; default: the maintainer's. */
  constructor(sandbox: Sandbox, token: string | null = sandbox.tokens.maintainer) {
    this.#url = `${sandbox.url}/api/v4`;
    this.#token = token;
  }

  /** Rejects after a minute without a complete response, so that the failed test names the request. */
  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (this.#token !== null) headers.set('PRIVATE-TOKEN', this.#token);
    try {
      return await fetch(`${this.#url}${path}`, { signal: AbortSignal.timeout(60_000), ...init, headers });
    } catch (error) {
      throw new Error(`${init.method ?? 'GET'} ${path} got no response.`, { cause: error });
    }
  }

  /** Resolves with the status and the parsed body. */
  async call(path: string, method = 'GET', body?: unknown): Promise<{ status: number; body: unknown }> {
    const init = body === undefined ? {} : { body: JSON.stringify(body), headers: jsonHeaders };
    const reply = await this.fetch(path, { method, ...init });
    return { status: reply.status, body: await reply.json() };
  }

  /** Resolves with the body of a request that must succeed. */
  async get(path: string): Promise<unknown> {
    const { status, body } = await this.call(path);
    expect(status, path).toBe(200);
    return body;
  }

  async total(path: string): Promise<number> {
    const reply = await this.fetch(`${path}${path.includes('?') ? '&' : '?'}per_page=1`);
    await reply.arrayBuffer();
    return Number(reply.headers.get('x-total'));
  }

  /** Resolves with the number of the project's labels without those of its group. @param project the project's URL. */
  async ownLabelCount(project: string): Promise<number> {
    const labels = await this.get(`${project}/labels?include_ancestor_groups=false&per_page=100`);
    return (labels as { is_project_label: boolean }[]).filter((label) => label.is_project_label).length;
  }

  async exportStatus(project: string): Promise<string> {
    const record = (await this.get(`${projectUrl(project)}/export`)) as { export_status: string };
    return record.export_status;
  }

  /** Starts an export, waits for it, and downloads the archive. */
  async exportArchive(project: string): Promise<Buffer> {
    expect((await this.call(`${projectUrl(project)}/export`, 'POST')).status).toBe(202);
    await expect.poll(() => this.exportStatus(project), poll).toBe('finished');
    const reply = await this.fetch(`${projectUrl(project)}/export/download`);
    return Buffer.from(await reply.arrayBuffer());
  }

  async startImport(
    archive: Buffer | null,
    fields: Record<string, string>,
    name = 'project_export.tar.gz',
  ): Promise<{ status: number; body: unknown }> {
    const form = new FormData();
    for (const [key, value] of Object.entries(fields)) form.set(key, value);
    if (archive !== null) form.set('file', new Blob([Uint8Array.from(archive)]), name);
    const reply = await this.fetch('/projects/import', { method: 'POST', body: form });
    const text = await reply.text();
    return { status: reply.status, body: text.startsWith('{') ? (JSON.parse(text) as unknown) : text };
  }

  /** Imports and waits for the end, successful or failed. */
  async importArchive(archive: Buffer, fields: Record<string, string>): Promise<ImportRecord> {
    const { status, body } = await this.startImport(archive, fields);
    expect(status, JSON.stringify(body)).toBe(201);
    return this.importEnd((body as ImportRecord).id);
  }

  async importEnd(id: number): Promise<ImportRecord> {
    const read = async () => (await this.get(`/projects/${id}/import`)) as ImportRecord;
    await expect.poll(async () => (await read()).import_status, poll).toMatch(/finished|failed/);
    return read();
  }
}

const poll = { interval: 5, timeout: 10_000 };
const jsonHeaders = { 'content-type': 'application/json' };

export function projectUrl(project: string): string {
  return `/projects/${encodeURIComponent(project)}`;
}
