/** @file `import status` reports the imports that another client started. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { calls } from '../../../src-contract/calls.ts';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../src-main/sandbox/sandbox.ts';
import { exportWith, member } from '../../support/archives/archive-builder.ts';
import { Cli, tokenOption } from '../../support/processes/cli.ts';
import { SandboxCalls } from '../../support/servers/sandbox-calls.ts';
import { SteppedClock } from '../../support/clocks/stepped-clock.ts';

interface Scene {
  cli: Cli;
  sandbox: Sandbox;
  otherClient: SandboxCalls;
  status: (...more: string[]) => string[];
  as: { env: Record<string, string> };
}

async function openScene(options: Partial<SandboxOptions> = {}): Promise<Scene> {
  const cli = new Cli();
  const sandbox = await startSandbox({ clock: systemClock, ...options });
  onTestFinished(() => sandbox.close());
  await cli.add('gl', sandbox);
  return {
    cli,
    sandbox,
    otherClient: new SandboxCalls(sandbox),
    status: (...more) => ['import', 'status', 'atlas/moved', '--instance', 'gl', ...more],
    as: tokenOption('gl', sandbox.tokens.readOnly),
  };
}

const importStatusReply = calls['import.status'].reply;
const fields = { path: 'moved', namespace: 'atlas' };
const labels = '{"title":"good","color":"#00ff00"}\n{"title":null,"color":"#00ff00"}\n';
const milestones = '{"title":"First","iid":1}\n{"title":null,"iid":2,"description":"No title"}\n';
const broken = exportWith({
  './tree/project/labels.ndjson': member({ name: './tree/project/labels.ndjson', content: labels }),
  './tree/project/milestones.ndjson': member({
    name: './tree/project/milestones.ndjson',
    content: milestones,
  }),
});

test('every failure is listed with its record, which only the local archive contains', async () => {
  const { cli, otherClient, status, as } = await openScene();
  writeFileSync(join(cli.folder, 'moved.tar.gz'), broken);
  await otherClient.importArchive(broken, fields);

  const bare = await cli.json(status(), as);
  expect(bare.code).toBe(3);
  expect(bare.document).toMatchObject({
    status: {
      fullPath: 'atlas/moved',
      state: 'finished',
      importType: 'gitlab_project',
      error: null,
      correlationId: expect.stringMatching(/^\w+$/) as string,
    },
    failures: [
      { failure: { relation: 'milestones', line: 1, exceptionMessage: null }, record: null },
      { failure: { relation: 'labels', line: 1 }, record: null },
    ],
  });

  const explained = await cli.json(status('--archive', 'moved.tar.gz'), as);
  expect(explained).toMatchObject({
    code: 3,
    document: {
      failures: [
        { record: { relation: 'milestones', line: 1, value: { title: null, description: 'No title' } } },
        { record: { relation: 'labels', line: 1, value: { title: null } } },
      ],
    },
  });
  const { stdout } = await cli.run(status('--archive', 'moved.tar.gz'), as);
  expect(stdout).toMatch(/correlation id +\w+/);
  expect(stdout).toMatch(
    /milestones:1 +\S+ +\(GitLab gives no reason\)\n +milestones, line 1 \(line 2 in an editor\)/,
  );
  expect(stdout).toContain('"No title"');
});

test('a failed import is reported with its error and exit code 1', async () => {
  const { cli, sandbox, otherClient, status, as } = await openScene();
  const detail = 'Disk on fire';
  sandbox.faults.add({ match: { method: 'POST' }, action: { kind: 'end-import', as: 'failed', detail } });
  await otherClient.importArchive(exportWith(), fields);
  // Only users who may import see the reason.
  const { code, stdout } = await cli.run(status(), as);
  expect(code).toBe(1);
  expect(stdout).toMatch(/state +failed/);
  expect(stdout).toMatch(/error +.*Disk on fire/);
  expect(stdout).toMatch(/delete it, or choose another path/);
});

test('a running import is reported as running, and --watch follows it to its end despite a failed request', async () => {
  const clock = new SteppedClock(Date.now());
  const { cli, sandbox, otherClient, status, as } = await openScene({ clock });
  writeFileSync(join(cli.folder, 'moved.tar.gz'), broken);
  expect((await otherClient.startImport(broken, fields)).status).toBe(201);
  const running = await cli.run(status(), as);
  expect(running.code).toBe(0);
  expect(running.stdout).toMatch(/state +(scheduled|started)[^]*--watch/);
  const uncompared = await cli.run(status('--archive', 'moved.tar.gz'), as);
  expect(uncompared.stdout).toContain('Not compared with moved.tar.gz, because the import has not ');
  expect(uncompared.code).toBe(3);
  const unknown = status('--watch', '--archive', 'other.tar.gz');
  await cli.fails(unknown, { code: 'archive-missing', exit: 2, todo: /path/ }, as);

  sandbox.faults.add({
    match: { path: '/import$', method: 'GET', nth: 2 },
    action: { kind: 'respond', status: 502, body: 'down' },
  });
  const watching = cli.start(status('--watch', '--archive', 'moved.tar.gz'), as);
  await watching.prints(/retrying soon. .*HTTP 502/);
  await clock.advance(60_000);
  const { code, stdout } = await watching.ended;
  expect(stdout).toMatch(/state +finished[^]*"No title"/);
  expect(code).toBe(3);
});

test('Ctrl-C ends --watch with 130', async () => {
  const { cli, otherClient, status, as } = await openScene({ speed: { importStartedMs: 600_000 } });
  await otherClient.startImport(exportWith(), fields);
  const running = cli.start(status('--watch'), as);
  await running.prints(/atlas\/moved: (scheduled|started)/);
  running.process.kill('SIGINT');
  expect((await running.ended).code).toBe(130);
});

test('the settings that an import of Packhorse replaced are no differences, but those of another server are', async () => {
  const { cli, sandbox } = await openScene();
  const path = './tree/project/project_feature.ndjson';
  const features = `${JSON.stringify({ issues_access_level: 0 })}\n`;
  const archive = exportWith({ [path]: member({ name: path, content: features }) });
  writeFileSync(join(cli.folder, 'moved.tar.gz'), archive);
  const maintainer = tokenOption('gl', sandbox.tokens.maintainer);
  const target = ['--instance', 'gl', '--namespace', 'atlas', '--path', 'moved'];
  const replaced = ['--override', 'issues_access_level=enabled'];
  expect((await cli.run(['import', 'file', 'moved.tar.gz', ...target, ...replaced], maintainer)).code).toBe(
    0,
  );
  const status = ['import', 'status', 'atlas/moved', '--instance', 'gl', '--archive', 'moved.tar.gz'];
  const known = await cli.json(status, maintainer);
  expect(JSON.stringify(known.document)).not.toContain('issues_access_level');
  expect(known.code).toBe(0);

  // Another server, under the same name, with a project of the same id.
  const other = await startSandbox({ clock: systemClock });
  onTestFinished(() => other.close());
  await cli.run(['instance', 'remove', 'gl', '--yes']);
  await cli.add('gl', other);
  const otherClient = new SandboxCalls(other);
  const ownId = (await sandbox.state.project('atlas/moved')).id;
  const { id } = await otherClient.importArchive(archive, {
    ...fields,
    'override_params[issues_access_level]': 'enabled',
  });
  expect(id).toBe(ownId);
  const unknown = await cli.json(status, tokenOption('gl', other.tokens.maintainer));
  expect(JSON.stringify(unknown.document)).toMatch(
    /The import may have lost or replaced them, .*issues_access_level/,
  );
  expect(unknown.code).toBe(3);
});

test('a project that is missing or was not imported is reported as such', async () => {
  const { cli, status, as } = await openScene({ projectCount: 1 });
  await cli.fails(status(), { code: 'project-missing', exit: 2, todo: /full path/ }, as);
  const notImported = await cli.run(['import', 'status', 'atlas/compass', '--instance', 'gl'], as);
  expect(notImported.code).toBe(0);
  expect(notImported.stdout).toContain('not made by an import');
  expect(notImported.stdout).not.toContain('Not compared');
  writeFileSync(join(cli.folder, 'other.tar.gz'), exportWith());
  const withArchive = ['import', 'status', 'atlas/compass', '--instance', 'gl', '--archive', 'other.tar.gz'];
  const uncompared = await cli.run(withArchive, as);
  expect(uncompared.stdout).toContain(
    'Not compared with other.tar.gz, because GitLab reports no import of this project.',
  );
  expect(uncompared.code).toBe(3);
});

test('a record that a person edited long after the import is not called lost', async () => {
  const clock = { ...systemClock, now: () => systemClock.now() - 90 * 24 * 3_600_000 };
  const { cli, sandbox, otherClient, status, as } = await openScene({ clock });
  const path = './tree/project/labels.ndjson';
  const label = `${JSON.stringify({ title: 'bug', color: '#111111' })}\n`;
  const archive = exportWith({ [path]: member({ name: path, content: label }) });
  writeFileSync(join(cli.folder, 'moved.tar.gz'), archive);
  await otherClient.importArchive(archive, fields);
  const project = await sandbox.state.project('atlas/moved');
  for (const each of project.relations['labels'] ?? []) each['color'] = '#222222';

  const { code, document } = await cli.json(status('--archive', 'moved.tar.gz'), as);
  expect(importStatusReply.parse(document).reconciliation).toMatchObject({
    missingCount: 0,
    depth: 'fields',
  });
  expect(code).toBe(0);
  const text = await cli.run(status('--archive', 'moved.tar.gz'), as);
  expect(text.stdout).toMatch(
    /may have been edited after the .*: color of labels bug \(archive "#111111", target "#222222"\)/,
  );
});

test('a finished import is compared with the archive, so that an unlisted loss is found', async () => {
  const { cli, sandbox, otherClient, status, as } = await openScene();
  const notes = [
    { note: 'First', system: false, created_at: '2026-01-01T00:00:00Z' },
    { note: 'Second', system: false, created_at: '2026-01-02T00:00:00Z' },
  ];
  const issue = `${JSON.stringify({ title: 'An issue', iid: 1, notes })}\n`;
  const archive = exportWith({
    './tree/project/issues.ndjson': member({ name: './tree/project/issues.ndjson', content: issue }),
  });
  writeFileSync(join(cli.folder, 'moved.tar.gz'), archive);
  sandbox.faults.add({ match: {}, action: { kind: 'drop-notes', relation: 'issues', count: 1 } });
  await otherClient.importArchive(archive, fields);

  const { code, document } = await cli.json(status('--archive', 'moved.tar.gz'), as);
  expect(code).toBe(3);
  const { failures, reconciliation } = importStatusReply.parse(document);
  expect(failures).toEqual([]);
  expect(reconciliation?.rows.filter((row) => row.verdict.startsWith('lost'))).toEqual([
    { relation: 'issue_notes', source: null, archive: 2, target: 1, verdict: 'lost-on-import' },
  ]);
  const text = await cli.run(status('--archive', 'moved.tar.gz'), as);
  expect(text.stdout).toMatch(/issue_notes +– +2 +1 +lost-on-import/);
});
