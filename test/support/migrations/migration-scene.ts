/** @file Two sandboxes and the whole product, for tests and benches that migrate many projects at once. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { App } from '../../../src-main/compose/app.ts';
import { composeApp } from '../../../src-main/compose/compose.ts';
import { inProcessClient, type Client } from '../../../src-main/bridge/transports/in-process.ts';
import { systemClock, type Clock } from '../../../src-main/platform/clock.ts';
import { createDataPaths } from '../../../src-main/platform/paths.ts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../src-main/sandbox/sandbox.ts';
import type { Verification } from '../../verifier/run-verifier.ts';
import { addVerifiable } from '../../verifier/verifiable-instances.ts';
import {
  findDisagreements,
  leaveUnverified,
  verifyMigrations,
  type UnverifiedReason,
} from '../../verifier/verify-migration.ts';
import type { Reconciliation } from '../../../src-contract/transfers/import.ts';
import { reconciliationSchema } from '../../../src-contract/transfers/import-schema.ts';
import type {
  MigratingProject,
  Migration,
  MigrationDraft,
} from '../../../src-contract/migrations/migration.ts';

const debounceMs = 100;

type Options = Partial<SandboxOptions>;

export interface MigrationScene {
  source: Sandbox;
  target: Sandbox;
  app: App;
  client: Client;
  dataDir: string;
  /** The account that imports the projects. */
  importer: keyof Sandbox['tokens'];
  /** Creates a migration of these projects from `source` to `target` that keeps every group. */
  migration(paths: readonly string[], changes?: Partial<MigrationDraft>): Promise<Migration>;
  /** Runs the preflight, overrides its blockers, and starts the migration. */
  start(id: string): Promise<void>;
  /** Resolves once the migration satisfies `isReached`. */
  until(id: string, isReached: (migration: Migration) => boolean): Promise<Migration>;
  projects(id: string): Promise<MigratingProject[]>;
  /** Verifies the comparisons stored so far, and leaves all later ones unverified, for this reason. */
  leaveUnverified(reason: UnverifiedReason): Promise<void>;
  /** Compares every stored comparison that was not verified with the independent verifier, which needs both instances. */
  verify(): Promise<Verification>;
  /** Throws if the verifier disagrees with a new comparison. Call it before a project changes, because it reads the project. */
  assertVerified(): Promise<void>;
  /** Verifies every stored comparison that was not verified. Throws if the verifier disagrees with one. */
  close(): Promise<void>;
}

/**
 * Registers both instances with the tokens of their administrators, so members arrive, too. The source has only projects
 * with few records, unless its options say otherwise.
 */
export async function openMigrationScene(
  folder: string,
  {
    source: from = {},
    target: to = {},
    importer = 'administrator',
    clock = systemClock,
  }: {
    source?: Options;
    target?: Options;
    importer?: keyof Sandbox['tokens'];
    clock?: Clock;
  } = {},
): Promise<MigrationScene> {
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir, { recursive: true });
  const source = await startSandbox({ clock: systemClock, areProjectsLight: true, ...from });
  const target = await startSandbox({ clock: systemClock, seed: 2, ...to });
  const app = await composeApp({ env: {}, dataDir, clock });
  const client = inProcessClient(app.dispatch, new AbortController().signal);
  for (const [name, sandbox] of Object.entries({ source, target })) {
    const { url, tokens } = sandbox;
    addVerifiable(sandbox);
    const token = name === 'target' ? tokens[importer] : tokens.administrator;
    await client.call('instance.setToken', { name, token, keep: 'session' });
    await client.call('instance.add', { name, url, caFile: null, pace: 'sandbox', keep: 'session' });
  }
  app.startJobs(() => true);

  const ids = async (paths: readonly string[]) =>
    Promise.all(paths.map(async (fullPath) => ({ id: (await source.state.project(fullPath)).id, fullPath })));
  return {
    source,
    target,
    app,
    client,
    dataDir,
    importer,
    migration: async (paths, changes = {}) =>
      client.call('migration.create', {
        name: 'Move',
        source: 'source',
        target: 'target',
        selection: { kind: 'projects', projects: await ids(paths) },
        rules: [],
        overrideParams: {},
        freeze: false,
        waveSize: null,
        ...changes,
      }),
    async start(migration) {
      const { findings } = await client.call('migration.check', { migration });
      for (const { id: finding, severity } of findings) {
        if (severity !== 'blocker') continue;
        await client.call('migration.override', { migration, finding, note: 'Accepted for the test.' });
      }
      await client.call('migration.start', { migration, createGroups: false });
    },
    until: (migration, isReached) =>
      new Promise((resolve, reject) => {
        let pending = false;
        const poll = async (): Promise<void> => {
          if (pending) return;
          pending = true;
          // Changes within this time need only one read.
          await systemClock.sleep(debounceMs);
          pending = false;
          const shown = await client.call('migration.show', { migration });
          if (!isReached(shown)) return;
          unsubscribe();
          resolve(shown);
        };
        const unsubscribe = app.subscribe(() => {
          poll().catch(reject);
        });
        poll().catch(reject);
      }),
    async projects(migration) {
      const everything = { state: null, wave: null, search: null };
      const found: MigratingProject[] = [];
      for (;;) {
        const page = { offset: found.length, limit: 500 };
        const { projects, total } = await client.call('migration.projects', {
          migration,
          ...everything,
          ...page,
        });
        found.push(...projects);
        if (found.length >= total) return found;
      }
    },
    verify: () => findDisagreements(dataDir),
    assertVerified: () => verifyMigrations(dataDir),
    leaveUnverified: (reason) => leaveUnverified(dataDir, reason),
    async close() {
      await verifyMigrations(dataDir).finally(async () => {
        await app.close();
        await Promise.all([source.close(), target.close()]);
      });
    },
  };
}

/** Returns the stored comparison of each project, by its path on the source. */
export function storedReconciliations(dataDir: string): Map<string, Reconciliation> {
  const database = new Database(createDataPaths(dataDir).catalogue, { readonly: true });
  try {
    const rows = database
      .prepare(
        'SELECT source_path AS path, reconciliation FROM migration_comparisons JOIN migration_projects USING (migration_id, source_id)',
      )
      .all() as { path: string; reconciliation: string }[];
    return new Map(
      rows.map(({ path, reconciliation }) => [path, reconciliationSchema.parse(JSON.parse(reconciliation))]),
    );
  } finally {
    database.close();
  }
}
