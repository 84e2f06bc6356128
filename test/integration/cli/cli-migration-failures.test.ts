import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Cli } from '../../support/processes/cli.ts';
import { exportArchive, lines } from '../../support/archives/export-archive.ts';
import { openMigrationScene } from '../../support/migrations/migration-scene.ts';

test('failures are listed, looked at, tried again and accepted', async () => {
  const cli = new Cli();
  const file = join(cli.folder, 'wagon.tar.gz');
  const issues = lines({ iid: 1, title: 'One', notes: [] }, { iid: 2, title: null, notes: [] });
  writeFileSync(file, await exportArchive({ 'tree/project/issues.ndjson': issues }));
  const scene = await openMigrationScene(cli.folder, { source: { files: [file] } });
  onTestFinished(() => Promise.all([scene.source.close(), scene.target.close()]).then(() => undefined));
  const { id } = await scene.migration(['archives/wagon']);
  await scene.start(id);
  await scene.until(id, ({ status }) => status === 'ended');
  await scene.app.close();

  const env = {
    PACKHORSE_TOKEN_SOURCE: scene.source.tokens.administrator,
    PACKHORSE_TOKEN_TARGET: scene.target.tokens.administrator,
  };
  const listed = await cli.run(['migration', 'failures', 'Move', '--state', 'open'], { env });
  expect(listed.code).toBe(3);
  expect(listed.stdout).toMatch(/archives\/wagon +issues:1 +#2 +ActiveRecord::RecordInvalid +open/);
  expect(listed.stdout).toMatch(/1 of 1 open\n {2}GitLab checked the record/);
  const [, ref = ''] = /^(\d+) /m.exec(listed.stdout) ?? [];

  const shown = await cli.run(['migration', 'failure', ref]);
  expect(shown.stdout).toMatch(/> title +null/);
  expect(shown.stdout).toMatch(/archives\/wagon\/-\/issues\/2/);

  const retry = ['migration', 'retry', 'Move', 'archives/wagon', '--relation', 'issues'];
  expect((await cli.run(retry, { env })).code).toBe(1);

  expect((await cli.run(['migration', 'accept', ref])).code).toBe(2);
  const accepted = await cli.run(['migration', 'accept', ref, '--note', 'was a test']);
  expect(accepted).toMatchObject({ code: 0, stdout: '1 failure accepted.\n' });
  expect((await cli.run(['migration', 'failures', 'Move'])).code).toBe(0);
});
