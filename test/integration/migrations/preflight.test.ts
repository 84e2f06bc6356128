import { globSync, rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { recordIndexFolder } from '../../../src-main/archive/records/index-files.ts';
import { uncountedSentences } from '../../../src-main/jobs/migrations/never-exported.ts';
import type { MigrationCheck, MigrationDraft } from '../../../src-contract/migrations/migration.ts';
import type { Sandbox } from '../../../src-main/services/sandbox/embedded-sandbox.ts';
import { SandboxCalls } from '../../support/servers/sandbox-calls.ts';
import { backUp, nextChange, openTestSandbox, openWorld, register, type World } from '../../support/world.ts';

type SandboxOptions = Parameters<typeof openTestSandbox>[0];
type Account = 'administrator' | 'maintainer' | 'developer' | 'bot';

interface Site {
  world: World;
  source: Sandbox;
  target: Sandbox;
}

async function ready(
  as: { source?: Account; target?: Account } = {},
  options: { source?: SandboxOptions; target?: SandboxOptions } = {},
): Promise<Site> {
  const source = await openTestSandbox({ projectCount: 3, ...options.source });
  const target = await openTestSandbox({ projectCount: 0, seed: 2, ...options.target });
  const world = await openWorld();
  await register(world, 'source', source, source.tokens[as.source ?? 'administrator']);
  await register(world, 'target', target, target.tokens[as.target ?? 'administrator']);
  return { world, source, target };
}

const draft = (changes: Partial<MigrationDraft> = {}): MigrationDraft => ({
  name: 'Move',
  source: 'source',
  target: 'target',
  selection: { kind: 'all', scope: 'member' },
  rules: [],
  overrideParams: {},
  freeze: false,
  waveSize: null,
  compare: 'contents',
  ...changes,
});

/** Selects all projects of the source by their ids, including those that the account may not export. */
async function allProjects({ source }: Site): Promise<MigrationDraft['selection']> {
  const projects = source.state.paths.map(async (fullPath) => ({
    id: (await source.state.project(fullPath)).id,
    fullPath,
  }));
  return { kind: 'projects', projects: await Promise.all(projects) };
}

async function createMigration(site: Site, changes: Partial<MigrationDraft> = {}): Promise<string> {
  const selection = await allProjects(site);
  return (await site.world.client.call('migration.create', draft({ selection, ...changes }))).id;
}

const check = ({ world }: Site, migration: string): Promise<MigrationCheck> =>
  world.client.call('migration.check', { migration });

const idsOf = ({ findings }: MigrationCheck, severity: string): string[] =>
  findings.filter((finding) => finding.severity === severity).map(({ id }) => id);

async function ended({ world }: Site, migration: string): Promise<void> {
  for (;;) {
    const change = nextChange(world);
    const { status } = await world.client.call('migration.show', { migration });
    if (status === 'ended') return;
    await change;
  }
}

/** Returns the requests to a sandbox that would change something, without the first ones, which a test sent itself. */
const writesTo = (sandbox: Sandbox, from: number): string[] =>
  sandbox.requests
    .slice(from)
    .filter(({ method }) => method !== 'GET' && method !== 'HEAD')
    .map(({ method, path }) => `${method} ${path.replace('/api/v4', '')}`);

test('the check finds no blocker for administrators, and changes nothing', async () => {
  const site = await ready();
  const migration = await createMigration(site);
  const [sourceStart, targetStart] = [site.source.requests.length, site.target.requests.length];
  const found = await check(site, migration);
  expect(idsOf(found, 'blocker')).toEqual([]);
  expect(writesTo(site.source, sourceStart)).toEqual([]);
  expect(writesTo(site.target, targetStart)).toEqual([]);
  expect(await site.world.client.call('migration.lastCheck', { migration })).toEqual({ check: found });
});

test('the check announces exactly the requests that the migration sends, in the same order within each project', async () => {
  const site = await ready();
  const { world, source, target } = site;
  const rules = [{ from: '', to: 'moved/from-afar' }];
  const migration = await createMigration(site, { freeze: true, rules });
  const { missingGroups, writes } = await check(site, migration);
  expect(missingGroups.slice(0, 2)).toEqual(['moved', 'moved/from-afar']);
  const [sourceStart, targetStart] = [source.requests.length, target.requests.length];
  await world.client.call('migration.start', { migration, createGroups: true });
  await ended(site, migration);

  const places = new Map<string, string>();
  for (const path of target.state.paths) {
    places.set(String((await target.state.project(path)).id), encodeURIComponent(path));
  }
  const named = (write: string): string =>
    write.replace(
      /\/projects\/(\d+)\/unarchive/,
      (_, id: string) => `/projects/${places.get(id) ?? id}/unarchive`,
    );
  const announced = (instance: string): string[] =>
    writes.filter((write) => write.instance === instance).map(({ method, path }) => `${method} ${path}`);
  const sent = { source: writesTo(source, sourceStart), target: writesTo(target, targetStart).map(named) };
  // Projects migrate concurrently, so only the requests of one project have an order.
  expect(sent.source.toSorted()).toEqual(announced('source').toSorted());
  expect(sent.target.toSorted()).toEqual(announced('target').toSorted());
  for (const path of source.state.paths) {
    const { id } = await source.state.project(path);
    const own = (list: string[]): string[] => list.filter((write) => write.includes(`/projects/${id}/`));
    expect(own(sent.source)).toEqual(own(announced('source')));
  }
  const groups = (list: string[]): number[] =>
    list.flatMap((write, at) => (write === 'POST /groups' ? [at] : []));
  expect(groups(sent.target)).toEqual(groups(announced('target')));
});

test('no group is planned below a personal namespace: each project with that destination is reported', async () => {
  const site = await ready();
  const migration = await createMigration(site, { rules: [{ from: '', to: 'root/team/apps' }] });
  const found = await check(site, migration);
  const below = site.source.state.paths.map((path) => `group-below-person:${path}`);
  expect(idsOf(found, 'blocker').toSorted()).toEqual(below.toSorted());
  expect(found.missingGroups).toEqual([]);
  expect(found.writes.filter(({ path }) => path === '/groups')).toEqual([]);
});

test('a group whose creation succeeded without a reply is not created again', async () => {
  const site = await ready();
  const { world, target } = site;
  target.faults.add({ match: { method: 'POST', path: '/groups$', nth: 1 }, action: { kind: 'lose-reply' } });
  const migration = await createMigration(site, { rules: [{ from: '', to: 'moved' }] });
  const { missingGroups } = await check(site, migration);
  await world.client.call('migration.start', { migration, createGroups: true });
  await ended(site, migration);
  expect(writesTo(target, 0).filter((write) => write === 'POST /groups')).toHaveLength(missingGroups.length);
  const { projects } = await world.client.call('migration.show', { migration });
  expect(projects.failed).toBe(0);
});

test('a migration starts only after a check, with every blocker overridden and its missing groups created', async () => {
  const site = await ready({ target: 'maintainer' });
  const { client } = site.world;
  const migration = await createMigration(site, { rules: [{ from: '', to: 'frozen' }] });
  const start = (createGroups: boolean) => client.call('migration.start', { migration, createGroups });
  await expect(start(true)).rejects.toMatchObject({ code: 'migration-blocked' });
  const found = await check(site, migration);
  for (const finding of idsOf(found, 'blocker')) {
    await expect(start(true)).rejects.toMatchObject({ code: 'migration-blocked' });
    const overridden = await client.call('migration.override', { migration, finding, note: 'I know.' });
    expect(overridden.overridden?.note).toBe('I know.');
  }
  expect((await client.call('migration.show', { migration })).check?.blockers).toBe(0);
  await expect(start(false)).rejects.toMatchObject({ code: 'migration-blocked' });
  // An override belongs to the finding and still applies to the next check; a change requires a new check.
  await client.call('migration.change', { migration, changes: { freeze: true } });
  await expect(start(true)).rejects.toMatchObject({ code: 'migration-blocked' });
  await check(site, migration);
  expect((await client.call('migration.show', { migration })).check?.blockers).toBe(0);
  await expect(start(true)).resolves.toMatchObject({ status: 'running' });
});

test('the check reports in advance what the accounts may not do', async () => {
  const site = await ready({ target: 'bot' }, { target: { disabledFeatures: ['import'] } });
  const migration = await createMigration(site);
  // The migration was created with an account that has more rights.
  const { tokens } = site.source;
  await site.world.client.call('instance.setToken', {
    name: 'source',
    token: tokens.developer,
    keep: 'session',
  });
  const found = await check(site, migration);
  expect(idsOf(found, 'blocker')).toEqual(
    expect.arrayContaining([
      'bot-cannot-import',
      'group-role-too-low:atlas',
      ...site.source.state.paths.map((path) => `source-role-too-low:${path}`),
    ]),
  );
  expect(idsOf(found, 'info')).toContain('settings-unknown');
  expect(idsOf(found, 'warning')).toContain('users-not-mapped');
});

test('problems in the admin settings of an instance are found if the account may read these settings', async () => {
  const site = await ready(
    {},
    {
      source: { maxExportSize: 1, disabledFeatures: ['export'], version: '18.5.0-ee' },
      target: { disabledFeatures: ['import'], version: '17.11.0-ee' },
    },
  );
  const [first = ''] = site.source.state.paths;
  const migration = await createMigration(site, { rules: [{ from: '', to: 'frozen' }] });
  const found = await check(site, migration);
  expect(idsOf(found, 'blocker')).toEqual(
    expect.arrayContaining(['export-disabled', 'import-disabled', `export-too-large:${first}`]),
  );
  expect(idsOf(found, 'warning')).toContain('target-older');
});

test('the check reports a destination that is taken, redirects to another project, is too private or is impossible', async () => {
  const site = await ready({}, { target: { projectCount: 3 } });
  const { world, source, target } = site;
  const [taken = '', renamed = '', impossible = ''] = source.state.paths;
  const targetCalls = new SandboxCalls(target, target.tokens.administrator);
  await targetCalls.call(`/projects/${encodeURIComponent(renamed)}`, 'PUT', { path: 'elsewhere' });
  await targetCalls.call('/groups', 'POST', { name: 'closed', path: 'closed', visibility: 'private' });
  const migration = await createMigration(site, { overrideParams: { visibility: 'public' } });
  const place = (project: string, placement: { namespace?: string; path?: string }) =>
    world.client.call('migration.place', { migration, project, placement });
  await place(impossible, { namespace: 'closed', path: 'wikis' });
  const found = await check(site, migration);
  expect(idsOf(found, 'blocker').toSorted()).toEqual([
    `place-impossible:${impossible}`,
    `target-taken:${taken}`,
  ]);
  expect(idsOf(found, 'warning')).toEqual(
    expect.arrayContaining([`target-redirect:${renamed}`, `visibility-lowered:${impossible}`]),
  );
});

test('the check counts for each project what no export contains, and reports an export that is already running', async () => {
  const site = await ready({}, { source: { speed: { exportStartedMs: 60_000 } } });
  const { source } = site;
  const [first = '', second = ''] = source.state.paths;
  const sourceCalls = new SandboxCalls(source, source.tokens.administrator);
  const at = `/projects/${encodeURIComponent(first)}`;
  await sourceCalls.call(`${at}/variables`, 'POST', { key: 'DEPLOY_TO', value: 'production' });
  await sourceCalls.call(`${at}/variables`, 'POST', { key: 'COLOUR', value: 'green' });
  await sourceCalls.call(`${at}/hooks`, 'POST', { url: 'https://example.test/hook' });
  await sourceCalls.call(`${at}/registry/repositories`, 'POST', { name: 'image' });
  await sourceCalls.call(`/projects/${encodeURIComponent(second)}/export`, 'POST');
  const migration = await createMigration(site);
  await expect.poll(() => sourceCalls.exportStatus(second)).toBe('started');
  const { findings } = await check(site, migration);
  const carried = findings.find(({ id }) => id === `not-carried:${first}`);
  expect(carried?.message).toContain('2 CI/CD variables, 1 webhook, 1 container image repository');
  expect(carried?.message).toContain(uncountedSentences.join(' '));
  expect(carried?.advice).toContain('pull the images');
  expect(findings.map(({ id }) => id)).toContain(`export-under-way:${second}`);
});

test('the check reports problems of a stored archive of a project with the other findings', async () => {
  const site = await ready();
  const { source, world } = site;
  const [first = ''] = source.state.paths;
  source.state.append(first, 'issues', { iid: 999, title: null, author_id: 1, state: 'opened' });
  await backUp(world, 'source', [first]);
  const { findings } = await check(site, await createMigration(site));
  const found = findings.find(({ id }) => id === `archive-title-missing:${first}`);
  expect(found).toMatchObject({ severity: 'warning', message: expect.stringContaining('issues:') as string });
});

test('the check reports that the records of a stored archive could not be read', async () => {
  const site = await ready({}, { source: { projectCount: 1 } });
  const [path = ''] = site.source.state.paths;
  await backUp(site.world, 'source', [path]);
  const migration = await createMigration(site);
  expect(idsOf(await check(site, migration), 'warning')).not.toContain(`archive-records-not-read:${path}`);
  const [folder = ''] = globSync(`${site.world.dataDir}/**/${recordIndexFolder}`);
  rmSync(folder, { recursive: true });
  writeFileSync(folder, 'A file in the place of the folder.');
  expect(idsOf(await check(site, migration), 'warning')).toContain(`archive-records-not-read:${path}`);
});

test('a migration within one instance is reported, and a project may never replace itself', async () => {
  const site = await ready();
  const { client } = site.world;
  const migration = await createMigration(site, { target: 'source' });
  const [first = ''] = site.source.state.paths;
  const placement = { overwrite: true };
  await client.call('migration.place', { migration, project: first, placement });
  const found = await check(site, migration);
  expect(idsOf(found, 'warning')).toContain('same-instance');
  expect(idsOf(found, 'blocker')).toEqual(
    site.source.state.paths.map((path) => `target-is-source:${path}`).toSorted(),
  );
});

test('a migration without projects is neither checked nor started', async () => {
  const site = await ready();
  const { client } = site.world;
  const migration = await createMigration(site);
  for (const project of site.source.state.paths) {
    await client.call('migration.place', { migration, project, leftOut: true });
  }
  const nothingToMove = {
    code: 'invalid-input',
    message: expect.stringContaining('nothing to move') as string,
  };
  await expect(check(site, migration)).rejects.toMatchObject(nothingToMove);
  await expect(client.call('migration.start', { migration, createGroups: true })).rejects.toMatchObject(
    nothingToMove,
  );
  expect(await client.call('migration.show', { migration })).toMatchObject({ status: 'draft' });
});
