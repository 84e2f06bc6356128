/** @file A migration in which one instance cannot show a single project, although it responds to all other requests. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { MigrationDraft } from '../../../src-contract/migrations/migration.ts';
import { passportSchema } from '../../../src-contract/migrations/passport-schema.ts';
import type { AppOptions } from '../../../src-main/compose/app.ts';
import type { Sandbox } from '../../../src-main/services/sandbox/embedded-sandbox.ts';
import { nextChange, openTestSandbox, openWorld, register } from '../../support/world.ts';
import { leaveUnverified } from '../../verifier/verify-migration.ts';

/** The first project by path, so that it is alone in the first of several waves. */
const broken = 'atlas/compass';
const allPaths = [broken, 'atlas/tools/ferry', 'borealis/lighthouse'];

const failsFor = (project: string) =>
  ({ match: { project }, action: { kind: 'respond', status: 500 } }) as const;

async function openScene(options: Partial<AppOptions> = {}) {
  const source = await openTestSandbox({ projectCount: 3 });
  const target = await openTestSandbox({ projectCount: 0, seed: 2 });
  const world = await openWorld(options);
  await register(world, 'source', source, source.tokens.administrator);
  await register(world, 'target', target, target.tokens.administrator);
  const { client } = world;
  const projects = async (migration: string) =>
    (await client.call('migration.projects', { migration, offset: 0, limit: 50 })).projects;
  return {
    ...{ world, client, source, target, projects },
    async create(changes: Partial<MigrationDraft> = {}) {
      const draft = { name: 'Move', source: 'source', target: 'target', rules: [], overrideParams: {} };
      const selection = { kind: 'all', scope: 'member' } as const;
      const all = { ...draft, selection, freeze: false, waveSize: null, ...changes };
      return (await client.call('migration.create', all)).id;
    },
    check: (migration: string) => client.call('migration.check', { migration }),
    /** Starts a checked migration. */
    start: (migration: string) => client.call('migration.start', { migration, createGroups: true }),
    /** Resolves with the states of the projects, by path, once the migration has ended. */
    async ended(migration: string): Promise<Record<string, string>> {
      for (;;) {
        const change = nextChange(world);
        const { status } = await client.call('migration.show', { migration });
        const rows = await projects(migration);
        if (status === 'ended') return Object.fromEntries(rows.map((row) => [row.sourcePath, row.state]));
        await change;
      }
    },
  };
}

type Scene = Awaited<ReturnType<typeof openScene>>;

const blockersOf = async (scene: Scene, migration: string) =>
  (await scene.check(migration)).findings.filter(({ severity }) => severity === 'blocker');

const requestsTo = (sandbox: Sandbox, from: number, method: string): string[] =>
  sandbox.requests.slice(from).flatMap((request) => (request.method === method ? [request.path] : []));

const arrived = { 'atlas/tools/ferry': 'arrived', 'borealis/lighthouse': 'arrived' };

describe('the check of a project that its source cannot show', () => {
  it.each([
    ['an error of the server', { kind: 'respond', status: 500 }, /The instance failed with HTTP 500/],
    ['a page of a proxy', { kind: 'html' }, /HTTP 502/],
    ['a closed connection', { kind: 'reset' }, /was lost/],
    ['a refusal', { kind: 'respond', status: 403 }, /./],
  ] as const)('names the project after %s, and blocks only that project', async (_, action, why) => {
    const scene = await openScene();
    const migration = await scene.create();
    scene.source.faults.add({ match: { project: broken }, action });
    expect(await blockersOf(scene, migration)).toEqual([
      expect.objectContaining({
        ...{ id: `source-unreadable:${broken}`, project: broken, blocksOnlyProject: true },
        message: expect.stringMatching(why) as string,
      }),
    ]);
    expect((await scene.client.call('migration.show', { migration })).check?.blockers).toBe(0);
    const others = (await scene.check(migration)).findings.filter(({ code }) => code === 'not-carried');
    expect(others.map(({ project }) => project)).toEqual(allPaths.slice(1));
    scene.source.faults.clear();
    expect(await blockersOf(scene, migration)).toEqual([]);
  });

  it('throws the error of an instance that fails for every request, and stores no findings', async () => {
    const scene = await openScene();
    const migration = await scene.create();
    // The instance fails after the check has begun.
    const action = { kind: 'respond', status: 503 } as const;
    scene.source.faults.add({ match: { project: broken }, action });
    scene.source.faults.add({ match: { path: '/user$', nth: 2, times: 99 }, action });
    await expect(scene.check(migration)).rejects.toMatchObject({ code: 'server-error' });
    expect(await scene.client.call('migration.lastCheck', { migration })).toEqual({ check: null });
  });

  it.each(['source', 'target'] as const)('throws the error if the %s can show no project', async (side) => {
    const scene = await openScene();
    const migration = await scene.create();
    scene[side].faults.add({ match: { path: '/projects/' }, action: { kind: 'respond', status: 500 } });
    await expect(scene.check(migration)).rejects.toMatchObject({ code: 'server-error' });
    expect(await scene.client.call('migration.lastCheck', { migration })).toEqual({ check: null });
  });

  it('throws the error of an instance that refuses the token or cannot be reached', async () => {
    const scene = await openScene();
    const migration = await scene.create();
    scene.source.faults.add({
      match: { project: broken, times: 1 },
      action: { kind: 'end-token', as: 'revoked' },
    });
    await expect(scene.check(migration)).rejects.toMatchObject({ code: 'token-revoked' });
    await scene.source.close();
    await expect(scene.check(migration)).rejects.toMatchObject({ code: 'connection-refused' });
    expect(await scene.client.call('migration.lastCheck', { migration })).toEqual({ check: null });
  });
});

describe('a migration with a project that its source cannot show', () => {
  it('moves the others in all waves, and the project fails with the error until it can be shown again', async () => {
    const scene = await openScene();
    const migration = await scene.create({ waveSize: 1 });
    scene.source.faults.add(failsFor(broken));
    await scene.check(migration);
    await scene.start(migration);
    expect(await scene.ended(migration)).toEqual({ [broken]: 'failed', ...arrived });
    const [failed] = await scene.projects(migration);
    expect(failed).toMatchObject({
      ...{ sourcePath: broken, importJob: null, targetId: null },
      error: { code: 'server-error', details: { status: 500, project: broken } },
    });
    expect(scene.target.state.paths.toSorted()).toEqual(allPaths.slice(1));
    scene.source.faults.clear();
    await scene.client.call('migration.again', { migration, project: null, confirmation: null });
    expect(await scene.ended(migration)).toEqual({ [broken]: 'arrived', ...arrived });
  });

  it('does not archive the source that it cannot read, and has nothing to unarchive', async () => {
    const scene = await openScene();
    const migration = await scene.create({ freeze: true });
    const { id } = await scene.source.state.project(broken);
    scene.source.faults.add(failsFor(broken));
    await scene.check(migration);
    const from = scene.source.requests.length;
    await scene.start(migration);
    expect(await scene.ended(migration)).toEqual({ [broken]: 'failed', ...arrived });
    const sent = requestsTo(scene.source, from, 'POST').filter((path) => path.includes(`/projects/${id}/`));
    expect(sent).toEqual([]);
    expect((await scene.projects(migration))[0]?.frozen).toBe(false);
  });

  it('has a passport of the project with the finding of the check and the error', async () => {
    const scene = await openScene();
    const migration = await scene.create();
    scene.source.faults.add(failsFor(broken));
    await scene.check(migration);
    await scene.start(migration);
    await scene.ended(migration);
    const to = join(scene.world.dataDir, 'passports');
    const saved = await scene.client.call('migration.passport', { migration, project: broken, to });
    const [page = '', json = ''] = saved.files.map((name) => readFileSync(join(saved.folder, name), 'utf8'));
    const { check, state } = passportSchema.parse(JSON.parse(json));
    expect(state).toBe('failed');
    expect(check?.findings).toContainEqual(
      expect.objectContaining({ id: `source-unreadable:${broken}`, severity: 'blocker' }),
    );
    expect(page).toContain(`The source cannot show ${broken}: The instance failed with HTTP 500.`);
    expect(page).toContain(`The instance failed with HTTP 500 for ${broken}.`);
  });

  it('waits with that project alone if the source fails only after the check', async () => {
    const scene = await openScene({ maxOutageMs: 1_500 });
    const migration = await scene.create({ waveSize: 1 });
    await scene.check(migration);
    scene.source.faults.add(failsFor(broken));
    await scene.start(migration);
    const reasons = new Set<string>();
    const unsubscribe = scene.world.app.subscribe(() => {
      void scene.projects(migration).then(([project]) => reasons.add(project?.waitsFor ?? ''));
    });
    expect(await scene.ended(migration)).toEqual({ [broken]: 'failed', ...arrived });
    unsubscribe();
    expect([...reasons].join('\n')).toMatch(
      /^The instance responds, but has failed for this project since \d\d:\d\d \(HTTP 500\)\.$/m,
    );
  });
});

describe('a project that the target cannot look up', () => {
  it('fails alone, and arrives once the target can', async () => {
    const scene = await openScene();
    const migration = await scene.create();
    await scene.client.call('migration.place', {
      ...{ migration, project: broken, placement: { namespace: 'root', path: 'compass' } },
    });
    scene.target.faults.add({
      match: { method: 'GET', path: '/projects/root%2Fcompass' },
      action: { kind: 'respond', status: 500 },
    });
    expect(await blockersOf(scene, migration)).toEqual([
      expect.objectContaining({ id: `target-unreadable:${broken}`, blocksOnlyProject: true }),
    ]);
    await scene.start(migration);
    expect(await scene.ended(migration)).toEqual({ [broken]: 'failed', ...arrived });
    scene.target.faults.clear();
    await scene.client.call('migration.again', { migration, project: null, confirmation: null });
    expect(await scene.ended(migration)).toEqual({ [broken]: 'arrived', ...arrived });
  });

  it('is reported for each project of a group that the target cannot show', async () => {
    const scene = await openScene();
    const migration = await scene.create({ rules: [{ from: 'borealis', to: 'frozen' }] });
    scene.target.faults.add({
      match: { path: '/groups/frozen' },
      action: { kind: 'respond', status: 500 },
    });
    const { findings, missingGroups } = await scene.check(migration);
    expect(findings.filter(({ severity }) => severity === 'blocker').map(({ id }) => id)).toEqual([
      'target-unreadable:borealis/lighthouse',
    ]);
    expect(missingGroups).not.toContain('frozen');
  });
});

it('a migration of named projects is created with the one that its source cannot show', async () => {
  const scene = await openScene();
  const projects = allPaths.map(async (fullPath) => ({
    ...{ id: (await scene.source.state.project(fullPath)).id, fullPath },
  }));
  const selection = { kind: 'projects', projects: await Promise.all(projects) } as const;
  scene.source.faults.add(failsFor(broken));
  const migration = await scene.create({ selection });
  expect((await scene.projects(migration)).map(({ sourcePath }) => sourcePath)).toEqual(allPaths);
  expect((await blockersOf(scene, migration)).map(({ id }) => id)).toEqual([`source-unreadable:${broken}`]);
  scene.source.faults.add({ match: {}, action: { kind: 'respond', status: 503 } });
  await expect(scene.create({ name: 'Again', selection })).rejects.toMatchObject({ code: 'server-error' });
});

it('a project that arrived is compared again without its source if the source cannot show it', async () => {
  const scene = await openScene();
  const migration = await scene.create();
  await scene.check(migration);
  await scene.start(migration);
  await scene.ended(migration);
  await leaveUnverified(scene.world.dataDir, 'an instance has gone');
  scene.source.faults.add(failsFor(broken));
  const { reconciliation } = await scene.client.call('migration.reconcile', { migration, project: broken });
  expect(reconciliation.declared.join('\n')).toMatch(/source could not be read: .*HTTP 500/);
  const outlook = await scene.client.call('migration.finishOutlook', { migration, project: null });
  expect(outlook).toMatchObject({ projects: 3, unknown: 1 });
});
