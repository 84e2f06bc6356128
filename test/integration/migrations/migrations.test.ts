import { describe, expect, it } from 'vitest';
import type { MigrationDraft } from '../../../src-contract/migrations/migration.ts';
import type { Sandbox } from '../../../src-main/services/sandbox/embedded-sandbox.ts';
import { storedReconciliations } from '../../support/migrations/migration-scene.ts';
import { nextChange, openTestSandbox, openWorld, register, type World } from '../../support/world.ts';

interface Site {
  world: World;
  source: Sandbox;
  target: Sandbox;
}

async function ready(projects = 3): Promise<Site> {
  const source = await openTestSandbox({ projectCount: projects });
  const target = await openTestSandbox({ projectCount: 0 });
  const world = await openWorld();
  await register(world, 'source', source);
  await register(world, 'target', target);
  return { world, source, target };
}

/** Every project goes to the account's own namespace, whatever its group. */
const draft = (changes: Partial<MigrationDraft> = {}): MigrationDraft => ({
  name: 'Move',
  source: 'source',
  target: 'target',
  selection: { kind: 'all', scope: 'member' },
  rules: ['atlas', 'atlas/tools', 'borealis'].map((from) => ({ from, to: 'maintainer' })),
  overrideParams: {},
  freeze: false,
  waveSize: null,
  compare: 'contents',
  ...changes,
});

/** Returns the projects once the migration has ended. */
async function migrated({ world }: Site, migration: string) {
  for (;;) {
    const change = nextChange(world);
    const { status } = await world.client.call('migration.show', { migration });
    if (status === 'ended') break;
    await change;
  }
  const { projects } = await world.client.call('migration.projects', {
    migration,
    offset: 0,
    limit: 500,
  });
  return projects;
}

const countPosts = (sandbox: Sandbox, path: RegExp): number =>
  sandbox.requests.filter(({ method, path: requestPath }) => method === 'POST' && path.test(requestPath))
    .length;

describe('a migration', () => {
  it('migrates every selected project once and compares it with its source', async () => {
    const site = await ready();
    const { world, source, target } = site;
    const { id } = await world.client.call('migration.create', draft());
    await world.client.call('migration.check', { migration: id });
    await world.client.call('migration.start', { migration: id, createGroups: false });
    const projects = await migrated(site, id);
    expect(projects.map(({ sourcePath, state, error }) => ({ sourcePath, state, error }))).toEqual(
      source.state.paths.toSorted().map((sourcePath) => ({ sourcePath, state: 'arrived', error: null })),
    );
    const stored = storedReconciliations(world.dataDir);
    for (const path of source.state.paths) {
      const { length: issues } = (await source.state.project(path)).relations['issues'] ?? [];
      const row = stored.get(path)?.rows.find(({ relation }) => relation === 'issues');
      expect(row, path).toMatchObject({ source: issues, archive: issues, target: issues, verdict: 'equal' });
    }
    expect(countPosts(source, /\/export$/)).toBe(projects.length);
    expect(countPosts(target, /\/projects\/import$/)).toBe(projects.length);
  });

  it('names the records that an import dropped silently, with their lines, and those that an export dropped', async () => {
    const site = await ready(2);
    const { world, source, target } = site;
    const [first = '', second = ''] = source.state.paths.toSorted();
    source.faults.add({
      match: { method: 'POST', path: '/export$', project: first },
      action: { kind: 'drop-records', relation: 'issues', count: 2 },
    });
    target.faults.add({
      match: {
        method: 'POST',
        path: '/projects/import$',
        project: `maintainer/${second.split('/').at(-1) ?? ''}`,
      },
      action: { kind: 'drop-records', relation: 'milestones', count: 1 },
    });
    const { id } = await world.client.call('migration.create', draft());
    await world.client.call('migration.check', { migration: id });
    await world.client.call('migration.start', { migration: id, createGroups: false });
    const projects = await migrated(site, id);
    expect(projects.map(({ state, missing }) => ({ state, missing }))).toEqual([
      { state: 'differs', missing: 2 },
      { state: 'differs', missing: 1 },
    ]);
    const stored = storedReconciliations(world.dataDir);
    const reconciliations = [first, second].flatMap((path) => stored.get(path) ?? []);
    expect(
      reconciliations.map(({ missing }) =>
        missing.map(({ relation, lost, line }) => ({ relation, lost, line: line !== null })),
      ),
    ).toEqual([
      [
        { relation: 'issues', lost: 'on-export', line: false },
        { relation: 'issues', lost: 'on-export', line: false },
      ],
      [{ relation: 'milestones', lost: 'on-import', line: true }],
    ]);
    for (const { missing } of reconciliations)
      for (const { iid, title } of missing) expect([iid, title]).not.toContain(null);
  });

  it('archives its sources, and unarchives the imported projects and the sources of failed projects', async () => {
    const site = await ready(2);
    const { world, source, target } = site;
    // Only an owner may archive a project.
    const token = source.tokens.administrator;
    await world.client.call('instance.setToken', { name: 'source', token, keep: 'session' });
    const [first = '', second = ''] = source.state.paths.toSorted();
    target.faults.add({
      match: {
        method: 'POST',
        path: '/projects/import$',
        project: `maintainer/${second.split('/').at(-1) ?? ''}`,
      },
      action: { kind: 'end-import', as: 'failed' },
    });
    const { id } = await world.client.call('migration.create', draft({ freeze: true }));
    await world.client.call('migration.check', { migration: id });
    await world.client.call('migration.start', { migration: id, createGroups: false });
    const projects = await migrated(site, id);
    expect(projects.map(({ state, frozen }) => ({ state, frozen }))).toEqual([
      { state: 'arrived', frozen: true },
      { state: 'failed', frozen: false },
    ]);
    const isMarked = async (instance: string, project: string) =>
      (await world.client.call('project.show', { instance, project })).archived;
    expect(await isMarked('source', first)).toBe(true);
    expect(await isMarked('source', second)).toBe(false);
    expect(await isMarked('target', `maintainer/${first.split('/').at(-1) ?? ''}`)).toBe(false);
  });
});
