import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { startSandbox, type Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { systemClock } from '../../../src-main/platform/clock.ts';
import type { Fault } from '../../../src-main/sandbox/faults/fault-kinds.ts';
import { exportArchive, lines } from '../../support/archives/export-archive.ts';
import { projectUrl, SandboxCalls } from '../../support/servers/sandbox-calls.ts';

const compass = 'atlas/compass';
const busy = 'A relation import is already in progress for this project';
const poll = { interval: 5, timeout: 10_000 };
let archive: Buffer;

beforeEach(async () => {
  const issues = lines({ title: 'Known', iid: 1 }, { title: 'New', iid: 900 }, { title: null, iid: 901 });
  archive = await exportArchive({ 'tree/project/issues.ndjson': issues });
});

async function openSandbox(...faults: Fault[]): Promise<Sandbox> {
  const sandbox = await startSandbox({ clock: systemClock, projectCount: 2, faults });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

async function send(
  sandbox: Sandbox,
  fields: Record<string, string> = {},
  { token = sandbox.tokens.maintainer, file = archive, name = 'a.tar.gz' } = {},
): Promise<{ status: number; body: unknown }> {
  const form = new FormData();
  for (const [key, value] of Object.entries({ path: compass, relation: 'issues', ...fields }))
    form.set(key, value);
  form.set('file', new Blob([Uint8Array.from(file)]), name);
  const reply = await new SandboxCalls(sandbox, token).fetch('/projects/import-relation', {
    method: 'POST',
    body: form,
  });
  return { status: reply.status, body: await reply.json() };
}

const list = async (sandbox: Sandbox): Promise<Record<string, unknown>[]> =>
  (await new SandboxCalls(sandbox).get(`${projectUrl(compass)}/relation-imports`)) as never;
const members = async (sandbox: Sandbox): Promise<Record<string, unknown>[]> =>
  (await new SandboxCalls(sandbox).get(`${projectUrl(compass)}/members`)) as never;
const lastStatus = async (sandbox: Sandbox): Promise<unknown> => (await list(sandbox)).at(-1)?.['status'];

describe('import-relation', () => {
  test('import-relation returns 201 created, then finishes; it adds records with a new iid and changes nothing else', async () => {
    const sandbox = await openSandbox();
    const before = await sandbox.state.project(compass);
    const { status, body } = await send(sandbox);

    expect(status).toBe(201);
    expect(body).toMatchObject({ project_path: compass, relation: 'issues', status: 'created' });
    await expect.poll(() => lastStatus(sandbox), poll).toBe('finished');
    const after = await sandbox.state.project(compass);
    const issues = before.relations['issues'] ?? [];
    expect(after.relations['issues']).toEqual([...issues, { title: 'New', iid: 900 }]);
    expect({ ...after.relations, issues: null }).toEqual({ ...before.relations, issues: null });
  });

  test('import-relation adds nothing the second time', async () => {
    const sandbox = await openSandbox();
    for (const _time of [1, 2]) {
      await send(sandbox);
      await expect.poll(() => lastStatus(sandbox), poll).toBe('finished');
    }
    const titles = (await sandbox.state.project(compass)).relations['issues']?.map((row) => row['title']);

    expect(titles?.filter((title) => title === 'New')).toEqual(['New']);
  });

  test('import-relation reports no failures; only the ledger of the sandbox contains the rejected record', async () => {
    const sandbox = await openSandbox();
    await send(sandbox);
    await expect.poll(() => lastStatus(sandbox), poll).toBe('finished');

    expect(await new SandboxCalls(sandbox).get(`${projectUrl(compass)}/import`)).toMatchObject({
      failed_relations: [],
    });
    expect(sandbox.state.losses).toMatchObject([{ relation: 'issues', line: 2, listed: false }]);
  });

  test.each(['milestones', 'ci_pipelines', 'merge_requests'])(
    'import-relation finishes without an error if the archive lacks %s',
    async (relation) => {
      const sandbox = await openSandbox();
      expect((await send(sandbox, { relation })).status).toBe(201);

      await expect.poll(() => lastStatus(sandbox), poll).toBe('finished');
    },
  );

  test('import-relation never ends for a file that is not an archive, and returns 409 for other imports', async () => {
    const sandbox = await openSandbox();
    const before = await members(sandbox);
    await send(sandbox, {}, { file: Buffer.from('no archive') });

    await expect.poll(() => lastStatus(sandbox), poll).toBe('started');
    await expect.poll(() => members(sandbox), poll).not.toEqual(before);
    expect(await send(sandbox)).toEqual({ status: 409, body: { message: busy } });
  });

  test('import-relation finishes without an error or a new record if a line of the relation is not JSON', async () => {
    const sandbox = await openSandbox();
    const file = await exportArchive({ 'tree/project/issues.ndjson': '{"iid":900,"title":"New"}\n\n' });
    const before = await sandbox.state.project(compass);
    await send(sandbox, {}, { file });

    await expect.poll(() => lastStatus(sandbox), poll).toBe('finished');
    expect((await sandbox.state.project(compass)).relations['issues']).toEqual(before.relations['issues']);
  });

  test('import-relation assigns the attributes of the archive to the project, and none if their object is empty', async () => {
    const sandbox = await openSandbox();
    const calls = new SandboxCalls(sandbox);
    const readAttributes = async () => {
      const {
        visibility,
        archived,
        description,
        only_allow_merge_if_pipeline_succeeds: merge,
      } = (await calls.get(projectUrl(compass))) as Record<string, unknown>;
      return { visibility, archived, description, merge };
    };
    await calls.call(projectUrl(compass), 'PUT', { visibility: 'private', description: 'mine' });
    const before = await readAttributes();
    await send(sandbox);
    await expect.poll(() => lastStatus(sandbox), poll).toBe('finished');
    expect(await readAttributes()).toEqual(before);
    const attributes = {
      ...{ visibility_level: 20, archived: true, description: 'd' },
      only_allow_merge_if_pipeline_succeeds: true,
    };
    const file = await exportArchive({ 'tree/project.json': JSON.stringify(attributes) });
    await send(sandbox, {}, { file });
    await expect.poll(async () => (await list(sandbox)).length, poll).toBe(2);
    await expect.poll(() => lastStatus(sandbox), poll).toBe('finished');

    expect(await readAttributes()).toEqual({
      visibility: 'public',
      archived: true,
      description: 'd',
      merge: true,
    });
  });

  test('import-relation removes all direct members unless the first one is the importer as Maintainer', async () => {
    const sandbox = await openSandbox();
    const administrator = new SandboxCalls(sandbox, sandbox.tokens.administrator);
    const { id } = (await new SandboxCalls(sandbox).get('/user')) as { id: number };
    const guest = (await administrator.get('/users?username=guest')) as { id: number }[];
    const added = { user_id: guest[0]?.id, access_level: 30 };
    await administrator.call(`${projectUrl(compass)}/members`, 'POST', added);
    expect((await members(sandbox)).map(({ username }) => username)).toEqual(['root', 'guest']);
    await send(sandbox);
    await expect.poll(() => lastStatus(sandbox), poll).toBe('finished');
    expect(await members(sandbox)).toMatchObject([{ id, access_level: 40 }]);
    await administrator.call(`${projectUrl(compass)}/members`, 'POST', added);
    await send(sandbox);
    await expect.poll(async () => (await list(sandbox)).length, poll).toBe(2);
    await expect.poll(() => lastStatus(sandbox), poll).toBe('finished');

    expect((await members(sandbox)).map(({ username }) => username)).toEqual(['maintainer', 'guest']);
  });

  test('import-relation maps authors by the members of the same archive, and replaces the others by the importer', async () => {
    const sandbox = await openSandbox();
    const { developer, administrator } = sandbox.tokens;
    const account = (await new SandboxCalls(sandbox, developer).get('/user')) as Record<string, unknown>;
    const member = {
      access_level: 50,
      user: { id: 900_001, username: 'elsewhere', public_email: account['email'] },
    };
    const issues = lines(
      { title: 'By a member', iid: 900, author_id: 900_001, notes: [{ note: 'x', author_id: 900_002 }] },
      { title: 'By another', iid: 901, author_id: 900_002 },
    );
    const only = await exportArchive({ 'tree/project/issues.ndjson': issues });
    const file = await exportArchive({
      'tree/project/issues.ndjson': issues.replaceAll('"iid":90', '"iid":80'),
      'tree/project/project_members.ndjson': lines(member),
    });
    for (const archived of [only, file]) {
      await send(sandbox, {}, { token: administrator, file: archived });
      await expect.poll(() => lastStatus(sandbox), poll).toBe('finished');
    }
    const listed = (await new SandboxCalls(sandbox).get(`${projectUrl(compass)}/issues?per_page=100`)) as {
      iid: number;
      author: { username: string };
    }[];
    const authors = new Map(listed.map(({ iid, author }) => [iid, author.username]));

    expect([900, 901, 800, 801].map((iid) => authors.get(iid))).toEqual([
      ...['root', 'root'],
      ...[account['username'], 'root'],
    ]);
    expect((await members(sandbox)).at(-1)).toMatchObject({ id: account['id'], access_level: 40 });
  });

  test('import-relation checks for errors in the order 404, 400, 403, 409', async () => {
    const sandbox = await openSandbox({
      match: { times: 1 },
      action: { kind: 'end-relation-import', as: 'stuck' },
    });
    const { developer, outsider } = sandbox.tokens;
    await send(sandbox);
    await expect.poll(() => lastStatus(sandbox), poll).toBe('started');
    const missing = { status: 404, body: { message: 'Project not found' } };

    expect(await send(sandbox, { path: 'atlas/none', relation: 'labels' })).toEqual(missing);
    expect(await send(sandbox, { relation: 'labels' }, { token: outsider })).toEqual(missing);
    expect(await send(sandbox, { relation: 'labels' }, { token: developer })).toEqual({
      status: 400,
      body: {
        message: 'Imported relation must be one of issues, merge_requests, milestones, or ci_pipelines',
      },
    });
    expect(await send(sandbox, {}, { token: developer })).toEqual({
      status: 403,
      body: { message: 'You are not authorized to perform this action' },
    });
    expect(await send(sandbox)).toEqual({ status: 409, body: { message: busy } });
  });

  test('import-relation returns 400 while the project itself is being imported', async () => {
    const sandbox = await openSandbox({
      match: { project: 'atlas/stuck' },
      action: { kind: 'end-import', as: 'stuck' },
    });
    await new SandboxCalls(sandbox).startImport(archive, { path: 'stuck', namespace: 'atlas' });

    expect(await send(sandbox, { path: 'atlas/stuck' })).toEqual({
      status: 400,
      body: {
        message:
          'Relation import could not be created: Relation import tracker cannot be created for project with ongoing import',
      },
    });
  });

  test('import-relation returns 422 before any other error for a file name without .gz', async () => {
    expect(await send(await openSandbox(), { path: 'nowhere' }, { name: 'a.tar' })).toMatchObject({
      status: 422,
    });
  });

  test('import-relation ends as failed if the server gives up, and stays created if no worker starts it', async () => {
    const failing = await openSandbox({ match: {}, action: { kind: 'end-relation-import', as: 'failed' } });
    await send(failing);
    await expect.poll(() => lastStatus(failing), poll).toBe('failed');

    const waiting = await openSandbox({
      match: {},
      action: { kind: 'end-relation-import', as: 'stuck', at: 'created' },
    });
    await send(waiting);
    expect((await list(waiting)).map((row) => row['status'])).toEqual(['created']);
  });
});

test('import-relation returns 409 for a second import while the first is created or started', async () => {
  for (const state of ['created', 'started'] as const) {
    const sandbox = await openSandbox({
      match: { times: 1 },
      action: { kind: 'end-relation-import', as: 'stuck', at: state },
    });
    await send(sandbox);
    await expect.poll(() => lastStatus(sandbox), poll).toBe(state);

    expect(await send(sandbox, { relation: 'milestones' })).toEqual({ status: 409, body: { message: busy } });
    expect(await list(sandbox)).toHaveLength(1);
  }
  const quick = await openSandbox();
  const [first, second] = await Promise.all([send(quick), send(quick, { relation: 'milestones' })]);
  expect([first.status, second.status].toSorted()).toEqual([201, 409]);
});

test('import-relation returns id, project_path, relation and status; only the list returns times', async () => {
  const sandbox = await openSandbox();
  const { body } = await send(sandbox);
  const shown = ['id', 'project_path', 'relation', 'status'];

  expect(Object.keys(body as object).toSorted()).toEqual(shown);
  expect(Object.keys((await list(sandbox))[0] ?? {}).toSorted()).toEqual(
    ['created_at', 'updated_at', ...shown].toSorted(),
  );
});

describe('list-relation-imports', () => {
  test('list-relation-imports returns 200 with all imports, without pagination', async () => {
    const sandbox = await openSandbox();
    await send(sandbox);
    await expect.poll(() => lastStatus(sandbox), poll).toBe('finished');
    await send(sandbox, { relation: 'milestones' });
    const reply = await new SandboxCalls(sandbox).fetch(`${projectUrl(compass)}/relation-imports?per_page=1`);

    expect(reply.headers.has('x-total')).toBe(false);
    const rows = (await reply.json()) as Record<string, unknown>[];
    expect(rows.map((row) => row['relation'])).toEqual(['issues', 'milestones']);
    expect(Object.keys(rows[0] ?? {}).sort()).toEqual(
      'created_at id project_path relation status updated_at'.split(' '),
    );
  });

  test('list-relation-imports returns 403 below Maintainer, and 404 if the caller cannot see the project', async () => {
    const sandbox = await openSandbox();
    const read = (token: string) =>
      new SandboxCalls(sandbox, token).call(`${projectUrl(compass)}/relation-imports`);

    expect(await read(sandbox.tokens.developer)).toEqual({
      status: 403,
      body: { message: '403 Forbidden - Project' },
    });
    expect(await read(sandbox.tokens.outsider)).toMatchObject({ status: 404 });
  });
});
