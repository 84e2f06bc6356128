/**
 * @file A sandbox with every object that the operations need, and each operation as one request. Consumed objects, such
 * as a project to delete, are created for each request.
 */
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, vi } from 'vitest';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../src-main/sandbox/sandbox.ts';
import { s3Keys, startS3, type S3Server } from '../servers/s3-server.ts';

export type Row = Record<string, unknown>;
export type Account = 'administrator' | 'maintainer';

export interface Reply {
  status: number;
  body: unknown;
}

const key = 'exports/compass.tar.gz';
const poll = { interval: 5, timeout: 20_000 };

export class OpenApiScene {
  readonly sandbox: Sandbox;
  readonly storage: S3Server;
  /** An export with a milestone that every import refuses. */
  #archive = new Uint8Array();
  #fileUrl = '';
  #closeServer: () => void = () => undefined;
  #names = 0;
  /** A fork in a personal namespace, shared, starred, with an upload, custom attributes and an export. */
  project = 0;
  /** A project whose import failed in part. */
  imported = 0;

  /** Another fork, for edits. */
  edited = 0;

  private constructor(sandbox: Sandbox, storage: S3Server) {
    this.sandbox = sandbox;
    this.storage = storage;
  }

  static async open(options: Partial<SandboxOptions> = {}): Promise<OpenApiScene> {
    const storage = await startS3();
    const sandbox = await startSandbox({
      clock: systemClock,
      projectCount: 7,
      tier: 'ultimate',
      showsFailureMessages: true,
      s3Endpoint: storage.url,
      ...options,
    });
    const scene = new OpenApiScene(sandbox, storage);
    await scene.#exportCompass();
    await scene.#serveArchive();
    await scene.#fill();
    return scene;
  }

  async close(): Promise<void> {
    this.#closeServer();
    await Promise.all([this.sandbox.close(), this.storage.close()]);
  }

  /** Returns an unused name. */
  name(): string {
    this.#names += 1;
    return `described-${this.#names}`;
  }

  /** Sends a form or JSON. Redirects are not followed. */
  async send(who: Account | { token: string }, method: string, path: string, body?: unknown): Promise<Reply> {
    const isForm = body instanceof FormData;
    const reply = await fetch(`${this.sandbox.url}/api/v4${path}`, {
      method,
      redirect: 'manual',
      headers: {
        'PRIVATE-TOKEN': typeof who === 'string' ? this.sandbox.tokens[who] : who.token,
        ...(body === undefined || isForm ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    const isJson = (reply.headers.get('content-type') ?? '').startsWith('application/json');
    const text = await reply.text();
    return { status: reply.status, body: isJson && text !== '' ? (JSON.parse(text) as unknown) : text };
  }

  async row(method: string, path: string, body?: unknown): Promise<Row> {
    const answer = await this.send('administrator', method, path, body);
    expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body as Row;
  }

  async newProject(fields: Row = {}): Promise<number> {
    return Number((await this.row('POST', '/projects', { name: this.name(), ...fields }))['id']);
  }

  /** Returns a form with an archive and other fields. */
  upload(fields: Record<string, string>): FormData {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    form.set('file', new Blob([this.#archive]), 'a.tar.gz');
    return form;
  }

  /** Returns the three requests that import a project, with their required fields. */
  imports(): Record<string, { path: string; body: Row | FormData }> {
    const name = { path: this.name() };
    return {
      'POST /projects/import': { path: '/projects/import', body: this.upload(name) },
      'POST /projects/remote-import': {
        path: '/projects/remote-import',
        body: { path: this.name(), url: this.#fileUrl },
      },
      'POST /projects/remote-import-s3': {
        path: '/projects/remote-import-s3',
        body: {
          path: this.name(),
          region: this.storage.region,
          bucket_name: this.storage.bucket,
          file_key: key,
          access_key_id: s3Keys.accessKeyId,
          secret_access_key: s3Keys.secretAccessKey,
        },
      },
    };
  }

  async importEnd(id: number): Promise<void> {
    const hasEnded = async () =>
      (await this.row('GET', `/projects/${id}/import`))['import_status'] === 'finished';
    await vi.waitUntil(hasEnded, poll);
  }

  async token(): Promise<{ id: number; token: string }> {
    const body = { name: this.name(), scopes: ['api'] };
    return (await this.row('POST', '/users/1/personal_access_tokens', body)) as never;
  }

  async branches(project: number): Promise<unknown[]> {
    const rows = (await this.row('GET', `/projects/${project}/repository/branches`)) as unknown as Row[];
    return rows.map((row) => row['name']);
  }

  async #export(project: string): Promise<void> {
    await this.row('POST', `${project}/export`);
    const isFinished = async () =>
      (await this.row('GET', `${project}/export`))['export_status'] === 'finished';
    await vi.waitUntil(isFinished, poll);
  }

  async #exportCompass(): Promise<void> {
    const compass = '/projects/atlas%2Fcompass';
    this.sandbox.state.append('atlas/compass', 'milestones', { title: null, iid: 999 });
    await this.#export(compass);
    const headers = { 'PRIVATE-TOKEN': this.sandbox.tokens.administrator };
    const reply = await fetch(`${this.sandbox.url}/api/v4${compass}/export/download`, { headers });
    this.#archive = new Uint8Array(await reply.arrayBuffer());
  }

  async #serveArchive(): Promise<void> {
    const archive = this.#archive;
    await this.storage.put(key, Buffer.from(archive), 'application/gzip');
    const server = createServer(({ method }, reply) => {
      reply.writeHead(200, { 'content-type': 'application/gzip', 'content-length': archive.length });
      reply.end(method === 'GET' ? archive : undefined);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    this.#fileUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.tar.gz`;
    this.#closeServer = () => server.close();
  }

  async #fork(): Promise<number> {
    const names = { path: this.name(), name: this.name() };
    const { id } = await this.row('POST', '/projects/atlas%2Fcompass/fork', names);
    await this.importEnd(Number(id));
    return Number(id);
  }

  async #fill(): Promise<void> {
    [this.project, this.edited] = [await this.#fork(), await this.#fork()];
    const group = await this.row('GET', '/groups/borealis');
    const at = `/projects/${this.project}`;
    await this.row('POST', `${at}/share`, { group_id: group['id'], group_access: 30 });
    await this.row('POST', `${at}/star`);
    await this.row('PUT', `${at}/custom_attributes/colour`, { value: 'red' });
    await this.row('POST', `${at}/uploads`, this.upload({}));
    await this.#export(at);
    const record = await this.row('POST', '/projects/import', this.upload({ path: this.name() }));
    this.imported = Number(record['id']);
    await this.importEnd(this.imported);
  }
}

/** Sends one valid request of an operation. */
export function requestOf(scene: OpenApiScene, operation: string, who: Account): Promise<Reply> {
  const send = async (method: string, path: string, body?: unknown) => scene.send(who, method, path, body);
  const at = `/projects/${scene.project}`;
  const all = 'per_page=100&statistics=true&with_custom_attributes=true';
  const fresh = async (call: (path: string) => Promise<Reply>, fields: Row = {}) =>
    call(`/projects/${await scene.newProject(fields)}`);
  const firstUpload = async () =>
    String(((await scene.row('GET', `${at}/uploads`)) as unknown as Row[])[0]?.['id']);
  const relation = () =>
    send(
      'POST',
      '/projects/import-relation',
      scene.upload({ path: 'atlas/compass', relation: 'milestones' }),
    );
  const requests: Record<string, () => Promise<Reply>> = {
    'GET /projects': () => send('GET', `/projects?${all}`),
    'GET /users/{user_id}/projects': () => send('GET', `/users/root/projects?${all}`),
    'GET /users/{user_id}/contributed_projects': () => send('GET', '/users/root/contributed_projects'),
    'GET /users/{user_id}/starred_projects': () => send('GET', `/users/root/starred_projects?${all}`),
    'GET /projects/{id}/forks': () => send('GET', `/projects/atlas%2Fcompass/forks?${all}`),
    'GET /projects/{id}': () => send('GET', `${at}?statistics=true&license=true&with_custom_attributes=true`),
    'GET /projects/{id}/users': () => send('GET', `${at}/users`),
    'GET /projects/{id}/groups': () => send('GET', `${at}/groups?with_shared=true`),
    'GET /projects/{id}/share_locations': () => send('GET', `${at}/share_locations`),
    'GET /projects/{id}/starrers': () => send('GET', `${at}/starrers`),
    'GET /projects/{id}/languages': () => send('GET', `${at}/languages`),
    'POST /projects': () => send('POST', '/projects', { name: scene.name() }),
    'POST /projects/user/{user_id}': () => send('POST', '/projects/user/5', { name: scene.name() }),
    'PUT /projects/{id}': () => send('PUT', at, { description: 'edited' }),
    'POST /projects/{id}/fork': () =>
      send('POST', '/projects/atlas%2Fcompass/fork', { path: scene.name(), name: scene.name() }),
    'POST /projects/{id}/star': async () => {
      await send('POST', `${at}/unstar`);
      return send('POST', `${at}/star`);
    },
    'POST /projects/{id}/unstar': async () => {
      const answer = await send('POST', `${at}/unstar`);
      await send('POST', `${at}/star`);
      return answer;
    },
    'POST /projects/{id}/archive': () => send('POST', `${at}/archive`),
    'POST /projects/{id}/unarchive': () => send('POST', `${at}/unarchive`),
    'DELETE /projects/{id}': () => fresh((path) => send('DELETE', path)),
    'POST /projects/{id}/restore': async () => {
      await send('DELETE', at);
      return send('POST', `${at}/restore`);
    },
    'POST /projects/{id}/uploads': () => send('POST', `${at}/uploads`, scene.upload({})),
    'GET /projects/{id}/uploads': () => send('GET', `${at}/uploads`),
    'GET /projects/{id}/uploads/{upload_id}': async () => send('GET', `${at}/uploads/${await firstUpload()}`),
    'POST /projects/{id}/export': () => fresh((path) => send('POST', `${path}/export`)),
    'GET /projects/{id}/export': () => send('GET', `${at}/export`),
    'GET /projects/{id}/export/download': () => send('GET', `${at}/export/download`),
    'POST /projects/import-relation': relation,
    'GET /projects/{id}/relation-imports': () => send('GET', '/projects/atlas%2Fcompass/relation-imports'),
    'GET /projects/{id}/import': () => send('GET', `/projects/${scene.imported}/import`),
    'GET /personal_access_tokens': () => send('GET', '/personal_access_tokens'),
    'GET /personal_access_tokens/{id}': async () =>
      send('GET', `/personal_access_tokens/${(await scene.token()).id}`),
    'GET /personal_access_tokens/self': () => send('GET', '/personal_access_tokens/self'),
    'POST /personal_access_tokens/{id}/rotate': async () =>
      send('POST', `/personal_access_tokens/${(await scene.token()).id}/rotate`),
    'POST /personal_access_tokens/self/rotate': async () =>
      scene.send(await scene.token(), 'POST', '/personal_access_tokens/self/rotate'),
    'DELETE /personal_access_tokens/{id}': async () =>
      send('DELETE', `/personal_access_tokens/${(await scene.token()).id}`),
    'DELETE /personal_access_tokens/self': async () =>
      scene.send(await scene.token(), 'DELETE', '/personal_access_tokens/self'),
  };
  const form = scene.imports()[operation];
  const request = requests[operation];
  if (form !== undefined) return send('POST', form.path, form.body);
  if (request === undefined) throw new Error(`There is no request for ${operation}.`);
  return request();
}
