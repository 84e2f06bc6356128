/** @file `--compare` of migrations and imports, as users type it. */
import { expect, test } from 'vitest';
import type { Migration } from '../../../src-contract/migrations/migration.ts';
import type { ImportResult } from '../../../src-contract/runs/job.ts';
import { openMigrationCli } from '../../support/migrations/migration-command-line.ts';
import { Cli } from '../../support/processes/cli.ts';

test('an unknown depth is refused with the three depths, and nothing is created', async () => {
  const cli = new Cli();
  const create = ['migration', 'create', 'move', '--from', 'a', '--to', 'b', '--all', '--compare', 'deep'];
  for (const command of [
    create,
    ['migration', 'edit', 'move', '--compare', 'deep'],
    ['migration', 'reconcile', 'move', 'group/app', '--compare', 'deep'],
    ['import', 'file', 'app.tar.gz', '--instance', 'a', '--compare', 'deep'],
  ]) {
    const { code, stderr } = await cli.run(command);
    expect(code).toBe(2);
    expect(stderr).toContain("argument 'deep' is invalid. Allowed choices are counts, keys, contents.");
  }
});

test('a migration by counts says so, exits with 3, and compares contents later', async () => {
  const { cli, source, tokens } = await openMigrationCli({ projectCount: 2 });
  const path = source.state.paths[0] ?? '';
  const from = ['--from', 'source', '--to', 'target', '--project', path];
  const created = await cli.run(['migration', 'create', 'move', ...from, '--compare', 'keys'], tokens);
  expect(created.stdout).toContain('Compared: numbers and names.');
  await cli.run(['migration', 'edit', 'move', '--compare', 'counts'], tokens);
  const { document } = await cli.json(['migration', 'edit', 'move', '--name', 'autumn'], tokens);
  expect((document as Migration).compare).toBe('counts');
  const checked = await cli.run(['migration', 'check', 'autumn'], tokens);
  expect(checked.stdout).toMatch(/The comparison takes (about|at least) \d+ requests/);
  const ran = await cli.run(['migration', 'run', 'autumn', '--create-groups'], tokens);
  expect(ran.stdout).toContain('arrived, contents not compared');
  expect(ran.stdout).toContain('reconcile autumn PROJECT --compare contents');
  expect(ran.code).toBe(3);
  const again = await cli.run(['migration', 'reconcile', 'autumn', path], tokens);
  expect(again.stdout).toContain('Arrived, contents not compared: the numbers of records agree.');
  expect(again.code).toBe(3);
  const deeper = await cli.run(['migration', 'reconcile', 'autumn', path, '--compare', 'contents'], tokens);
  expect(deeper.stdout).toContain('\nArrived: the numbers, names and contents of records agree');
  expect(deeper.code).toBe(0);
}, 60_000);

test('an import by counts or keys says that contents were not compared, and exits with 3', async () => {
  const { cli, source, tokens } = await openMigrationCli({ projectCount: 2 });
  const path = source.state.paths[0] ?? '';
  await cli.run(['backup', path, '--instance', 'source'], tokens);
  const { document: list } = await cli.json(['archive', 'list'], tokens);
  const sha256 = (list as { archives: { sha256: string }[] }).archives[0]?.sha256 ?? '';
  for (const [compare, depth, code] of [
    ['counts', 'numbers', 3],
    ['keys', 'names', 3],
    ['contents', 'fields', 0],
  ] as const) {
    const target = ['--instance', 'target', '--path', compare, '--compare', compare];
    const imported = await cli.json(['import', 'file', sha256, ...target], tokens);
    const { reconciliation } = (imported.document as { result: ImportResult }).result;
    expect(reconciliation).toMatchObject({ depth, reconciled: code === 0, missing: [] });
    expect(imported.code).toBe(code);
  }
}, 60_000);
