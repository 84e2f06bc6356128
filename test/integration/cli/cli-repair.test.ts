/** @file `packhorse migration repair`, as users type it. */
import { expect, test } from 'vitest';
import { openMigrationCli } from '../../support/migrations/migration-command-line.ts';

test('a repair is shown, confirmed, sent and compared', async () => {
  const { cli, source, target, tokens } = await openMigrationCli({ projectCount: 1 });
  const path = source.state.paths[0] ?? '';
  source.state.edits(path).change('issues', -1, { confidential: true });
  target.faults.add({
    match: { method: 'POST', path: '/projects/import$' },
    action: { kind: 'change-records', relation: 'issues', count: 1, values: { confidential: false } },
  });
  const iid = String(source.state.edits(path).records('issues').at(-1)?.['iid']);
  await cli.run(
    ['migration', 'create', 'move', '--from', 'source', '--to', 'target', '--project', path],
    tokens,
  );
  await cli.run(['migration', 'check', 'move'], tokens);
  expect((await cli.run(['migration', 'run', 'move', '--create-groups'], tokens)).code).toBe(3);
  const isConfidential = async (): Promise<unknown> =>
    (await target.state.project(path)).relations['issues']?.at(-1)?.['confidential'];

  const shown = await cli.run(['migration', 'repair', 'move', path, '--dry-run'], tokens);
  expect(shown.stdout).toContain(`Set confidential of issues #${iid} from "false" to "true". (grave)`);
  expect(shown.code).toBe(3);
  const asked = await cli.run(['migration', 'repair', 'move', path], tokens);
  expect(asked.stderr).toContain('Add --yes to confirm.');
  expect(asked.code).toBe(2);
  expect(await isConfidential()).toBe(false);

  const repaired = await cli.run(['migration', 'repair', 'move', path, '--yes'], tokens);
  expect(repaired.stdout).toContain('arrived');
  expect(repaired.code).toBe(0);
  expect(await isConfidential()).toBe(true);
  const nothing = await cli.run(['migration', 'repair', 'move', path], tokens);
  expect(nothing.stdout).toContain(`${path} has no open difference.`);
  expect(nothing.code).toBe(0);
}, 60_000);
