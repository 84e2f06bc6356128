import { describe, expect, it } from 'vitest';
import type { MigrationDraft } from '../../src-preload/contract/migration.ts';
import type { Sandbox } from '../../src-main/app/embedded-sandbox.ts';
import { nextChange, openTestSandbox, openWorld, register, type World } from '../support/world.ts';

interface Site {
  world: World;
  source: Sandbox;
  target: Sandbox;
}

async function ready(projects = 3): Promise<Site> {
  const source = await openTestSandbox({ projects });
  const target = await openTestSandbox({ projects: 0 });
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
  selection: { kind: 'all' },
  rules: ['atlas', 'atlas/tools', 'borealis'].map((from) => ({ from, to: 'maintainer' })),
  overrideParams: {},
  freeze: false,
  waveSize: null,
  ...changes,
});

/** The projects once the migration has ended. */
async function migrated({ world }: Site, migration: string) {
  for (;;) {
    const change = nextChange(world);
    const { status } = await world.client.call('migration.show', { migration });
    if (status === 'ended') break;
    await change;
  }
  const { projects } = await world.client.call('migration.projects', {
    migration,
    state: null,
    wave: null,
    search: null,
    offset: 0,
    limit: 500,
  });
  return projects;
}

const writes = (sandbox: Sandbox, path: RegExp): number =>
  sandbox.requests.filter(({ method, path: asked }) => method === 'POST' && path.test(asked)).length;

describe('a migration', () => {
  it('moves every chosen project once, and each is compared with its source', async () => {
    const site = await ready();
    const { world, source, target } = site;
    const { id } = await world.client.call('migration.create', draft());
    await world.client.call('migration.start', { migration: id, createGroups: false });
    const projects = await migrated(site, id);
    expect(projects.map(({ sourcePath, state, error }) => ({ sourcePath, state, error }))).toEqual(
      source.state.paths.toSorted().map((sourcePath) => ({ sourcePath, state: 'arrived', error: null })),
    );
    expect(writes(source, /\/export$/)).toBe(projects.length);
    expect(writes(target, /\/projects\/import$/)).toBe(projects.length);
  });
});
