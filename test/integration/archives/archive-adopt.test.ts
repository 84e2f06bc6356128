/** @file Export files from elsewhere become archives of the store, for a project that is known or marked as unknown. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { ArchiveSummary, Manifest } from '../../../src-contract/archives/archive.ts';
import type { CallReply, CallRequest } from '../../../src-contract/calls.ts';
import { ArchiveIndex } from '../../../src-main/catalogue/archives/archive-index.ts';
import { openCatalogue } from '../../../src-main/catalogue/database.ts';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { archive, exportMembers, exportWith, member } from '../../support/archives/archive-builder.ts';
import { Cli, tokenOption } from '../../support/processes/cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { planDraft } from '../../support/jobs/plan-draft.ts';
import { ShiftedClock } from '../../support/clocks/shifted-clock.ts';
import { openTestSandbox, openWorld, register, type World } from '../../support/world.ts';
import { archiveFilter } from '../../support/requests.ts';

/** The time of the members that `exportWith` writes. */
const memberTime = '2021-01-14T08:25:36.000Z';
const withIssue = (title: string): Buffer =>
  exportWith({
    './tree/project/issues.ndjson': member({
      name: './tree/project/issues.ndjson',
      content: `${JSON.stringify({ title })}\n`,
    }),
  });

async function worldOfGl(): Promise<World> {
  const world = await openWorld();
  await register(world, 'gl', await openTestSandbox({ projectCount: 2 }));
  await world.client.call('instance.refresh', { name: 'gl', visible: false });
  return world;
}

function file(name: string, bytes = exportWith()): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, bytes);
  return path;
}

const adopt = (
  world: World,
  files: Record<string, string>,
  more: Partial<CallRequest<'archive.adopt'>> = {},
): Promise<CallReply<'archive.adopt'>> =>
  world.client.call('archive.adopt', {
    instance: 'gl',
    files: Object.entries(files).map(([path, fullPath]) => ({ file: path, fullPath })),
    prove: false,
    ...more,
  });

const stored = async (world: World): Promise<ArchiveSummary[]> =>
  (await world.client.call('archive.list', archiveFilter())).archives;

test('an adopted file is stored like a backup, under the project id from the project list', async () => {
  const world = await worldOfGl();
  const path = file('whatever.tar.gz');
  const reply = await adopt(world, { [path]: 'Atlas/Compass' });
  expect(reply).toMatchObject({
    projects: [{ fullPath: 'atlas/compass', why: null }],
    files: [{ file: path, outcome: 'adopted', datedBy: 'members', proven: false, error: null }],
  });
  const [kept, ...others] = await stored(world);
  expect(others).toEqual([]);
  expect(reply.files[0]?.archive).toEqual(kept);
  expect(kept).toMatchObject({
    absent: false,
    fullPath: 'atlas/compass',
    storedAt: memberTime,
    proof: { level: 'L2' },
  });
  const id = reply.projects[0]?.projectId ?? 0;
  expect(kept?.path).toMatch(new RegExp(`/atlas/compass/20210114T082536000Z-${id}_export\\.tar\\.gz$`));
  const place = kept?.absolutePath ?? '';
  expect(readFileSync(place).equals(readFileSync(path))).toBe(true);
  const manifest = JSON.parse(readFileSync(`${place}.manifest.json`, 'utf8')) as Manifest;
  expect(manifest).toMatchObject({
    project: { id, fullPath: 'atlas/compass' },
    jobId: null,
    sourceCounts: null,
    adopted: { fileName: 'whatever.tar.gz', datedBy: 'members' },
  });
  expect(readdirSync(dirname(place)).sort()).toEqual(
    ['', '.manifest.json', '.state.json'].map((end) => basename(place) + end),
  );
});

test('an unknown project id is marked as unknown in the store, in lists, after a rescan and for retention', async () => {
  const world = await worldOfGl();
  const path = file('2021-01-14_08-25-123_gone_project_export.tar.gz');
  const other = file('other.tar.gz', withIssue('Other'));
  const reply = await adopt(world, { [path]: 'gone/project', [other]: 'gone/other' });
  expect(reply.projects).toMatchObject([
    { fullPath: 'gone/project', projectId: null, why: { code: 'project-missing' } },
    { fullPath: 'gone/other', projectId: null },
  ]);
  const before = await stored(world);
  expect(before.map(({ projectId, fullPath }) => ({ projectId, fullPath }))).toEqual(
    expect.arrayContaining([
      { projectId: null, fullPath: 'gone/project' },
      { projectId: null, fullPath: 'gone/other' },
    ]),
  );
  expect(before[0]?.path).toMatch(/Z-unknown_export\.tar\.gz$/);
  // Two unknown projects are not one project.
  const listed = await world.client.call('archive.projects', { search: null, offset: 0, limit: 10 });
  expect(listed.projects).toMatchObject([
    { fullPath: 'gone/other', projectId: null, archives: 1 },
    { fullPath: 'gone/project', projectId: null, archives: 1 },
  ]);
  await world.app.close();
  for (const part of ['', '-wal', '-shm'])
    rmSync(join(world.dataDir, `catalogue.sqlite${part}`), { force: true });
  const again = await openWorld({ dataDir: world.dataDir });
  expect(await stored(again)).toEqual(before);

  const catalogue = openCatalogue({ path: join(world.dataDir, 'catalogue.sqlite'), clock: systemClock });
  const index = new ArchiveIndex(catalogue, { pathOf: () => '/', isAbsent: () => false });
  const [{ instanceName, instanceUrl, fullPath } = { instanceName: '', instanceUrl: '', fullPath: '' }] =
    before;
  const numbers = catalogue.column('SELECT project_id FROM archives') as number[];
  for (const projectId of [null, ...numbers]) {
    expect(index.listForProject({ instanceName, instanceUrl, projectId, fullPath })).toEqual([]);
  }
  catalogue.close();
});

test('an unknown identity is set later, beside the manifest, and a wrong one is corrected by setting it again', async () => {
  const world = await worldOfGl();
  const path = file('one.tar.gz');
  await adopt(world, { [path]: 'gone/project' });
  const [before] = await stored(world);
  const identify = (fullPath: string, archive = before?.id ?? '') =>
    world.client.call('archive.identify', { archive, instance: 'gl', fullPath });
  await expect(identify('gone/other')).rejects.toMatchObject({ code: 'project-missing' });
  expect(await stored(world)).toEqual([before]);

  const manifest = readFileSync(`${before?.absolutePath ?? ''}.manifest.json`);
  expect((await identify('atlas/tools/ferry')).summary).toMatchObject({ fullPath: 'atlas/tools/ferry' });
  const { summary, state } = await identify('atlas/compass');
  expect(summary).toMatchObject({ id: before?.id, path: before?.path, fullPath: 'atlas/compass' });
  expect(summary.projectId).toBe(state.identified?.project.id);
  expect(readFileSync(`${before?.absolutePath ?? ''}.manifest.json`).equals(manifest)).toBe(true);
  const projects = async () =>
    (await world.client.call('archive.projects', { search: null, offset: 0, limit: 10 })).projects;
  expect(await projects()).toMatchObject([{ fullPath: 'atlas/compass', archives: 1 }]);
  // The row follows from the files alone, and files in the trash still have their project.
  await world.client.call('archive.rescan', {});
  expect(await stored(world)).toEqual([summary]);
  await world.client.call('archive.moveToTrash', { archive: summary.id });
  const trash = await world.client.call('archive.trash', {});
  expect(trash.archives).toMatchObject([{ fullPath: 'atlas/compass', path: summary.path }]);
  expect(await projects()).toEqual([]);
  await world.client.call('archive.restore', { trashed: summary.path });
  expect(await stored(world)).toEqual([{ ...summary, pinned: true }]);

  await adopt(world, { [file('known.tar.gz', withIssue('Known'))]: 'atlas/compass' });
  const known = (await stored(world)).find(({ path: place }) => !place.includes('unknown'));
  await expect(identify('atlas/compass', known?.id)).rejects.toMatchObject({ code: 'invalid-input' });
});

test('an adopted old export is kept for 30 days, and the preview shows the reason', async () => {
  const clock = new ShiftedClock(Date.now());
  const world = await openWorld({ clock });
  await register(world, 'gl', await openTestSandbox({ projectCount: 2 }));
  await world.client.call('instance.refresh', { name: 'gl', visible: false });
  await adopt(world, {
    [file('one.tar.gz', withIssue('One'))]: 'atlas/compass',
    [file('two.tar.gz', withIssue('Two'))]: 'atlas/compass',
    [file('unknown.tar.gz', withIssue('Unknown'))]: 'gone/project',
    [file('other.tar.gz', withIssue('Other'))]: 'gone/other',
  });
  const { plan } = await world.client.call('plan.save', planDraft({ instance: 'gl', keepLast: 1 }));
  const reasons = async () => {
    const preview = await world.client.call('plan.prunePreview', { id: plan.id, retention: plan.retention });
    return preview.projects.flatMap(({ archives }) => archives);
  };
  const day = 86_400_000;
  expect((await reasons()).map(({ reason }) => reason)).toEqual(['among-newest', 'taken-in']);
  clock.step(29 * day);
  // An archive of an unknown project could not be counted before, so it has its own 30 days.
  const unknown = (await stored(world)).filter(({ projectId }) => projectId === null);
  expect(unknown).toHaveLength(2);
  for (const { id } of unknown) {
    await world.client.call('archive.identify', { archive: id, instance: 'gl', fullPath: 'atlas/compass' });
  }
  clock.step(2 * day);
  const identified = new Set(unknown.map(({ id }) => id));
  const later = await reasons();
  expect(later).toHaveLength(4);
  // All four are from one day, so any of them may be the newest.
  for (const { id, reason } of later) {
    expect(['among-newest', identified.has(id) ? 'taken-in' : 'beyond-limits']).toContain(reason);
  }
  clock.step(29 * day);
  expect((await reasons()).filter(({ keep }) => !keep)).toHaveLength(3);
});

test('only the export files of a given folder are listed', async () => {
  const world = await openWorld();
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'b.tar.gz'), '');
  writeFileSync(join(folder, 'a.tar.gz'), '');
  writeFileSync(join(folder, 'notes.txt'), '');
  mkdirSync(join(folder, 'inner.tar.gz'));
  expect(await world.client.call('archive.exportsIn', { folder })).toEqual({
    files: [join(folder, 'a.tar.gz'), join(folder, 'b.tar.gz')],
  });
});

test('the same bytes are stored once for each project', async () => {
  const world = await worldOfGl();
  const path = file('one.tar.gz');
  const copy = file('two.tar.gz');
  const sameSecond = file('three.tar.gz', withIssue('Three'));
  const compass = 'atlas/compass';
  const reply = await adopt(world, { [path]: compass, [copy]: compass, [sameSecond]: compass });
  expect(reply.files.map(({ outcome }) => outcome)).toEqual(['adopted', 'present', 'adopted']);
  expect((await adopt(world, { [copy]: 'gone/x' })).files).toMatchObject([{ outcome: 'adopted' }]);
  expect((await adopt(world, { [copy]: 'gone/x' })).files).toMatchObject([{ outcome: 'present' }]);
  expect(await stored(world)).toHaveLength(3);

  // A file that is gone or has changed does not count as present.
  const [lost] = await stored(world);
  rmSync(lost?.absolutePath ?? '');
  const from = [path, sameSecond, copy].find((name) => readFileSync(name).length === lost?.sizeBytes);
  expect((await adopt(world, { [from ?? '']: lost?.fullPath ?? '' })).files).toMatchObject([
    { outcome: 'adopted' },
  ]);
});

test('an unreliable file is refused and leaves no file behind, and the other files are adopted', async () => {
  const world = await worldOfGl();
  const cut = file('cut.tar.gz', exportWith().subarray(0, 400));
  const page = file('page.tar.gz', Buffer.from('<html>'));
  const gone = join(temporaryFolder(), 'gone.tar.gz');
  const good = file('good.tar.gz');
  const files = {
    [cut]: 'atlas/compass',
    [page]: 'atlas/compass',
    [gone]: 'atlas/compass',
    [good]: 'atlas/compass',
  };
  const reply = await adopt(world, files);
  expect(reply.files.map(({ outcome, error }) => error?.code ?? outcome)).toEqual([
    'archive-corrupt',
    'archive-corrupt',
    'archive-missing',
    'adopted',
  ]);
  const [kept] = await stored(world);
  expect(readdirSync(dirname(kept?.absolutePath ?? ''))).toHaveLength(3);
  // An archive of the store cannot be adopted into the same store, under any project.
  const itself = await adopt(world, { [kept?.absolutePath ?? '']: 'gone/x' }, { prove: true });
  expect(itself.files).toMatchObject([
    { outcome: 'refused', error: { code: 'already-exists' }, proven: false },
  ]);
});

test('an export without times inside is dated by the time of its file, or by the adoption if the file has no time', async () => {
  const world = await worldOfGl();
  const undated = archive(...exportMembers(0).values());
  const zeroed = file('zero.tar.gz', undated);
  utimesSync(zeroed, new Date('2022-02-02T02:02:02Z'), new Date('2022-02-02T02:02:02Z'));
  const older = file('older.tar.gz', undated);
  utimesSync(older, new Date(0), new Date(0));
  const reply = await adopt(world, { [zeroed]: 'atlas/compass', [older]: 'gone/x' });
  expect(reply.files).toMatchObject([
    { datedBy: 'file', archive: { storedAt: '2022-02-02T02:02:02.000Z' } },
    { datedBy: 'adoption' },
  ]);
});

test('a rescan lists files without a manifest, adopts none of them, and no longer lists them once they are adopted and deleted', async () => {
  const world = await worldOfGl();
  await adopt(world, { [file('first.tar.gz')]: 'atlas/compass' });
  const [kept] = await stored(world);
  const folder = join(kept?.absolutePath ?? '', '../../..');
  const untracked = join(folder, 'old-export.tar.gz');
  writeFileSync(untracked, withIssue('Old'));
  writeFileSync(join(folder, 'notes.txt'), 'mine');
  expect(await world.client.call('archive.rescan', {})).toMatchObject({
    found: 1,
    withoutManifest: [untracked],
  });
  const reply = await adopt(world, { [untracked]: 'atlas/compass' }, { prove: true });
  expect(reply.files).toMatchObject([{ outcome: 'adopted', proven: true }]);
  expect(await world.client.call('archive.rescan', {})).toMatchObject({
    found: 2,
    withoutManifest: [untracked],
  });
  rmSync(untracked);
  expect(await world.client.call('archive.rescan', {})).toMatchObject({ found: 2, withoutManifest: [] });
});

test('the command adopts a folder with a map, moves the proven files, and reports files that are already stored when it is repeated', async () => {
  const cli = new Cli();
  const sandbox = await openTestSandbox({ projectCount: 1 });
  await cli.add('gl', sandbox);
  const as = tokenOption('gl', sandbox.tokens.maintainer);
  const exports = join(cli.folder, 'exports');
  mkdirSync(exports);
  writeFileSync(join(exports, '2021-01-14_08-25-123_atlas_compass_export.tar.gz'), exportWith());
  writeFileSync(join(exports, 'odd, name.tar.gz'), withIssue('Odd'));
  writeFileSync(join(exports, 'readme.txt'), 'not an export');
  const map = join(cli.folder, 'map.csv');
  const command = ['archive', 'adopt', 'exports', '--instance', 'gl', '--map', 'map.csv', '--move'];
  writeFileSync(map, 'project,file\r\natlas/compass,2021-01-14_08-25-123_atlas_compass_export.tar.gz\r\n');
  await cli.fails(command, { code: 'invalid-input', exit: 2, todo: /nothing was changed/ }, as);
  expect(readdirSync(exports)).toHaveLength(3);
  writeFileSync(map, `${readFileSync(map, 'utf8')}gone/x,"exports/odd, name.tar.gz"\r\n`);
  const moved = await cli.run(command, as);
  expect(moved.stderr).toBe('');
  expect(moved.stdout).toMatch(/^MOVED .*compass_export\.tar\.gz → .*\(atlas\/compass, made 2021-01-14/m);
  expect(moved.stdout).toMatch(/The id of gone\/x is not known.*an unknown identity/);
  expect(moved.stdout).toMatch(/^2 archives adopted\.$/m);
  expect(moved.code).toBe(3);
  expect(readdirSync(exports)).toEqual(['readme.txt']);

  const list = await cli.run(['archive', 'list']);
  expect(list.stdout).toMatch(/gone\/x \(identity unknown\)/);
  writeFileSync(join(exports, 'again_export.tar.gz'), exportWith());
  const again = ['archive', 'adopt', 'exports/again_export.tar.gz', '--instance', 'gl'];
  expect(await cli.json([...again, '--project', 'atlas/compass'], as)).toMatchObject({
    code: 0,
    document: { files: [{ outcome: 'present', moved: false }] },
  });
  expect(existsSync(join(exports, 'again_export.tar.gz'))).toBe(true);
  await cli.fails(again, { code: 'invalid-input', exit: 2, todo: /nothing was changed/ }, as);
  const none = await cli.run([...again, '--project', 'atlas/compass'], as);
  expect(none.stdout).toMatch(/^No archive was adopted, 1 file is in the store already\.$/m);

  // The same bytes are adopted again under another name; a hash then matches both.
  await cli.run([...again, '--project', 'gone/y'], as);
  const listed = (await cli.json(['archive', 'list'])).document as { archives: ArchiveSummary[] };
  const twice = listed.archives.filter(({ fullPath }) => /compass|gone\/y/.test(fullPath));
  const [first, second] = twice;
  expect([twice.length, first?.sha256]).toEqual([2, second?.sha256]);
  const shown = await cli.run(['archive', 'show', first?.sha256.slice(0, 12) ?? '']);
  expect(shown.stdout).toMatch(/^2 archives have the same bytes .* This is one of them; the other is:$/m);
  for (const { path } of twice) expect(shown.stdout).toContain(path);

  const unknown = twice.find(({ projectId }) => projectId === null)?.path ?? '';
  const identify = ['archive', 'identify', unknown, '--instance', 'gl', '--project'];
  await cli.fails([...identify, 'gone/y'], { code: 'project-missing', exit: 2, todo: /full path/ }, as);
  const identified = await cli.run([...identify, 'atlas/compass'], as);
  expect(identified.stdout).toMatch(/now belongs to atlas\/compass on gl \(id \d+\)\. .*30 days/);
  expect((await cli.run(['archive', 'show', unknown])).stdout).toMatch(/^atlas\/compass \(id \d+\) of http/m);
});
