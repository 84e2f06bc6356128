/** @file The commands for the contents of the window: settings, overview, projects with archives, and retried jobs. */
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { Cli, tokenOption, type CliResult } from '../../support/processes/cli.ts';
import { openTestSandbox } from '../../support/world.ts';

let cli: Cli;
beforeEach(() => {
  cli = new Cli();
});

async function withInstance(projects: number) {
  const sandbox = await openTestSandbox({ projectCount: projects });
  await cli.add('gl', sandbox);
  return { sandbox, as: tokenOption('gl', sandbox.tokens.maintainer) };
}

test('settings are shown, and changed one by one', async () => {
  const root = join(cli.folder, 'archives here');
  mkdirSync(root);
  const shown = await cli.json(['settings', 'show']);
  expect(shown.document).toMatchObject({
    archiveRoot: join(cli.dataDir, 'archives'),
    preferences: { proxy: null, jobsAtOnce: 4 },
  });
  const changed = await cli.json([
    ...['settings', 'change', '--archive-root', 'archives here'],
    ...['--proxy', 'http://proxy.example.com:3128', '--jobs-at-once', '2'],
  ]);
  expect(changed).toMatchObject({
    code: 0,
    document: {
      archiveRoot: root,
      earlierRoots: [join(cli.dataDir, 'archives')],
      preferences: { proxy: 'http://proxy.example.com:3128', jobsAtOnce: 2 },
    },
  });
  const direct = await cli.json(['settings', 'change', '--no-proxy']);
  expect(direct.document).toMatchObject({ archiveRoot: root, preferences: { proxy: null, jobsAtOnce: 2 } });
});

test('invalid settings are wrong usage and change nothing', async () => {
  await cli.fails(['settings', 'change'], { code: 'invalid-input', exit: 2, todo: /nothing was changed/ });
  await cli.fails(['settings', 'change', '--proxy', 'ftp://x'], {
    code: 'invalid-input',
    exit: 2,
    todo: /nothing was changed/,
  });
  const inside = await cli.fails(['settings', 'change', '--archive-root', cli.dataDir], {
    code: 'invalid-input',
    exit: 2,
    todo: /nothing was changed/,
  });
  expect(inside.what).toContain('it contains the settings and the catalogue');
  // An unset variable does not make the current folder an archive folder.
  for (const option of ['--archive-root', '--forget-archive-root']) {
    await cli.fails(['settings', 'change', option, ''], {
      code: 'invalid-input',
      exit: 2,
      todo: /nothing was changed/,
    });
  }
  const none = await cli.fails(['settings', 'change', '--forget-archive-root', '/none'], {
    code: 'invalid-input',
    exit: 2,
    todo: /nothing was changed/,
  });
  expect(none.what).toContain('/none is not an archive folder');
  expect((await cli.run(['settings', 'change', '--jobs-at-once', '9'])).code).toBe(2);
  expect(readdirSync(cli.dataDir)).not.toContain('settings.json');
});

test('a past failure is dismissed from the overview by its name in brackets, and is shown again', async () => {
  const { sandbox, as } = await withInstance(1);
  await cli.run(['backup', '--instance', 'gl', '--all'], as);
  sandbox.faults.add({
    match: { method: 'POST', path: '/export$', times: 1 },
    action: { kind: 'respond', status: 403, body: { message: 'no' } },
  });
  await cli.run(['backup', '--instance', 'gl', '--all'], as);
  const showOverview = () => cli.run(['overview', '--exit-code'], as);
  const before = await showOverview();
  expect(before.code).toBe(3);
  const [, name = ''] = /^ {2}\[([0-9a-f]+)\] gl: Backup of \S+ failed\. /m.exec(before.stdout) ?? [];
  expect(before.stdout).toContain('"packhorse overview dismiss NAME" hides it.');

  expect(await cli.json(['overview', 'dismiss', name])).toEqual({ code: 0, document: { dismissed: [name] } });
  const dismissed = await showOverview();
  expect(dismissed).toMatchObject({ code: 0 });
  expect(dismissed.stdout).not.toContain('Needs attention');

  expect((await cli.run(['overview', 'restore', name])).code).toBe(0);
  const restored = await showOverview();
  // The free space of the disk, which is also shown, changes while other programs write.
  const attention = ({ stdout }: CliResult): string => stdout.slice(stdout.indexOf('Needs attention'));
  expect(restored.code).toBe(3);
  expect(attention(restored)).toContain(`[${name}]`);
  expect(attention(restored)).toBe(attention(before));
  await cli.fails(['overview', 'dismiss', 'nothing'], {
    code: 'attention-missing',
    exit: 2,
    todo: /packhorse overview/,
  });
});

test('a failed backup is listed in the overview, shown and retried', async () => {
  const { sandbox, as } = await withInstance(1);
  sandbox.faults.add({
    match: { method: 'POST', path: '/export$', times: 1 },
    action: { kind: 'respond', status: 403, body: { message: 'no' } },
  });
  await cli.run(['backup', '--instance', 'gl', '--all'], as);
  await cli.run(['instance', 'refresh', 'gl'], as);
  const before = await cli.json(['overview'], as);
  const { attention } = before.document as { attention: { kind: string; jobId?: string }[] };
  const failed = attention.find(({ kind }) => kind === 'job-failed');
  const jobId = failed?.jobId ?? '';
  const text = await cli.run(['overview'], as);
  expect(text.stdout).toContain(`packhorse job show ${jobId}`);

  const shown = await cli.json(['job', 'show', jobId]);
  const { steps } = shown.document as { steps: { state: string }[] };
  expect(steps.filter(({ state }) => state === 'stopped')).toHaveLength(1);

  const again = await cli.json(['job', 'retry', jobId], as);
  expect(again).toMatchObject({ code: 0, document: { state: { status: 'succeeded' } } });
  const after = await cli.json(['overview'], as);
  expect(JSON.stringify(after.document)).not.toContain('job-failed');
  await cli.fails(['job', 'retry', (again.document as { id: string }).id], {
    code: 'invalid-input',
    exit: 2,
    todo: /nothing was changed/,
  });

  const stored = await cli.json(['archive', 'projects']);
  expect(stored.document).toMatchObject({
    projects: [{ instanceName: 'gl', fullPath: sandbox.state.paths[0], archives: 1 }],
    total: 1,
  });
  expect((await cli.json(['archive', 'projects', '--search', 'none'])).document).toEqual({
    projects: [],
    total: 0,
  });
});

test('all visible projects are listed after their number is reported, and the list is then available offline', async () => {
  const { as } = await withInstance(8);
  const visible = await cli.run(['project', 'list', '--instance', 'gl', '--visible'], as);
  expect(visible.stderr).toContain('This account can see 8 projects there; fetching all of them.');
  expect(visible.stdout).toContain('8 projects, as of');
  const offline = await cli.json(['project', 'list', '--instance', 'gl', '--offline', '--search', 'COMPASS']);
  expect(offline.document).toMatchObject({
    projects: [{ fullPath: 'atlas/compass', backupStatus: 'never' }],
  });
});

test('removing an instance reports what it deletes, and needs --yes without a terminal', async () => {
  const { as } = await withInstance(2);
  await cli.run(['instance', 'refresh', 'gl'], as);
  await cli.fails(['instance', 'remove', 'gl'], {
    code: 'invalid-input',
    exit: 2,
    todo: /nothing was changed/,
  });
  const removed = await cli.run(['instance', 'remove', 'gl', '--yes']);
  expect(removed.stderr).toContain('the list of projects of "gl" (2 projects)');
  expect(removed).toMatchObject({ code: 0, stdout: 'Removed gl. Its archives stay.\n' });
});

test('a project is replaced only with --path and --yes, after its contents are reported', async () => {
  const { sandbox, as } = await withInstance(2);
  const path = 'atlas/compass';
  const before = await sandbox.state.project(path);
  await cli.run(['backup', '--instance', 'gl', path], as);
  const { document } = await cli.json(['archive', 'list']);
  const [archive] = (document as { archives: { sha256: string }[] }).archives;
  const importing = [
    'import',
    'file',
    archive?.sha256 ?? '',
    '--instance',
    'gl',
    '--namespace',
    'atlas',
    '--overwrite',
  ];
  const refused = { code: 'invalid-input', exit: 2, todo: /nothing was changed/ };
  expect((await cli.fails(importing, refused, as)).what).toContain('--path');
  expect((await cli.fails([...importing, '--path', 'compass'], refused, as)).what).toContain('--yes');
  expect((await sandbox.state.project(path)).id).toBe(before.id);
  // Only a user who may delete the project may replace it.
  const administrator = tokenOption('gl', sandbox.tokens.administrator);
  const done = await cli.run([...importing, '--path', 'compass', '--yes'], administrator);
  expect(done.stderr).toContain('the project atlas/compass with all that is in it');
  expect(done.stderr).toMatch(/issues: 6/);
  expect((await sandbox.state.project(path)).id).not.toBe(before.id);
});

test('the status of an import is shown by its address alone', async () => {
  const { sandbox, as } = await withInstance(1);
  const address = `${sandbox.url}/${sandbox.state.paths[0] ?? ''}/-/import`;
  const { code, document } = await cli.json(['import', 'status', address], as);
  expect({ code, document }).toMatchObject({
    code: 0,
    document: { instance: 'gl', status: { state: 'none' } },
  });
  await cli.fails(
    ['import', 'status', 'https://elsewhere.example.com/a/b'],
    { code: 'instance-unknown', exit: 2, todo: /instance add/ },
    as,
  );
  await cli.fails(
    ['import', 'status', 'a/b'],
    { code: 'invalid-input', exit: 2, todo: /nothing was changed/ },
    as,
  );
});
