import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { stateFileSchema } from '../../../src-contract/archives/archive-schema.ts';
import type { Passport } from '../../../src-contract/migrations/passport-schema.ts';
import { passportIndexSchema, passportSchema } from '../../../src-contract/migrations/passport-schema.ts';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { errorText } from '../../../src-contract/error-messages.ts';
import { openMigrationScene, type MigrationScene } from '../../support/migrations/migration-scene.ts';
import { projectUrl, SandboxCalls } from '../../support/servers/sandbox-calls.ts';
import { filesContaining, encodingsOf } from '../../support/secret-search.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { ended } from '../../support/world.ts';

const [good, bad] = ['atlas/compass', 'atlas/tools/ferry'];
const tokenInText = 'glpat-AbCdEfGhIjKlMnOpQrSt';
/** A title that is too long for GitLab and as harmful as a title can be. */
const hostile = `<script>alert(1)</script>"'&\u202Egnp.\u0007\u200B${'x'.repeat(256)}`;

/** Opens a scene with two projects on the source. */
async function openScene(): Promise<MigrationScene> {
  const opened = await openMigrationScene(temporaryFolder(), { source: { projectCount: 2 } });
  onTestFinished(() => opened.close());
  return opened;
}

/** Adds a record that the target refuses to the second project. */
function addInvalidIssue({ source }: MigrationScene): void {
  const description = `The token is ${tokenInText}, sorry`;
  source.state.append(bad, 'issues', { iid: 9001, title: hostile, description, state: 'opened' });
}

async function migrated(scene: MigrationScene): Promise<string> {
  const { id } = await scene.migration([good, bad]);
  await scene.start(id);
  await scene.until(id, ({ status }) => status === 'ended');
  return id;
}

async function passports({ client }: MigrationScene, migration: string) {
  const to = temporaryFolder();
  const saved = await client.call('migration.passport', { migration, project: null, to });
  const read = (name: string): string => readFileSync(join(saved.folder, name), 'utf8');
  const index = passportIndexSchema.parse(JSON.parse(read('index.json')));
  const of = (path: string): { passport: Passport; page: string } => {
    const row = index.projects.find(({ sourcePath }) => sourcePath === path);
    if (row === undefined) throw new Error(`The index has no ${path}.`);
    return { passport: passportSchema.parse(JSON.parse(read(row.json))), page: read(row.html) };
  };
  return { ...saved, to, index, of, read };
}

/** Returns the requests that changed something in the sandbox, or may have, in order: method, path and status. */
const writesTo = (sandbox: Sandbox, about: RegExp): [string, string, number | null][] =>
  sandbox.requests
    .filter(({ method }) => method !== 'GET' && method !== 'HEAD')
    .map(({ method, path, status }): [string, string, number | null] => [
      method,
      path.replace(/^\/api\/v4/, ''),
      status,
    ])
    .filter(([, path]) => about.test(path));

it('a passport reports the same facts about each project as the instances themselves', async () => {
  const scene = await openScene();
  addInvalidIssue(scene);
  const migration = await migrated(scene);
  const { failures } = await scene.client.call('failure.list', {
    ...{ migration },
    ...{ offset: 0, limit: 500 },
  });
  await scene.client.call('failure.settle', {
    failures: failures.map(({ ref }) => ref),
    state: 'accepted',
    note: 'Basic authentication is entered by hand; signature: Anna',
  });
  // The proof of an archive is stored after the comparison.
  const proofOf = async (path: string): Promise<string | undefined> => {
    const { archives } = await scene.client.call('archive.list', { limit: 9 });
    return archives.find(({ fullPath }) => fullPath === path)?.proof?.level;
  };
  await expect.poll(() => proofOf(good)).toBe('L3');
  const { index, of, read, files } = await passports(scene, migration);
  expect(files[0]).toBe('index.html');
  expect(index.projects.map(({ sourcePath, state }) => [sourcePath, state])).toEqual([
    [good, 'arrived'],
    // Its missing records were accepted.
    [bad, 'arrived'],
  ]);
  expect(read('index.csv').split('\r\n')).toHaveLength(4);

  for (const path of [good, bad]) {
    const { passport } = of(path);
    const targetProject = await scene.target.state.project(path);
    const sourceProject = await scene.source.state.project(path);
    expect(passport.source.project).toEqual({
      id: sourceProject.id,
      fullPath: path,
      url: `${scene.source.url}/${path}`,
    });
    expect(passport.target.project).toMatchObject({ id: targetProject.id, fullPath: path });
    expect(
      passport.failures.records.map(({ relation, line, exceptionClass }) => ({
        relation,
        line,
        exceptionClass,
      })),
    ).toEqual(targetProject.importFailures);
    for (const { relation, target } of passport.reconciliation?.rows ?? []) {
      const records = targetProject.relations[relation];
      if (
        records !== undefined &&
        target !== null &&
        ['issues', 'merge_requests', 'milestones'].includes(relation)
      ) {
        expect([relation, target]).toEqual([relation, records.length]);
      }
    }
    // Every request that was sent for the project, in order, and none for the other project.
    const sourceWrites = writesTo(scene.source, new RegExp(`/projects/${sourceProject.id}/`));
    const sent = passport.requests.map(({ method, path, status }) => [method, path, status]);
    expect(sent.slice(0, sourceWrites.length)).toEqual(sourceWrites);
    expect(sent.slice(sourceWrites.length)).toEqual([['POST', '/projects/import', 201]]);
    const archive = passport.archive;
    const file = join(scene.dataDir, 'archives', archive?.path ?? '');
    expect(archive?.sha256).toBe(createHash('sha256').update(readFileSync(file)).digest('hex'));
    expect(passport.imports).toMatchObject([{ status: 'succeeded', projectId: targetProject.id }]);
    expect(passport.imports[0]?.correlationId).toMatch(/^\w{8,}$/);
    expect(passport.jobs.map(({ kind, status }) => [kind, status])).toEqual([
      ['export', 'succeeded'],
      ['import', 'succeeded'],
    ]);
    expect(
      passport.jobs.every(
        ({ steps }) => steps.length > 0 && steps.every(({ finishedAt }) => finishedAt !== null),
      ),
    ).toBe(true);
    expect(passport.check?.findings.every(({ project }) => project === null || project === path)).toBe(true);
  }
  const { passport, page } = of(bad);
  expect(passport.failures.records).toMatchObject([
    { state: 'accepted', note: 'Basic authentication is entered by hand; signature: Anna' },
  ]);
  expect(passport.reconciliation?.missing).toMatchObject([
    { relation: 'issues', iid: 9001, lost: 'on-import' },
  ]);
  expect(page).toContain('losses that were accepted');
  expect(page).toContain('Basic authentication is entered by hand; signature: Anna');
  expect(page).toContain(passport.imports[0]?.correlationId);
  const sound = of(good);
  expect(sound.passport.archive?.description?.proofs.at(-1)?.level).toBe('L3');
  expect(sound.passport.outcome).toBe('arrived');
  expect(sound.page).toContain('Contents were compared, as far as GitLab’s API shows them.');
  expect(sound.page).not.toContain('compared in part');
});

it('a passport shows the verdict of a later reading that found the archive worse', async () => {
  const scene = await openScene();
  const migration = await migrated(scene);
  const { archive } = (await passports(scene, migration)).of(good).passport;
  const stateFile = join(scene.dataDir, 'archives', `${archive?.path ?? ''}.state.json`);
  const state = stateFileSchema.parse(JSON.parse(readFileSync(stateFile, 'utf8')));
  const worse = { severity: 'warning', code: 'link', message: 'A link leads elsewhere', where: null };
  const laterReading = { at: '2026-11-20T09:30:00.000Z', verdict: 'suspicious', findings: [worse] };
  writeFileSync(stateFile, JSON.stringify({ ...state, laterReading }));
  const later = (await passports(scene, migration)).of(good).passport.archive;
  expect(later?.description).toMatchObject({ verdict: 'suspicious', findings: [worse] });
});

it('a passport contains no token, runs no script, and shows the invisible characters of a title as codes', async () => {
  const scene = await openScene();
  addInvalidIssue(scene);
  const migration = await migrated(scene);
  const { folder, of } = await passports(scene, migration);
  const secrets = [
    tokenInText,
    ...[scene.source, scene.target].flatMap(({ tokens }) => Object.values<string>({ ...tokens })),
  ];
  expect(filesContaining(folder, secrets.flatMap(encodingsOf))).toEqual([]);

  const { page, passport } = of(bad);
  expect(passport.failures.records[0]?.text).toContain('<script>alert(1)');
  for (const hidden of ['\u202E', '\u0007', '\u200B']) expect(page).not.toContain(hidden);
  expect(page).not.toMatch(/<script|javascript:|\son\w+=|https?:\/\/(?!127\.0\.0\.1)/i);
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(page).toMatch(/<span class="code"[^>]*>U\+202E<\/span>/);
  const style = /<style>([^]*)<\/style>/.exec(page)?.[1] ?? '';
  const hash = createHash('sha256').update(style).digest('base64');
  expect(page).toContain(`content="default-src &#39;none&#39;; style-src &#39;sha256-${hash}&#39;;`);
});

it('passports are saved completely or not at all, and replace nothing', async () => {
  const scene = await openScene();
  const migration = await migrated(scene);
  const to = join(temporaryFolder(), 'evidence');
  const first = await scene.client.call('migration.passport', { migration, project: null, to });
  const second = await scene.client.call('migration.passport', { migration, project: good, to });
  expect(second.files.map((name) => name.replace(/.*\./, ''))).toEqual(['html', 'json']);
  expect(new Set(readdirSync(to))).toEqual(
    new Set([first.folder, second.folder].map((path) => path.slice(to.length + 1))),
  );
  for (const { folder, files } of [first, second]) {
    expect(readdirSync(folder).toSorted()).toEqual(files.toSorted());
  }
  await expect(
    scene.client.call('migration.passport', { migration, project: null, to: join(to, 'a', 'b') }),
  ).rejects.toMatchObject({ code: 'invalid-input' });
  expect(existsSync(join(to, 'a'))).toBe(false);
  mkdirSync(join(to, 'empty'));
  await expect(
    scene.client.call('migration.passport', { migration, project: 'not/there', to: join(to, 'empty') }),
  ).rejects.toMatchObject({ code: 'project-missing' });
  expect(readdirSync(join(to, 'empty'))).toEqual([]);
  const ordinary = await scene.client.call('migration.passport', { migration, project: null, to: null });
  expect(ordinary.folder.startsWith(join(scene.dataDir, 'downloads'))).toBe(true);
});

it('finishing a project archives its source and appends the new place to the existing description, only once', async () => {
  const scene = await openScene();
  addInvalidIssue(scene);
  const migration = await migrated(scene);
  await scene.assertVerified();
  const before = await scene.source.state.project(good);
  const finish = async (project: string | null, despiteDifferences = false) => {
    const { runId, jobs, refused } = await scene.client.call('migration.finish', {
      ...{ migration, project, markSource: true, noteNewPlace: true, despiteDifferences },
    });
    expect(refused).toEqual([]);
    const done = await ended({ ...scene, dataDir: scene.dataDir }, runId);
    expect(done.map(({ state }) => state.status)).toEqual(Array.from({ length: jobs }, () => 'succeeded'));
    return jobs;
  };
  // The account has the role for both changes.
  expect(await scene.client.call('migration.finishOutlook', { migration, project: good })).toMatchObject({
    roleTooLow: [],
  });
  // Only an arrived project is finished.
  expect(await finish(null)).toBe(1);
  const after = await scene.source.state.project(good);
  expect(after).toMatchObject({
    archived: true,
    description: `${before.description ?? ''}\n\nMoved to ${scene.target.url}/${good}`,
  });
  expect(writesTo(scene.source, new RegExp(`/projects/${before.id}(/archive)?$`))).toEqual([
    ['PUT', `/projects/${before.id}`, 200],
    ['POST', `/projects/${before.id}/archive`, 201],
  ]);
  expect((await scene.source.state.project(bad)).archived).toBe(false);

  const sent = scene.source.requests.filter(({ method }) => method !== 'GET').length;
  expect(await finish(null)).toBe(1);
  expect(scene.source.requests.filter(({ method }) => method !== 'GET')).toHaveLength(sent);
  // A project with differences is finished on request; otherwise the losses are listed, and nothing is sent.
  await expect(finish(bad)).rejects.toMatchObject({
    code: 'migration-differs',
    message: `${bad} differs: 1 record of issues was lost, 1 failure is open.`,
  });
  expect(scene.source.requests.filter(({ method }) => method !== 'GET')).toHaveLength(sent);
  expect(await finish(bad, true)).toBe(1);
  expect((await scene.source.state.project(bad)).archived).toBe(true);

  const { passport } = (await passports(scene, migration)).of(good);
  expect(passport.jobs.map(({ does }) => does)).toContain('Mark as moved');
  expect(passport.requests.slice(-2).map(({ method }) => method)).toEqual(['PUT', 'POST']);
  // In a second comparison, the note on the source is no loss.
  const of = { migration, project: good };
  const { reconciliation } = await scene.client.call('migration.reconcile', of);
  expect(reconciliation).toMatchObject({ reconciled: true, settings: [] });
  expect(reconciliation.declared).toContainEqual(expect.stringMatching(/settings .* with the archive/));
});

it('a note that does not fit into the description is not written, and the description is not truncated', async () => {
  const scene = await openScene();
  const { client, source } = scene;
  const description = 'd'.repeat(1990);
  const edit = await client.call('project.change', {
    ...{
      instance: 'source',
      project: good,
      change: { kind: 'edit', attributes: { description } },
      confirmation: null,
    },
  });
  await ended({ ...scene, dataDir: scene.dataDir }, edit.runId);
  const migration = await migrated(scene);
  const { runId } = await client.call('migration.finish', {
    ...{ migration, project: good, markSource: true, noteNewPlace: true, despiteDifferences: false },
  });
  const [job] = await ended({ ...scene, dataDir: scene.dataDir }, runId);
  expect(job?.state).toMatchObject({ status: 'failed', error: { code: 'invalid-input' } });
  expect(await source.state.project(good)).toMatchObject({ description, archived: false });
});

it('an account that may write the note but not archive the source gets an error with the required role, and the fact that the note was written', async () => {
  const scene = await openScene();
  const { client, source } = scene;
  const migration = await migrated(scene);
  await scene.assertVerified();
  const token = source.tokens.maintainer;
  await client.call('instance.setToken', { name: 'source', token, keep: 'session' });
  // One request for each project reports this before anything is changed.
  const before = source.requests.length;
  const outlook = await client.call('migration.finishOutlook', { migration, project: null });
  expect(outlook).toEqual({ projects: 2, roleTooLow: [good, bad], unknown: 0 });
  const lines = source.requests.slice(before).map(({ method, path }) => `${method} ${path}`);
  expect(lines.filter((line) => /^GET .*\/projects\/\d+$/.test(line))).toHaveLength(2);
  expect(lines.filter((line) => !line.startsWith('GET ') || line.includes('/projects/'))).toHaveLength(2);
  // A source that is archived already needs no role.
  await new SandboxCalls(source, source.tokens.administrator).call(`${projectUrl(bad)}/archive`, 'POST');
  const outlookAfter = await client.call('migration.finishOutlook', { migration, project: null });
  expect(outlookAfter).toEqual({ projects: 2, roleTooLow: [good], unknown: 0 });
  const { runId } = await client.call('migration.finish', {
    ...{ migration, project: good, markSource: true, noteNewPlace: true, despiteDifferences: false },
  });
  const [job] = await ended({ ...scene, dataDir: scene.dataDir }, runId);
  expect(job?.state).toMatchObject({ status: 'failed', error: { code: 'role-too-low' } });
  if (job?.state.status !== 'failed') return;
  expect(errorText(job.state.error).what).toMatch(/role Owner.*description already names the new place\.$/);
  const after = await source.state.project(good);
  expect(after.archived).toBe(false);
  expect(after.description).toContain('Moved to ');

  const { of, read } = await passports(scene, migration);
  const { passport, page } = of(good);
  const [note, mark] = passport.requests.slice(-2).map(({ at }) => at);
  expect(passport.finishes).toMatchObject([
    {
      ...{ jobId: job.id, mark: { outcome: 'refused', at: mark }, note: { outcome: 'done', at: note } },
      ...{ newPlace: `${scene.target.url}/${good}`, error: { code: 'role-too-low' } },
    },
  ]);
  expect(page).toContain('were not made, or only in part');
  expect(page).toMatch(/refused<[^]*needs the role Owner, and was refused/);
  expect(read('index.html')).toMatch(/Mark as archived:[^]*refused[^]*needs the role Owner/);
  const askedAt = passport.finishes[0]?.askedAt;
  expect(read('index.csv')).toContain(`,${askedAt},refused,${mark},done,${note},"Marking ${good}`);
});

it('a passport names the change of a source that was not started because other work on it was in progress', async () => {
  const scene = await openScene();
  const { client, source } = scene;
  const migration = await migrated(scene);
  await scene.assertVerified();
  // The change of this project stays open, because its instance gives no final reply.
  const { id } = await source.state.project(bad);
  source.faults.add({
    match: { method: 'GET', path: `/projects/${id}$` },
    action: { kind: 'respond', status: 503, headers: { 'retry-after': '3600' } },
  });
  await client.call('project.change', {
    ...{ instance: 'source', project: bad, change: { kind: 'edit', attributes: { description: 'new' } } },
    confirmation: null,
  });
  const { runId, refused } = await client.call('migration.finish', {
    ...{ migration, project: null, markSource: true, noteNewPlace: false, despiteDifferences: false },
  });
  expect(refused).toMatchObject([{ project: bad, error: { code: 'job-busy' } }]);
  await ended({ ...scene, dataDir: scene.dataDir }, runId);
  const { of } = await passports(scene, migration);
  expect(of(good).passport.finishes).toMatchObject([{ mark: { outcome: 'done' }, note: null, error: null }]);
  expect(of(bad).passport.finishes).toMatchObject([
    { jobId: null, mark: { outcome: 'not-sent' }, note: null, error: { code: 'job-busy' } },
  ]);
  const { runs } = await client.call('run.list', { limit: 5 });
  expect(runs.find(({ id }) => id === runId)?.leftOut).toEqual({ count: 1, projects: [bad] });
});

it('finishing is rejected before a project has arrived, and if neither archiving nor the note is requested', async () => {
  const scene = await openScene();
  const { client } = scene;
  const { id } = await scene.migration([good, bad]);
  const finish = (project: string | null, wanted: boolean) =>
    client.call('migration.finish', {
      migration: id,
      project,
      markSource: wanted,
      noteNewPlace: false,
      despiteDifferences: false,
    });
  await expect(finish(null, true)).rejects.toMatchObject({ code: 'invalid-input' });
  await expect(finish(good, true)).rejects.toThrow(/was not imported/);
  await expect(finish(null, false)).rejects.toThrow(
    /choose to mark the source as archived, to note the new place, or both/,
  );
});

it('a table of placements is read back completely or not at all', async () => {
  const scene = await openScene();
  const { client } = scene;
  const { id } = await scene.migration([good, bad]);
  const { csv } = await client.call('migration.table', { migration: id });
  const saved = async () => (await client.call('migration.saveTable', { migration: id, to: null })).path;
  const first = await saved();
  expect(readFileSync(first, 'utf8')).toBe(csv);
  expect(await saved()).not.toBe(first);
  expect(await client.call('migration.fill', { migration: id, csv })).toMatchObject({ changed: 0 });
  const wanted = csv.replaceAll(',atlas,', ',borealis,');
  await expect(
    client.call('migration.fill', { migration: id, csv: `${wanted}99999,x,1\r\n` }),
  ).rejects.toMatchObject({ code: 'invalid-input' });
  const namespaces = async () => (await scene.projects(id)).map(({ placement }) => placement.namespace);
  expect(await namespaces()).toEqual(['atlas', 'atlas/tools']);
  expect(await client.call('migration.fill', { migration: id, csv: wanted })).toMatchObject({ changed: 1 });
  expect(await namespaces()).toEqual(['borealis', 'atlas/tools']);
});

it('a project is compared again on request, with the current contents of both sides, and the new comparison is stored', async () => {
  const scene = await openScene();
  const { client, source, target } = scene;
  const migration = await migrated(scene);
  const of = { migration, project: good };
  const { reconciliation: before } = await client.call('migration.reconciliation', of);
  expect(before?.reconciled).toBe(true);
  for (const { state } of [source, target])
    state.append(good, 'labels', { title: 'later', color: '#123456' });
  const compared = await client.call('migration.reconcile', of);
  const { reconciliation } = compared;
  expect(reconciliation.at > (before?.at ?? '')).toBe(true);
  // Labels have no time, so the new one of the source is not known to be lost.
  expect(reconciliation.declared).toContainEqual(
    expect.stringMatching(/newer than the export.* labels \(1\)/) as string,
  );
  const labels = reconciliation.rows.find(({ relation }) => relation === 'labels');
  expect(labels).toMatchObject({ source: 3, archive: 3, target: 4 });
  expect(await client.call('migration.reconciliation', of)).toEqual(compared);
});

it('a passport shows a failed record from the archive that it was imported from, even if a later import used another archive', async () => {
  const scene = await openMigrationScene(temporaryFolder(), { source: { projectCount: 1 } });
  onTestFinished(() => scene.close());
  const { source, target, client } = scene;
  const [path = ''] = source.state.paths;
  const { issues = [] } = (await source.state.project(path)).relations;
  source.state.append(path, 'issues', { iid: 9001, title: 'Only in the first', state: 'opened' });
  const failed = {
    ...{ id: 1_000_001, created_at: '2026-11-20T00:00:00.000Z', source: 'process_relation_item!' },
    ...{ exception_class: 'ActiveRecord::RecordInvalid', exception_message: null },
    ...{ relation_name: 'issues', line_number: issues.length },
  };
  const identity = { id: 1, path_with_namespace: path, import_status: 'failed', import_error: 'It failed.' };
  target.faults.add({
    match: { method: 'GET', path: '/projects/\\d+/import$', nth: 1 },
    action: { kind: 'respond', status: 200, body: { ...identity, failed_relations: [failed] } },
  });
  source.faults.add({
    match: { method: 'POST', path: '/export$', nth: 2 },
    action: { kind: 'drop-records', relation: 'issues', count: 1 },
  });
  const { id } = await scene.migration([path], { freeze: true });
  await scene.start(id);
  await scene.until(id, ({ status }) => status === 'ended');
  await client.call('migration.place', { migration: id, project: path, placement: { path: 'other' } });
  await client.call('migration.again', { migration: id, project: null });
  await scene.until(id, ({ status }) => status === 'ended');
  const { passport } = (await passports(scene, id)).of(path);
  expect(passport.imports.map(({ status }) => status)).toEqual(['failed', 'succeeded']);
  const { ofReplacedImports } = passport.failures;
  expect(ofReplacedImports).toMatchObject([{ relation: 'issues', line: issues.length }]);
  expect(ofReplacedImports[0]?.text).toContain('Only in the first');
});
