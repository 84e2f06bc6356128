import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { startSandbox } from '../../../src-main/sandbox/sandbox.ts';
import { at, Conformance, type Reply, type Row, type Account } from '../../support/conformance.ts';
import { exportArchive, lines } from '../../support/archives/export-archive.ts';
import { SandboxCalls } from '../../support/servers/sandbox-calls.ts';

const harness = Conformance.ofFile();
let pathCount = 0;

function form(archive: Buffer | null, fields: Record<string, string>): FormData {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  if (archive !== null) body.set('file', new Blob([Uint8Array.from(archive)]), 'a.tar.gz');
  return body;
}

const send = (who: Account, archive: Buffer | null, fields: Record<string, string>): Promise<Reply> =>
  harness.post(who, '/projects/import', form(archive, fields));

/** Waits until the import has ended, and returns its status record. */
async function finishedImport(who: Account, { status, body }: Reply): Promise<Row> {
  expect(status, JSON.stringify(body)).toBe(201);
  const path = `/projects/${String((body as Row)['id'])}/import`;
  const read = () => harness.row(who, path);
  await expect.poll(async () => (await read())['import_status'], { interval: 5 }).toMatch(/finished|failed/);
  return read();
}

const validArchive = (): Promise<Buffer> =>
  exportArchive({
    'tree/project.json': '{"description":"From the archive","visibility_level":0}',
    'tree/project/issues.ndjson': lines({ title: 'One', iid: 1 }),
  });
const newPath = (): string => `imported-${++pathCount}`;

describe('import-file', () => {
  test('import-file returns 201 with the record in the state scheduled', async () => {
    const path = newPath();
    const answer = await send('maintainer', await validArchive(), { path, namespace: 'atlas' });

    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.any(Number) as unknown,
      description: null,
      name: path,
      name_with_namespace: `Atlas / ${path}`,
      path,
      path_with_namespace: `atlas/${path}`,
      created_at: expect.any(String) as unknown,
      import_status: 'scheduled',
      import_type: 'gitlab_project',
      correlation_id: expect.any(String) as unknown,
      failed_relations: [],
      import_error: null,
      stats: null,
    });
    await finishedImport('maintainer', answer);
  });

  test.each(['namespace', 'namespace_id', 'namespace_path'])(
    'import-file imports into the group that %s gives',
    async (name) => {
      const value = name === 'namespace_path' ? 'atlas/tools' : String(await harness.groupId('atlas/tools'));
      const record = await finishedImport(
        'maintainer',
        await send('maintainer', await validArchive(), { path: newPath(), [name]: value }),
      );

      expect(record['path_with_namespace']).toMatch(/^atlas\/tools\//);
    },
  );

  test('import-file uses name as the name of the project, or the path if none is given', async () => {
    const path = newPath();
    const record = await finishedImport(
      'maintainer',
      await send('maintainer', await validArchive(), { path, name: 'A Name' }),
    );

    const unnamed = newPath();
    const other = await finishedImport(
      'maintainer',
      await send('maintainer', await validArchive(), { path: unnamed }),
    );

    expect(record).toMatchObject({ name: 'A Name', path_with_namespace: `maintainer/${path}` });
    expect(other).toMatchObject({ name: unnamed, path_with_namespace: `maintainer/${unnamed}` });
  });

  test('import-file lets any attribute of override_params win over the archive, except blank ones', async () => {
    const path = newPath();
    await finishedImport(
      'maintainer',
      await send('maintainer', await validArchive(), {
        path,
        'override_params[visibility]': 'internal',
        'override_params[issues_access_level]': 'private',
        'override_params[topics][]': 'moved',
        'override_params[description]': '',
      }),
    );

    expect(await harness.row('maintainer', at(`maintainer/${path}`))).toMatchObject({
      description: 'From the archive',
      visibility: 'internal',
      issues_access_level: 'private',
      topics: ['moved'],
    });
  });

  test('import-file returns 400 for override_params with invalid values', async () => {
    const fields = { path: newPath(), 'override_params[visibility]': 'secret' };

    expect(await send('maintainer', await validArchive(), fields)).toMatchObject({
      status: 400,
      body: { error: 'override_params[visibility] does not have a valid value' },
    });
  });

  test('import-file with overwrite gives the path to a project with a new ID; other projects keep their paths', async () => {
    const path = newPath();
    const fields = { path, namespace: 'atlas' };
    const old = await finishedImport(
      'administrator',
      await send('administrator', await validArchive(), fields),
    );
    const { state } = harness.sandbox;
    const paths = state.paths;
    const answer = await send('administrator', await validArchive(), { ...fields, overwrite: 'true' });

    expect((answer.body as Row)['path']).toMatch(new RegExp(`^${path}-[0-9a-f]{32}$`));
    const record = await finishedImport('administrator', answer);
    expect(record).toMatchObject({ path_with_namespace: `atlas/${path}`, import_status: 'finished' });
    expect(record['id']).not.toBe(old['id']);
    expect(state.paths.toSorted()).toEqual(paths.toSorted());
  });

  test('import-file with overwrite fails during the import if the caller does not own the namespace', async () => {
    const path = newPath();
    const fields = { path, namespace: 'atlas' };
    const old = await finishedImport('maintainer', await send('maintainer', await validArchive(), fields));
    const record = await finishedImport(
      'maintainer',
      await send('maintainer', await validArchive(), { ...fields, overwrite: 'true' }),
    );

    expect(record['import_error']).toMatch(/ - User maintainer cannot overwrite a project in atlas$/);
    expect(await harness.row('maintainer', at(`atlas/${path}`))).toMatchObject({ id: old['id'] });
  });

  test.each<[string, Account, Record<string, string>, number, unknown]>([
    ['without a token', 'anonymous', {}, 401, { message: '401 Unauthorized' }],
    [
      'with an insufficient scope',
      'readOnly',
      {},
      403,
      expect.objectContaining({ error: 'insufficient_scope' }),
    ],
    [
      'into an unknown namespace',
      'maintainer',
      { namespace: 'nowhere' },
      404,
      { message: '404 Namespace Not Found' },
    ],
    [
      'by a role below Maintainer',
      'developer',
      { namespace: 'atlas' },
      400,
      { message: 'User is not allowed to import projects' },
    ],
    [
      'into a namespace where nobody may import',
      'maintainer',
      { namespace: 'frozen' },
      400,
      { message: 'User is not allowed to import projects' },
    ],
    [
      'with a taken path',
      'maintainer',
      { namespace: 'atlas', path: 'compass' },
      400,
      { message: 'Path has already been taken' },
    ],
    [
      'with a taken name',
      'maintainer',
      { namespace: 'atlas', name: 'compass' },
      400,
      { message: 'Name has already been taken' },
    ],
    ['with a blank path', 'maintainer', { path: '' }, 400, { message: "Path can't be blank" }],
    ['with a reserved path', 'maintainer', { path: 'wikis' }, 400, { message: 'wikis is a reserved name' }],
    [
      'with an invalid name',
      'maintainer',
      { name: '*' },
      400,
      { message: expect.stringMatching(/^Name can contain only/) as unknown },
    ],
  ])('import-file rejects a request %s', async (_what, who, fields, status, body) => {
    const answer = await send(who, await validArchive(), { path: newPath(), ...fields });

    expect({ status: answer.status, body: answer.body }).toEqual({ status, body });
  });

  test('import-file returns 400 without a file and a path', async () => {
    expect(await send('maintainer', null, {})).toMatchObject({
      status: 400,
      body: { error: 'path is missing, file is missing' },
    });
  });

  test('import-file with a bot’s token fails during the import', async () => {
    const record = await finishedImport('bot', await send('bot', await validArchive(), { path: newPath() }));

    expect(record['import_error']).toMatch(/User project bots cannot be added to other groups \/ projects$/);
  });

  test('import-file returns 403 if the import source is disabled, and 413 above max_import_size', async () => {
    const sandbox = await startSandbox({
      clock: systemClock,
      disabledFeatures: ['import'],
      maxImportSize: 100,
    });
    onTestFinished(() => sandbox.close());
    const calls = new SandboxCalls(sandbox);

    expect(await calls.startImport(Buffer.alloc(50), { path: 'a' })).toMatchObject({ status: 403 });
    expect(await calls.startImport(Buffer.alloc(101), { path: 'a' })).toEqual({
      status: 413,
      body: 'Request Entity Too Large',
    });
  });
});

describe('get-import-status', () => {
  test('get-import-status returns fetched and imported counts for an import from another code host', async () => {
    const record = await harness.row('maintainer', `${at('atlas/tools/caravan')}/import`);
    const keys = 'diff_note issue label note pull_request pull_request_merged_by pull_request_review'.split(
      ' ',
    );
    const stats = record['stats'] as Record<'fetched' | 'imported', Record<string, number>>;

    expect(record).toMatchObject({ import_type: 'github', import_status: 'finished' });
    for (const counts of [stats.fetched, stats.imported]) expect(Object.keys(counts).sort()).toEqual(keys);
    expect(stats.fetched['note']).toBe((stats.imported['note'] ?? 0) + 1);
  });

  test('get-import-status returns none for a project that was not imported, and 404 for an unseen one', async () => {
    const path = `${at('atlas/compass')}/import`;

    expect(await harness.row('guest', path)).toMatchObject({
      import_status: 'none',
      import_error: null,
      stats: null,
    });
    expect(await harness.send('outsider', path)).toMatchObject({ status: 404 });
    expect(await harness.send('anonymous', path)).toMatchObject({ status: 401 });
  });
});
