/** @file The independent verifier contradicts a stored comparison that reports too little or too much. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { isWithoutPython } from '../../verifier/run-verifier.ts';
import { addVerifiedFolder, verifyOpenFolders } from '../../verifier/verify-migration.ts';
import { openMigrationCli } from '../../support/migrations/migration-command-line.ts';
import { openMigrationScene } from '../../support/migrations/migration-scene.ts';
import { archiveFilter } from '../../support/requests.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { backUp, ended, nextChange, openTestSandbox, openWorld, register } from '../../support/world.ts';

const lossOf = (relation: string, field: string): string => `a loss on-import of ${relation}, ${field}`;

const lossOfDueDate = {
  match: { method: 'POST', path: '/projects/import$' },
  action: { kind: 'change-records', relation: 'milestones', count: 1, values: { due_date: '2031-01-02' } },
} as const;

/** Replaces the stored comparison by one that reports no loss of a record, and a loss of this setting. */
function falsifyComparison(dataDir: string, attribute: string): void {
  changeCatalogue(
    dataDir,
    `UPDATE migration_comparisons SET reconciliation =
      json_set(reconciliation, '$.reconciled', json('true'), '$.missing', json('[]'), '$.settings', json(?))`,
    JSON.stringify([{ attribute, expected: '7200', found: '3600', lost: 'on-import' }]),
  );
}

function changeCatalogue(dataDir: string, sql: string, ...values: string[]): void {
  const database = new Database(join(dataDir, 'catalogue.sqlite'));
  try {
    database.prepare(sql).run(...values);
  } finally {
    database.close();
  }
}

it.skipIf(isWithoutPython())(
  'an unreported loss, a loss that did not happen, and a wrong verdict are disagreements',
  async () => {
    const scene = await openMigrationScene(temporaryFolder(), { source: { projectCount: 16 } });
    onTestFinished(() => scene.close());
    const path = scene.source.state.paths.find((name) => name.endsWith('/caravan-2')) ?? '';
    scene.target.faults.add(lossOfDueDate);
    const { id } = await scene.migration([path]);
    await scene.start(id);
    await scene.until(id, ({ status }) => status === 'ended');
    expect(await scene.verify()).toEqual({ verified: 1, disagreements: [] });

    falsifyComparison(scene.dataDir, 'build_timeout');
    expect((await scene.verify()).disagreements).toEqual([
      `${path}: the product does not report ${lossOf('milestones, 3', 'due_date')} (lost)`,
      `${path}: only the product finds ${lossOf('settings', 'build_timeout')}`,
      `${path}: the product says that nothing is lost`,
    ]);
  },
);

it.skipIf(isWithoutPython())(
  'a command of a migration, or an instance that closes, fails the test if the stored comparison omits a loss',
  async () => {
    const { cli, target, tokens } = await openMigrationCli({ projectCount: 1 });
    target.faults.add(lossOfDueDate);
    const migration = (...args: string[]) => cli.run(['migration', ...args], tokens);
    await migration('create', 'Move', '--from', 'source', '--to', 'target', '--all');
    expect((await migration('run', 'Move', '--create-groups')).stdout).toContain('1 not all arrived');

    falsifyComparison(cli.dataDir, 'build_timeout');
    const omitted = /does not report a loss on-import of milestones, \d+, due_date \(lost\)/;
    await expect(migration('status', 'Move')).rejects.toThrow(omitted);
    falsifyComparison(cli.dataDir, 'ci_config_path');
    const verify = addVerifiedFolder(cli.dataDir);
    await expect(verifyOpenFolders()).rejects.toThrow(omitted);
    // Each comparison is verified once.
    await verify();
  },
);

it.skipIf(isWithoutPython())(
  'a test that waits for an import fails if the stored comparison omits a loss',
  async () => {
    const world = await openWorld();
    const source = await openTestSandbox({ projectCount: 1 });
    const target = await openTestSandbox({ seed: 2 });
    await register(world, 'source', source);
    await register(world, 'target', target);
    await backUp(world, 'source', 'all');
    const { archives } = await world.client.call('archive.list', archiveFilter({ limit: 1 }));
    target.faults.add(lossOfDueDate);
    const { jobId, runId } = await world.client.call('import.start', {
      ...{ instance: 'target', archive: archives[0]?.id ?? '', namespace: 'atlas', path: 'copy', name: null },
      ...{ overwrite: false, allowSuspicious: false, overrideParams: {} },
    });
    for (let change = nextChange(world); ; change = nextChange(world)) {
      const { state } = await world.client.call('job.show', { job: jobId });
      if (state.status === 'succeeded') break;
      await change;
    }
    changeCatalogue(
      world.dataDir,
      `UPDATE jobs SET result = json_set(result, '$.reconciliation.missing', json('[]')) WHERE id = ?`,
      jobId,
    );
    await expect(ended(world, runId)).rejects.toThrow(
      /^atlas\/copy: the product does not report a loss on-import of milestones, \d+, due_date \(lost\)$/,
    );
  },
);
