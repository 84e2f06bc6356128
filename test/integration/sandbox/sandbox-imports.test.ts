import { readdirSync } from 'node:fs';
import { request } from 'node:http';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { startSandbox, type Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { exportWith, lfsObject, lfsOid, member } from '../../support/archives/archive-builder.ts';
import { exportArchive, lines } from '../../support/archives/export-archive.ts';
import { projectUrl, SandboxCalls, type ImportRecord } from '../../support/servers/sandbox-calls.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let sandbox: Sandbox;
let calls: SandboxCalls;
let minimal: Buffer;
let count = 0;
let path = '';

beforeAll(async () => {
  sandbox = await startSandbox({ clock: systemClock, maxImportSize: 1_000_000 });
  calls = new SandboxCalls(sandbox);
});
afterAll(() => sandbox.close());

beforeEach(async () => {
  path = `project-${++count}`;
  minimal = await exportArchive({ 'tree/project/issues.ndjson': lines({ title: 'One', iid: 1 }) });
});

const into = (more: Record<string, string> = {}) => ({ path, namespace: 'atlas', ...more });
const target = () => sandbox.state.project(`atlas/${path}`);

describe('an import request is rejected at once', () => {
  test.each<[string, () => Promise<{ status: number; body: unknown }>, number, unknown]>([
    ['without a file', () => calls.startImport(null, into()), 400, { error: 'file is missing' }],
    [
      'without a path',
      () => calls.startImport(minimal, { namespace: 'atlas' }),
      400,
      { error: 'path is missing' },
    ],
    [
      'with a file name without .gz',
      () => calls.startImport(minimal, into(), 'export.tar'),
      422,
      { message: { error: 'You need to upload a GitLab project export archive (ending in .gz).' } },
    ],
    [
      'into an unknown namespace',
      () => calls.startImport(minimal, into({ namespace: 'nowhere' })),
      404,
      { message: '404 Namespace Not Found' },
    ],
    [
      'into a group in which nobody may create projects',
      () => calls.startImport(minimal, into({ namespace: 'frozen' })),
      400,
      { message: 'User is not allowed to import projects' },
    ],
    [
      'into a group in which the user is only a developer',
      () => new SandboxCalls(sandbox, sandbox.tokens.developer).startImport(minimal, into()),
      400,
      { message: 'User is not allowed to import projects' },
    ],
    [
      'with two parameters for the namespace',
      () => calls.startImport(minimal, into({ namespace_id: '1' })),
      400,
      { error: 'namespace, namespace_id are mutually exclusive' },
    ],
    [
      'with a malformed path',
      () => calls.startImport(minimal, into({ path: 'a/b' })),
      400,
      { message: expect.stringMatching(/^Path can only include non-accented letters/) as unknown },
    ],
    [
      'with a reserved path',
      () => calls.startImport(minimal, into({ path: 'tree' })),
      400,
      { message: 'tree is a reserved name' },
    ],
    [
      'with a file over the limit',
      () => calls.startImport(Buffer.alloc(1_000_001), into()),
      413,
      'Request Entity Too Large',
    ],
  ])('%s', async (_name, request, status, body) => {
    const before = sandbox.state.paths.length;

    expect(await request()).toEqual({ status, body });
    expect(sandbox.state.paths).toHaveLength(before);
  });

  test('with a taken path or a taken name, regardless of case', async () => {
    await calls.importArchive(minimal, into({ name: 'Unique name' }));

    expect(await calls.startImport(minimal, into({ path: path.toUpperCase() }))).toEqual({
      status: 400,
      body: { message: 'Path has already been taken' },
    });
    expect(await calls.startImport(minimal, into({ path: `${path}-b`, name: 'unique NAME' }))).toEqual({
      status: 400,
      body: { message: 'Name has already been taken' },
    });
  });

  test('if it is the seventh within a minute, with GitLab’s limits', async () => {
    const limited = await startSandbox({ clock: systemClock, limits: 'gitlab' });
    try {
      const mine = new SandboxCalls(limited);
      const statuses: number[] = [];
      for (let attempt = 0; attempt < 7; attempt += 1) {
        statuses.push((await mine.startImport(minimal, into({ namespace: 'nowhere' }))).status);
      }

      expect(statuses).toEqual([404, 404, 404, 404, 404, 404, 429]);
    } finally {
      await limited.close();
    }
  });
});

describe('the whole import fails for an archive', () => {
  const record = lines({ title: 'One', iid: 1 });
  const incorrect = 'Incorrect JSON format';

  test.each<[string, Parameters<typeof exportArchive>[0], string]>([
    ['without VERSION', { VERSION: null }, 'No such file or directory @ rb_sysopen - [FILTERED]'],
    [
      'with the VERSION of another format',
      { VERSION: '0.2.3' },
      'Import version mismatch: Required 0.2.4 but was 0.2.3',
    ],
    ['with a VERSION that is no version', { VERSION: 'latest' }, 'Incorrect VERSION format'],
    [
      'in the legacy layout',
      { 'tree/project.json': null, 'project.json': '{"issues":[]}' },
      'invalid import format',
    ],
    ['without a tree', { 'tree/project.json': null }, 'invalid import format'],
    [
      'with a tree without attributes',
      { 'tree/project.json': null, 'tree/project/labels.ndjson': '' },
      'Invalid file',
    ],
    [
      'with root attributes that are a list',
      { 'tree/project.json': '[]' },
      'undefined method (NoMethodError)',
    ],
    [
      'with root attributes that are null',
      { 'tree/project.json': 'null' },
      'undefined method (NoMethodError)',
    ],
    [
      'with VERSION on the second line',
      { VERSION: '\n0.2.4' },
      'Import version mismatch: Required 0.2.4 but was ',
    ],
    [
      'with a blank line between records',
      { 'tree/project/issues.ndjson': `${record}\n${record}` },
      incorrect,
    ],
    ['with a blank line at the end', { 'tree/project/issues.ndjson': `${record}\n` }, incorrect],
    ['with only a line end in a relation', { 'tree/project/issues.ndjson': '\n' }, incorrect],
    ['with spaces at the end', { 'tree/project/issues.ndjson': `${record}  ` }, incorrect],
    [
      'with half of a surrogate pair',
      { 'tree/project/issues.ndjson': '{"iid":1,"title":"\\ud83d and more"}\n' },
      incorrect,
    ],
    [
      'with a folder in place of a relation',
      { 'tree/project/issues.ndjson/file': '' },
      'Is a directory @ io_fread - [FILTERED]',
    ],
    ['with root attributes that are not JSON', { 'tree/project.json': '{' }, 'Incorrect JSON format'],
    [
      'with a line that is not JSON',
      { 'tree/project/issues.ndjson': `${record}{"title":\n` },
      'Incorrect JSON format',
    ],
    [
      'with a repository that is not a bundle',
      { 'project.bundle': '<html>' },
      '13:creating repository: cloning bundle: exit status 128.',
    ],
    [
      'with an LFS object that lfs-objects.json does not list',
      { 'lfs-objects.json': '{}', [`lfs-objects/${lfsOid}`]: lfsObject },
      'undefined method (NoMethodError)',
    ],
  ])('%s', async (_name, members, detail) => {
    const ended = await calls.importArchive(await exportArchive(members), into());

    expect(ended).toMatchObject({
      import_status: 'failed',
      import_error: `Error importing repository  into atlas/${path} - ${detail}`,
      failed_relations: [],
    });
  });

  test('that is cut inside its first header, and for a file that is no archive', async () => {
    // Without compression the cut is always inside the first header, regardless of how times and names compress.
    const head = gzipSync(gunzipSync(minimal), { level: 0 }).subarray(0, 300);
    const none = Buffer.from('no archive');
    for (const cut of [none, head]) {
      const ended = await calls.importArchive(cut, into({ path: `${path}-${cut.length}` }));

      expect(ended.import_status).toBe('failed');
      expect(ended.import_error).toMatch(/ - Command exited with error code 2: \[FILTERED\], /);
    }
  });

  test('of another version; its empty project keeps the path, and only maintainers see the cause', async () => {
    const { id } = await calls.importArchive(await exportArchive({ VERSION: '9' }), into());
    const guest = new SandboxCalls(sandbox, sandbox.tokens.developer);
    const seen = (await guest.get(`/projects/${id}/import`)) as ImportRecord;

    expect(await calls.get(projectUrl(`atlas/${path}`))).toMatchObject({ id, empty_repo: true });
    expect((await calls.startImport(minimal, into())).status).toBe(400);
    expect(seen.import_error).toBe('Ask a maintainer to check the import status for more details.');
  });
});

describe('an import', () => {
  test('lists an invalid record with its zero-based line and saves the others', async () => {
    const issues = lines({ title: null, iid: 1 }, { title: 'Two', iid: 1 }, { title: 'Three', iid: 1 });
    const archive = await exportArchive({
      'tree/project/issues.ndjson': issues,
      'tree/project/labels.ndjson': lines({ title: 'bug', color: '#f00' }, { title: 'bad', color: 'no' }),
    });
    const ended = await calls.importArchive(archive, into());

    expect(ended.import_status).toBe('finished');
    expect(
      ended.failed_relations.map((row) => [row.relation_name, row.line_number, row.exception_class]),
    ).toEqual([
      ['issues', 2, 'ActiveRecord::RecordNotUnique'],
      ['issues', 0, 'ActiveRecord::RecordInvalid'],
      ['labels', 1, 'ActiveRecord::RecordInvalid'],
    ]);
    for (const row of ended.failed_relations) {
      expect(row).toMatchObject({ exception_message: null, source: 'process_relation_item!' });
    }
    expect((await target()).relations['issues']?.map((row) => row['title'])).toEqual(['Two']);
  });

  test('keeps the lines beside an invalid record as they were written', async () => {
    const spacedLine = '{ "title" : "Two",  "iid":2 }';
    const archive = await exportArchive({ 'tree/project/issues.ndjson': `{"iid":1}\n${spacedLine}\n` });
    await calls.importArchive(archive, into());

    expect((await target()).relationBytes['issues']?.toString()).toBe(`${spacedLine}\n`);
  });

  test('ignores null records, reads a surrogate pair as one character, and drops hidden uploads', async () => {
    const archive = await exportArchive({
      'tree/project/issues.ndjson': `null\n{"iid":1,"title":"\\ud83d\\ude00 \\\\ud83d"}\n`,
      'uploads/0123456789abcdef0123456789abcdef/.env': 'secret',
      'uploads/0123456789abcdef0123456789abcdef/a.png': 'png',
    });
    const ended = await calls.importArchive(archive, into());

    expect(ended).toMatchObject({ import_status: 'finished', failed_relations: [] });
    expect((await target()).relations['issues']).toEqual([{ iid: 1, title: '😀 \\ud83d' }]);
    expect(await calls.total(`${projectUrl(`atlas/${path}`)}/uploads`)).toBe(1);
  });

  test.each<[string, (whole: Buffer) => Buffer, number]>([
    ['a wrong checksum', (whole) => Buffer.concat([whole.subarray(0, -8), Buffer.alloc(8, 7)]), 1],
    ['other bytes after its end', (whole) => Buffer.concat([whole, Buffer.from('more')]), 1],
    ['a truncated end', (whole) => whole.subarray(0, -8), 1],
    ['a tar that is cut in the last member', (whole) => gzipSync(gunzipSync(whole).subarray(0, -1520)), 0],
  ])('of an archive with %s saves the records that can be read', async (_what, damaged, issues) => {
    const text = lines({ iid: 1, title: 'One' });
    const ordered = exportWith({
      './tree/project/issues.ndjson': null,
      last: member({ name: './tree/project/issues.ndjson', content: text }),
    });
    const ended = await calls.importArchive(damaged(ordered), into());

    expect(ended).toMatchObject({ import_status: 'finished', import_error: null });
    expect((await target()).relations['issues'] ?? []).toHaveLength(issues);
  });

  test('lists the newest hundred of more than a hundred failures, newest first', async () => {
    const issues = lines(...Array.from({ length: 130 }, (_, index) => ({ iid: index + 1 })));
    const ended = await calls.importArchive(
      await exportArchive({ 'tree/project/issues.ndjson': issues }),
      into(),
    );
    const numbers = ended.failed_relations.map((row) => row.line_number);

    expect(numbers).toEqual(Array.from({ length: 100 }, (_, index) => 129 - index));
    expect((await target()).importFailures).toHaveLength(130);
  });

  test('drops an invalid nested note and lists it only in the ledger', async () => {
    const notes = [
      { note: 'kept' },
      { note: '' },
      { note: 'unplaced', type: 'DiffNote' },
      { note: 'placed', type: 'DiffNote', position: { new_line: 1 } },
    ];
    const archive = await exportArchive({
      'tree/project/merge_requests.ndjson': lines({ title: 'One', iid: 1, notes }),
    });
    const ended = await calls.importArchive(archive, into());
    const losses = sandbox.state.losses.filter((loss) => loss.project === `atlas/${path}`);

    expect(ended).toMatchObject({ import_status: 'finished', failed_relations: [] });
    expect((await target()).notes.merge_requests).toBe(2);
    expect(losses).toHaveLength(2);
    expect(losses.every((loss) => loss.part === 'note' && !loss.listed)).toBe(true);
  });

  test('keeps parts that the sandbox does not model byte for byte, even through another export', async () => {
    const members = {
      'tree/project/something_new.ndjson': '{"a" : 1 , "text":"\\u017cółw"}\n{"b":[]}\n',
      'tree/project/push_rule.ndjson': 'null',
      'tree/project/boards.ndjson': '',
      'uploads/0123456789abcdef0123456789abcdef/żółw.bin': Buffer.from([0, 255, 10, 13]),
      'avatar/me.png': Buffer.from('png'),
      'lfs-objects.json': '{"x":[0]}',
    };
    await calls.importArchive(await exportArchive(members), into());
    const again = await calls.exportArchive(`atlas/${path}`);
    await calls.importArchive(again, into({ path: `${path}-again` }));
    const copy = await sandbox.state.project(`atlas/${path}-again`);

    for (const [name, content] of Object.entries(members)) {
      const relation = /^tree\/project\/(.+)\.ndjson$/.exec(name)?.[1];
      if (relation === undefined) expect(copy.otherFiles).toContain(name);
      else expect(copy.relationBytes[relation]?.toString(), name).toBe(content);
    }
  });

  test('restores an LFS object without lfs-objects.json, as old versions of GitLab exported it', async () => {
    const archive = await exportArchive({ [`lfs-objects/${lfsOid}`]: lfsObject });
    expect(await calls.importArchive(archive, into())).toMatchObject({ import_status: 'finished' });
    expect((await target()).otherFiles).toContain(`lfs-objects/${lfsOid}`);
  });

  test('maps members by public e-mail only for an administrator', async () => {
    const members = lines({
      access_level: 30,
      user: { id: 999, username: 'elsewhere', public_email: 'developer@sandbox.example' },
    });
    const archive = await exportArchive({ 'tree/project/project_members.ndjson': members });
    const root = new SandboxCalls(sandbox, sandbox.tokens.administrator);
    await calls.importArchive(archive, into());
    await root.importArchive(archive, into({ path: `${path}-mapped` }));
    const names = async (project: string) =>
      ((await root.get(`${projectUrl(project)}/members`)) as { username: string }[]).map(
        (row) => row.username,
      );

    expect(await names(`atlas/${path}`)).toEqual(['maintainer']);
    expect(await names(`atlas/${path}-mapped`)).toEqual(['root', 'developer']);
  });
});

describe('an import request', () => {
  test('gets an immediate reply with a scheduled import whose empty project exists', async () => {
    const { status, body } = await calls.startImport(minimal, into());
    const record = body as ImportRecord;

    expect(status).toBe(201);
    expect(record).toMatchObject({
      path_with_namespace: `atlas/${path}`,
      import_status: 'scheduled',
      import_type: 'gitlab_project',
      import_error: null,
      failed_relations: [],
      stats: null,
    });
    expect(await calls.get(`/projects/${record.id}`)).toMatchObject({ id: record.id });
    await calls.importEnd(record.id);
  });

  test('with override_params overrides the archive, except by blank values', async () => {
    const archive = await exportArchive({
      'tree/project.json': '{"description":"From the archive","visibility_level":20}',
    });
    const overrides = { 'override_params[visibility]': 'internal', 'override_params[description]': '' };
    await calls.importArchive(archive, into(overrides));

    expect(await target()).toMatchObject({ description: 'From the archive', visibility: 'internal' });
  });

  test('with overwrite replaces the project if the import succeeds, and keeps it if the import fails', async () => {
    const calls = new SandboxCalls(sandbox, sandbox.tokens.administrator);
    const old = await calls.importArchive(minimal, into());
    const bad = await exportArchive({ VERSION: '9' });
    expect((await calls.importArchive(bad, into({ overwrite: 'true' }))).import_status).toBe('failed');
    expect((await target()).id).toBe(old.id);

    const fresh = await calls.importArchive(minimal, into({ overwrite: 'true' }));
    expect(fresh.import_status).toBe('finished');
    expect((await target()).id).toBe(fresh.id);
    expect((await calls.call(`/projects/${old.id}`)).status).toBe(404);
  });

  test('without a namespace imports into the caller’s own', async () => {
    const ended = await calls.importArchive(minimal, { path });

    expect(ended.path_with_namespace).toBe(`maintainer/${path}`);
  });
});

describe('the temporary folder', () => {
  /** Returns a sandbox with slow imports, and the parent of its temporary folder. */
  async function slow(): Promise<{ own: Sandbox; around: string }> {
    const around = temporaryFolder();
    vi.stubEnv('TMPDIR', around);
    const own = await startSandbox({ clock: systemClock, speed: { importStartedMs: 60_000 } });
    vi.unstubAllEnvs();
    onTestFinished(() => own.close());
    return { own, around };
  }

  test('is deleted on close, even during an import, and a second close has no effect', async () => {
    const { own, around } = await slow();
    await new SandboxCalls(own).startImport(minimal, into());
    expect(readdirSync(around, { recursive: true })).toHaveLength(2);
    await own.close();
    await own.close();

    expect(readdirSync(around)).toEqual([]);
  });

  test('keeps nothing of an upload that breaks off, and no project is created', async () => {
    const { own, around } = await slow();
    const before = own.state.paths.length;
    const call = request(`${own.url}/api/v4/projects/import`, {
      method: 'POST',
      headers: {
        'PRIVATE-TOKEN': own.tokens.maintainer,
        'content-type': 'multipart/form-data; boundary=b',
        'content-length': '100000',
      },
    });
    call.on('error', () => undefined);
    const part = (head: string, body: string) =>
      `--b\r\ncontent-disposition: form-data; ${head}\r\n\r\n${body}`;
    const file = part('name="file"; filename="a.gz"', 'x'.repeat(5000));
    call.write(`${part('name="path"', 'broken')}\r\n${file}`);
    const files = () => readdirSync(around, { recursive: true }).length;
    await expect.poll(files, { interval: 5 }).toBe(2);
    call.destroy();
    await expect.poll(files, { interval: 5 }).toBe(1);

    expect(own.state.paths).toHaveLength(before);
  });
});
