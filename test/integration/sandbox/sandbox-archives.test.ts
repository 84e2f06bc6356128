import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { startSandbox, type Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { exportArchive, lines } from '../../support/archives/export-archive.ts';
import { realArchive, realArchives, withoutRealArchives } from '../../support/archives/real-archives.ts';
import { projectUrl, SandboxCalls } from '../../support/servers/sandbox-calls.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const counted = [
  'issues',
  'merge_requests',
  'milestones',
  'releases',
  'pipelines',
  'repository/branches',
  'repository/tags',
];

describe.skipIf(withoutRealArchives)('real archives', () => {
  let source: Sandbox;
  let target: Sandbox;

  beforeAll(async () => {
    const files = readdirSync(realArchives)
      .filter((name) => name.endsWith('.gz'))
      .map((name) => join(realArchives, name));
    source = await startSandbox({ clock: systemClock, seedArchives: files });
    target = await startSandbox({ clock: systemClock, seed: 2 });
  });
  afterAll(() => Promise.all([source.close(), target.close()]));

  const fileOf = (name: string) => readFileSync(realArchive(name));
  const counts = async (sandbox: Sandbox, project: string): Promise<Record<string, number>> => {
    const calls = new SandboxCalls(sandbox);
    const totals = await Promise.all(counted.map((path) => calls.total(`${projectUrl(project)}/${path}`)));
    const labels = await calls.ownLabelCount(projectUrl(project));
    return { labels, ...Object.fromEntries(counted.map((path, index) => [path, totals[index] ?? -1])) };
  };

  test('a file that is not an export is skipped and reported, and all others are seeded', () => {
    expect(source.skippedArchives.map(({ file, error }) => [file, error.code])).toEqual([
      [realArchive('symlink'), 'archive-corrupt'],
    ]);
    expect(source.state.paths).toContain('archives/gitlab-11-legacy');
  });

  test.each([
    'gitlab-15.10-minimal',
    'gitlab-13.8-sample',
    'lightweight',
    'gitlab-17.11-appledouble',
    'gitlab-11-legacy',
  ])('%s has equal counts after it is seeded, exported and imported into another instance', async (name) => {
    const archive = await new SandboxCalls(source).exportArchive(`archives/${name}`);
    const ended = await new SandboxCalls(target).importArchive(archive, {
      path: `${name}-a`,
      namespace: 'atlas',
    });
    const before = await source.state.project(`archives/${name}`);
    const after = await target.state.project(`atlas/${name}-a`);

    expect(ended).toMatchObject({ import_status: 'finished', failed_relations: [] });
    expect(await counts(target, `atlas/${name}-a`)).toEqual(await counts(source, `archives/${name}`));
    expect(after.notes).toEqual(before.notes);
    expect(after.branches).toEqual(before.branches);
  });

  test.each(['gitlab-15.10-minimal', 'gitlab-13.8-sample', 'lightweight', 'gitlab-17.11-appledouble'])(
    '%s itself imports completely',
    async (name) => {
      const ended = await new SandboxCalls(target).importArchive(fileOf(name), {
        path: name,
        namespace: 'atlas',
      });

      expect(ended).toMatchObject({ import_status: 'finished', failed_relations: [] });
      expect(await counts(target, `atlas/${name}`)).toEqual(await counts(source, `archives/${name}`));
    },
  );

  test('nested-diffnote imports without a listed failure and loses one note', async () => {
    const ended = await new SandboxCalls(target).importArchive(fileOf('nested-diffnote'), {
      path: 'nested',
      namespace: 'atlas',
    });
    const calls = new SandboxCalls(target);
    const rows = await calls.get(`${projectUrl('atlas/nested')}/merge_requests`);

    expect(ended).toMatchObject({ import_status: 'finished', failed_relations: [] });
    expect(rows).toMatchObject([{ iid: 1, user_notes_count: 1 }]);
    expect((await source.state.project('archives/nested-diffnote')).notes.merge_requests).toBe(2);
  });

  test('invalid-milestone has one failure, and its other milestone is imported', async () => {
    const ended = await new SandboxCalls(target).importArchive(fileOf('invalid-milestone'), {
      path: 'milestones',
      namespace: 'atlas',
    });

    expect(ended.import_status).toBe('finished');
    expect(ended.failed_relations).toHaveLength(1);
    expect(ended.failed_relations[0]).toMatchObject({ relation_name: 'milestones', line_number: 0 });
    expect((await target.state.project('atlas/milestones')).relations['milestones']).toMatchObject([
      { title: 'A valid milestone' },
    ]);
  });

  test.each([
    ['gitlab-11-legacy', 'invalid import format'],
    ['symlink', 'No such file or directory @ rb_sysopen - [FILTERED]'],
  ])('%s is rejected with the text %s', async (name, detail) => {
    const ended = await new SandboxCalls(target).importArchive(fileOf(name), {
      path: `${name}-refused`,
      namespace: 'atlas',
    });

    expect(ended).toMatchObject({
      import_status: 'failed',
      import_error: `Error importing repository  into atlas/${name}-refused - ${detail}`,
    });
  });
});

test('every seeded project exports and imports into another instance with equal counts and no failure', async () => {
  const source = await startSandbox({ clock: systemClock, projectCount: 9 });
  const target = await startSandbox({ clock: systemClock, seed: 2 });
  onTestFinished(async () => {
    await Promise.all([source.close(), target.close()]);
  });
  const sizes = new Set<string>();
  for (const path of source.state.paths) {
    const archive = await new SandboxCalls(source).exportArchive(path);
    const copy = `copy-${path.replaceAll('/', '-')}`;
    const ended = await new SandboxCalls(target).importArchive(archive, {
      path: copy,
      namespace: 'archives',
    });
    const before = await source.state.project(path);
    const after = await target.state.project(`archives/${copy}`);
    const size = (project: typeof before): Record<string, number> =>
      Object.fromEntries(
        Object.entries(project.relations)
          .filter(([name]) => name !== 'project_members')
          .map(([name, records]) => [name, records.length]),
      );

    expect(ended, path).toMatchObject({ import_status: 'finished', failed_relations: [] });
    expect(size(after), path).toEqual(size(before));
    expect([after.branches, after.tags, after.notes], path).toEqual([
      before.branches,
      before.tags,
      before.notes,
    ]);
    expect(after.otherFiles, path).toEqual(before.otherFiles);
    sizes.add(JSON.stringify([size(before), before.otherFiles.length]));
  }
  expect(sizes.size).toBeGreaterThanOrEqual(8);
  expect(target.state.losses).toEqual([]);
});

test('a legacy archive is read into relations and exported in the new layout', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'old-one_export.tar.gz');
  const legacy = {
    description: 'Old',
    visibility_level: 10,
    issues: [{ title: 'One', iid: 1 }],
    pipelines: [{ iid: 1, ref: 'main' }],
    labels: [],
    project_feature: { issues_access_level: 20 },
  };
  const members = { 'tree/project.json': null, VERSION: '0.2.4\n', 'project.json': JSON.stringify(legacy) };
  writeFileSync(file, await exportArchive(members));
  const sandbox = await startSandbox({
    clock: systemClock,
    seedArchives: [file, join(folder, 'missing.tar.gz')],
  });
  onTestFinished(() => sandbox.close());
  const calls = new SandboxCalls(sandbox);
  const archive = await calls.exportArchive('archives/old-one');
  const ended = await calls.importArchive(archive, { path: 'new-one', namespace: 'archives' });
  const { relationBytes, description, visibility } = await sandbox.state.project('archives/new-one');

  expect(sandbox.skippedArchives.map(({ error }) => error.code)).toEqual(['archive-missing']);
  expect(ended.import_status).toBe('finished');
  expect({ description, visibility }).toEqual({ description: 'Old', visibility: 'internal' });
  expect(relationBytes['issues']?.toString()).toBe(lines({ title: 'One', iid: 1 }));
  expect(relationBytes['ci_pipelines']?.toString()).toBe(lines({ iid: 1, ref: 'main' }));
  expect(relationBytes['project_feature']?.toString()).toBe('{"issues_access_level":20}');
  expect(relationBytes['labels']?.length).toBe(0);
});

test('a sandbox with a certificate serves HTTPS', async () => {
  const certificates = join(import.meta.dirname, '../../support/certificates');
  const read = (name: string) => readFileSync(join(certificates, `${name}.pem`), 'utf8');
  const https = { key: read('test-only-key'), cert: read('trusted') };
  const sandbox = await startSandbox({ clock: systemClock, https });
  onTestFinished(() => sandbox.close());
  const status = await new Promise((resolve, reject) => {
    const options = { ca: read('authority'), headers: { 'PRIVATE-TOKEN': sandbox.tokens.maintainer } };
    request(`${sandbox.url}/api/v4/user`, options, (reply) => {
      reply.resume();
      resolve(reply.statusCode);
    })
      .on('error', reject)
      .end();
  });

  expect(sandbox.url).toMatch(/^https:/);
  expect(status).toBe(200);
});

test('a change behind the API updates the project’s last activity', async () => {
  const sandbox = await startSandbox({ clock: systemClock, projectCount: 1 });
  onTestFinished(() => sandbox.close());
  const calls = new SandboxCalls(sandbox);
  const activity = async () =>
    ((await calls.get(projectUrl('atlas/compass'))) as { last_activity_at: string }).last_activity_at;
  const before = await activity();
  sandbox.state.append('atlas/compass', 'issues', { title: 'New', iid: 900 });

  expect(await calls.total(`${projectUrl('atlas/compass')}/issues`)).toBe(25);
  expect(await activity()).not.toBe(before);
});
