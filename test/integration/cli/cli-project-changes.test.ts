/** @file Changing projects on the command line: the state of the instance afterwards, the output, and the exit code. */
import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { startSandbox, type Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { Cli, tokenOption, type CliResult } from '../../support/processes/cli.ts';
import { SandboxCalls, projectUrl } from '../../support/servers/sandbox-calls.ts';
import { filesContaining, encodingsOf } from '../../support/secret-search.ts';

let sandbox: Sandbox;
let otherClient: SandboxCalls;
let cli: Cli;
beforeAll(async () => {
  sandbox = await startSandbox({ clock: systemClock, projectCount: 8, tier: 'free' });
  otherClient = new SandboxCalls(sandbox, sandbox.tokens.administrator);
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  cli = new Cli();
  await cli.add('gl', sandbox);
});

const as = (who: keyof Sandbox['tokens']) => tokenOption('gl', sandbox.tokens[who]);
const on = (...command: string[]): string[] => ['project', ...command, '--instance', 'gl'];
const run = (...command: string[]): Promise<CliResult> => cli.run(on(...command), as('maintainer'));
const attributesOf = async (project: string): Promise<Record<string, unknown>> =>
  (await otherClient.get(projectUrl(project))) as Record<string, unknown>;
const writesFrom = (start: number): string[] =>
  sandbox.requests
    .slice(start)
    .flatMap(({ method, path }) => (method === 'GET' ? [] : [`${method} ${path}`]));

describe('create and edit', () => {
  test('set attributes by their names, name an attribute that the tier lacks, and apply the rest', async () => {
    const sets = ['name=Made Here', 'topics=one, two', 'visibility=public', 'issues_access_level=private'];
    const created = await run('create', 'made', ...sets.flatMap((set) => ['--set', set]));
    expect(created).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Created maintainer\/made \(id \d+\)/) as string,
    });
    expect(await attributesOf('maintainer/made')).toMatchObject({
      name: 'Made Here',
      topics: ['one', 'two'],
      visibility: 'public',
      issues_access_level: 'private',
    });

    const edited = await cli.json(
      on(
        'edit',
        'maintainer/made',
        '--set',
        'description=a=b',
        '--set',
        'build_timeout=4000',
        '--set',
        'mirror=true',
      ),
      as('maintainer'),
    );
    expect(edited).toMatchObject({
      code: 3,
      document: { result: { changed: true, notTaken: [{ attribute: 'mirror', asked: true }] } },
    });
    expect(await attributesOf('maintainer/made')).toMatchObject({ description: 'a=b', build_timeout: 4000 });

    const from = sandbox.requests.length;
    const again = await run('edit', 'maintainer/made', '--set', 'description=a=b');
    expect(again).toMatchObject({
      code: 0,
      stdout: 'The project already has these values. Nothing was changed.\n',
    });
    expect(writesFrom(from)).toEqual([]);
  });

  test('set an avatar from a path relative to the working folder, remove it in an edit with an empty value, and name a missing file', async () => {
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    writeFileSync(join(cli.folder, 'face.png'), png);
    await run('create', 'pictured');
    expect(await attributesOf('maintainer/pictured')).toMatchObject({ avatar_url: null });
    const edited = await cli.json(
      on('edit', 'maintainer/pictured', '--set', 'avatar=face.png', '--set', 'description=With a face'),
      as('maintainer'),
    );
    expect(edited).toMatchObject({ code: 0, document: { result: { changed: true, notTaken: [] } } });
    const { avatar_url: url, description } = await attributesOf('maintainer/pictured');
    expect({ url, description }).toEqual({
      url: expect.stringMatching(/\/face\.png$/) as string,
      description: 'With a face',
    });
    const missing = on('edit', 'maintainer/pictured', '--set', 'avatar=nowhere.png');
    const { what } = await cli.fails(
      missing,
      { code: 'invalid-input', exit: 2, todo: /./ },
      as('maintainer'),
    );
    expect(what).toContain('nowhere.png');

    const removed = on('edit', 'maintainer/pictured', '--set', 'avatar=');
    expect(await cli.json(removed, as('maintainer'))).toMatchObject({ code: 0 });
    expect(await attributesOf('maintainer/pictured')).toMatchObject({
      avatar_url: null,
      description: 'With a face',
    });
    const nothing = on('create', 'unpictured', '--set', 'avatar=');
    await cli.fails(nothing, { code: 'invalid-input', exit: 2, todo: /./ }, as('maintainer'));
  });

  test('report a missing group of the path, without a hint at --namespace or a target', async () => {
    const expected = { code: 'namespace-missing', exit: 2, todo: /^Create the group first/ };
    const { what, todo } = await cli.fails(on('create', 'nogroup/x'), expected, as('maintainer'));
    expect(`${what} ${todo}`).toContain('nogroup');
    expect(`${what} ${todo}`).not.toMatch(/--namespace|target/);
  });

  test('reject a namespace_id that contradicts the path, and create nothing', async () => {
    const { id } = (await otherClient.get('/namespaces/atlas')) as { id: number };
    const from = sandbox.requests.length;
    const contrary = on('create', 'maintainer/c6', '--set', `namespace_id=${id}`);
    const { what } = await cli.fails(
      contrary,
      { code: 'invalid-input', exit: 2, todo: /./ },
      as('maintainer'),
    );
    expect(what).toContain('means atlas, but the path names maintainer');
    expect(writesFrom(from)).toEqual([]);
    const same = await run('create', 'atlas/c6', '--set', `namespace_id=${id}`);
    expect(same.stdout).toContain('Created atlas/c6');
  });

  test('can create a project that belongs to another user', async () => {
    const { id } = (await new SandboxCalls(sandbox, sandbox.tokens.developer).get('/user')) as { id: number };
    const command = on('create', 'developer/gift', '--for-user', String(id), '--set', 'name=Gift');
    expect((await cli.run(command, as('administrator'))).stdout).toContain('developer/gift');
    expect((await sandbox.state.project('developer/gift')).creatorId).toBe(id);
  });

  test('read an import_url with a password only from standard input, and store it nowhere', async () => {
    const secret = 'pass-word-of-the-source-1234';
    const expected = { code: 'invalid-input', exit: 2, todo: /./ };
    const address = `${sandbox.url.replace('://', `://who:${secret}@`)}/atlas/compass.git`;
    const typed = on('create', 'mirrored', '--set', `import_url=${address}`);
    const { what } = await cli.fails(typed, expected, as('maintainer'));
    expect(what).toContain('--import-url-stdin');
    expect(what).not.toContain(secret);
    const both = on('create', 'mirrored', '--import-url-stdin', '--token-stdin');
    await cli.fails(both, expected, { stdin: address });
    const piped = { ...as('maintainer'), stdin: `${address}\n` };
    expect(await cli.run(on('create', 'mirrored', '--import-url-stdin'), piped)).toMatchObject({ code: 0 });
    expect(sandbox.state.paths).toContain('maintainer/mirrored');
    expect(cli.output).not.toContain(secret);
    expect(filesContaining(cli.dataDir, encodingsOf(secret))).toEqual([]);
  });

  test.each([
    [['edit', 'atlas/compass', '--set', 'descripton=x'], /The most similar name is "description"/],
    [['edit', 'atlas/compass', '--set', 'name=a', '--set', 'name=b'], /twice/],
    [['create', 'x', '--set', 'build_timeout=long'], /whole number/],
    [['edit', 'atlas/compass'], /No attribute/],
  ])('reject impossible options before any request: %j', async (command, says) => {
    const from = sandbox.requests.length;
    const expected = { code: 'invalid-input', exit: 2, todo: /./ };
    const { what } = await cli.fails(on(...command), expected, as('maintainer'));
    expect(what).toMatch(says);
    expect(sandbox.requests.slice(from)).toEqual([]);
  });
});

describe('star, set-archived and fork', () => {
  test('a project is starred once, and unstarred', async () => {
    const stars = async (): Promise<unknown> => (await attributesOf('atlas/compass'))['star_count'];
    expect((await run('star', 'atlas/compass')).stdout).toMatch(/^Starred atlas\/compass/);
    expect(await stars()).toBe(1);
    expect((await run('star', 'atlas/compass')).stdout).toMatch(/already has these values/);
    expect((await run('unstar', 'atlas/compass')).code).toBe(0);
    expect(await stars()).toBe(0);
  });

  test('an owner sets and removes the archived mark, and other users are refused', async () => {
    await otherClient.call('/projects', 'POST', { path: 'old-one' });
    const asOwner = (...more: string[]) =>
      cli.run(on('set-archived', 'root/old-one', ...more), as('administrator'));
    expect((await asOwner()).code).toBe(0);
    expect((await sandbox.state.project('root/old-one')).archived).toBe(true);
    expect((await asOwner('--off')).stdout).toContain('no longer');
    expect((await sandbox.state.project('root/old-one')).archived).toBe(false);
    const refused = on('set-archived', 'atlas/compass');
    const { code, document } = await cli.json(refused, as('developer'));
    expect(code).toBe(4);
    expect(document).toMatchObject({
      error: { code: expect.stringMatching(/forbidden|role-too-low/) as string },
    });
    expect((await sandbox.state.project('atlas/compass')).archived).toBe(false);
  });

  test('a fork continues in GitLab after the command, and --wait follows it to its end', async () => {
    const slow = await startSandbox({ clock: systemClock, projectCount: 4, speed: { forkStartedMs: 3000 } });
    try {
      await cli.add('slow', slow);
      const fork = ['project', 'fork', 'atlas/compass', '--instance', 'slow', '--path', 'copy'];
      const token = tokenOption('slow', slow.tokens.maintainer);
      const started = await cli.run(fork, token);
      expect(started).toMatchObject({ code: 0, stdout: expect.stringContaining('--wait') as string });
      expect((await slow.state.project('maintainer/copy')).importStatus).not.toBe('finished');
      const waited = await cli.json([...fork, '--wait'], token);
      expect(waited).toMatchObject({
        code: 0,
        document: { result: { project: { fullPath: 'maintainer/copy', importStatus: 'finished' } } },
      });
      const forks = slow.requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/fork'));
      expect(forks).toHaveLength(1);
    } finally {
      await slow.close();
    }
  });
});

describe('delete and restore', () => {
  test('delete requires a confirmation, marks the project, is undone by restore, and is final with --permanently', async () => {
    await otherClient.call('/projects', 'POST', { path: 'unwanted' });
    const { id } = (await attributesOf('root/unwanted')) as { id: number };
    const asRoot = (...command: string[]) => cli.run(on(...command), as('administrator'));

    const from = sandbox.requests.length;
    const unconfirmed = await asRoot('delete', 'root/unwanted');
    expect(unconfirmed.code).toBe(2);
    expect(unconfirmed.stderr).toMatch(/destroys[^]*root\/unwanted[^]*does not report whether[^]*--yes/);
    expect(writesFrom(from)).toEqual([]);

    const early = await asRoot('delete', 'root/unwanted', '--permanently');
    expect(early.code).toBe(2);
    expect(early.stderr).toContain('root/unwanted is not marked for deletion');
    expect(early.stderr).not.toMatch(/destroys|Root\/|--yes/);

    const marked = await asRoot('delete', 'root/unwanted', '--yes');
    expect(marked).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/restored until \d{4}-\d{2}-\d{2}/) as string,
    });
    expect((await otherClient.get(`/projects/${id}`)) as object).toMatchObject({
      marked_for_deletion_on: expect.stringMatching(/^\d{4}/) as string,
    });
    for (const list of [['find'], ['list', '--visible']]) {
      const line = (await asRoot(...list)).stdout.split('\n').find((text) => text.startsWith(`${id} `));
      expect(line).toMatch(/deletion on \d{4}-\d{2}-\d{2}/);
    }
    const restored = await cli.json(on('restore', String(id)), as('administrator'));
    expect(restored).toMatchObject({
      code: 0,
      document: { result: { project: { fullPath: 'root/unwanted' } } },
    });

    await asRoot('delete', String(id), '--yes');
    // The former path works too, although the mark changed the path.
    const gone = await asRoot('delete', 'root/unwanted', '--permanently', '--yes');
    expect(gone.code).toBe(0);
    await expect.poll(async () => (await otherClient.call(`/projects/${id}`)).status).toBe(404);
  });
});

describe('a project that is marked for deletion', () => {
  const createProject = async (path: string): Promise<number> => {
    await otherClient.call('/projects', 'POST', { path });
    const { id } = (await attributesOf(`root/${path}`)) as { id: number };
    return id;
  };
  const restore = on('restore', 'root/regretted');

  test('is restored by its former path, even from the stored project list only; otherwise the form of its new path is reported', async () => {
    const id = await createProject('regretted');
    await cli.run(on('delete', 'root/regretted', '--yes'), as('administrator'));
    const first = await cli.json(restore, as('administrator'));
    expect(first).toMatchObject({
      code: 0,
      document: { result: { project: { id, fullPath: 'root/regretted' } } },
    });

    await otherClient.call(`/projects/${id}`, 'DELETE');
    cli = new Cli();
    await cli.add('gl', sandbox);
    const expected = { code: 'project-missing', exit: 2, todo: /-deletion_scheduled-123[^]* or the id/ };
    await cli.fails(restore, expected, as('administrator'));
    await cli.run(on('list'), as('administrator'));
    const second = await cli.json(restore, as('administrator'));
    expect(second).toMatchObject({
      code: 0,
      document: { result: { project: { id, fullPath: 'root/regretted' } } },
    });
  });
});

describe('uploads', () => {
  test('are sent one after the other, listed, and downloaded without replacing a file', async () => {
    writeFileSync(join(cli.folder, 'a plan.txt'), 'first');
    writeFileSync(join(cli.folder, 'b.bin'), Buffer.alloc(70_000, 7));
    const { code, document } = await cli.json(
      on('upload', 'atlas/compass', 'a plan.txt', 'missing.txt', 'b.bin'),
      as('maintainer'),
    );
    expect(code).toBe(3);
    expect(document).toMatchObject({
      uploads: [
        { result: { uploaded: { markdown: expect.stringContaining('/uploads/') as string } } },
        { error: { code: 'invalid-input', what: expect.stringContaining('missing.txt') as string } },
        { result: { uploaded: { name: 'b.bin' } } },
      ],
    });
    const folder = { code: 'invalid-input', exit: 2, todo: /./ };
    const { what } = await cli.fails(on('upload', 'atlas/compass', cli.folder), folder, as('maintainer'));
    expect(what).toContain(`${cli.folder} is a folder`);
    const listed = await cli.json(on('uploads', 'atlas/compass'), as('maintainer'));
    const { uploads } = listed.document as { uploads: { id: number; sizeBytes: number; fileName: string }[] };
    expect(uploads.map(({ sizeBytes }) => sizeBytes)).toEqual([70_000, 5]);

    const text = String(uploads[1]?.id);
    const saved = await cli.json(on('download-upload', 'atlas/compass', text, '--to', '.'), as('maintainer'));
    const { path } = saved.document as { path: string };
    expect(path).not.toBe(join(cli.folder, 'a plan.txt'));
    expect(await readFile(path, 'utf8')).toBe('first');
    const taken = on('download-upload', 'atlas/compass', text, '--to', 'b.bin');
    await cli.fails(taken, { code: 'already-exists', exit: 2, todo: /another name/ }, as('maintainer'));
    expect(await readFile(join(cli.folder, 'b.bin'))).toEqual(Buffer.alloc(70_000, 7));
    const unknown = on('download-upload', 'atlas/compass', '99999');
    await cli.fails(unknown, { code: 'not-found', exit: 2, todo: /number/ }, as('maintainer'));
  });
});
