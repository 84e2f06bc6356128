/** @file `packhorse migration table`, `fill`, `report` and `finish` on two sandboxes. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openMigrationCli } from '../../support/migrations/migration-command-line.ts';
import { tokenOption } from '../../support/processes/cli.ts';

const project = 'atlas/compass';

test('a migration gets its target paths from a table, runs, and is compared, reported and finished', async () => {
  const { cli, source, target, tokens } = await openMigrationCli({ projectCount: 1, importer: 'maintainer' });
  const migration = (...args: string[]) => cli.run(['migration', ...args], tokens);
  await migration('create', 'Move', '--from', 'source', '--to', 'target', '--all');

  const table = await migration('table', 'Move');
  expect(table).toMatchObject({ code: 0, stderr: '' });
  // The table has exactly the bytes that a spreadsheet reads.
  expect(table.stdout).toMatch(
    /^\uFEFFsource_id,source_path,[^\n]*\r\n\d+,atlas\/compass,1,no,atlas,compass,Compass,no,,planned,,,0,0\r\n$/,
  );
  const file = join(cli.folder, 'move.csv');
  writeFileSync(file, table.stdout.replace(',atlas,compass,Compass,', ',maintainer,compass-2,Compass,'));
  expect((await migration('fill', 'Move', file)).stdout).toMatch(/^1 project changed by the table/);
  writeFileSync(file, Buffer.from('source_id,target_name\n1,Z\xfcrich\n', 'latin1'));
  expect((await migration('fill', 'Move', file)).stderr).toMatch(/not written in UTF-8/);

  const missing = {
    code: 'project-missing',
    exit: 2,
    todo: /migration projects Move[^]*migration show Move/,
  };
  for (const command of ['report Move no/such', 'place Move no/such --path x']) {
    const { what } = await cli.fails(['migration', ...command.split(' ')], missing, tokens);
    expect(what).toBe('The migration "Move" has no project "no/such".');
  }

  await migration('check', 'Move');
  expect((await migration('run', 'Move')).stdout).toContain('arrived');
  expect(await migration('reconcile', 'Move', project)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Arrived, contents compared in part') as string,
  });
  expect((await migration('show', 'Move')).stdout).toContain('1 arrived, contents compared in part');

  const report = await migration('report', 'Move', '--to', join(cli.folder, 'evidence'));
  expect(report.stdout).toMatch(/^5 files written\. Open .*index\.html$/m);
  expect(readdirSync(join(cli.folder, 'evidence'))).toHaveLength(1);

  expect(await migration('finish', 'Move')).toMatchObject({ code: 2 });
  const finish = ['finish', 'Move', '--mark-source', '--note-new-place'];
  // Without a terminal the command cannot ask whether to try with a role that is too low, and sends nothing.
  const asMaintainer = { env: { ...tokens.env, ...tokenOption('source', source.tokens.maintainer).env } };
  const refused = await cli.run(['migration', ...finish], asMaintainer);
  expect(refused.stderr).toMatch(/role Owner\. .* in 1 of 1 source:\n +atlas\/compass\n[^]*Add --yes/);
  expect(refused.code).not.toBe(0);
  const untouched = await source.state.project(project);
  expect(untouched).toMatchObject({ archived: false });
  expect(untouched.description).not.toContain('Moved to');
  expect(await migration(...finish)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/compass +done/) as string,
  });
  const after = await source.state.project(project);
  expect(after.archived).toBe(true);
  expect(after.description).toContain(`\n\nMoved to ${target.url}/maintainer/compass-2`);
  expect((await migration(...finish)).stdout).toContain('Nothing had to be changed.');
});
