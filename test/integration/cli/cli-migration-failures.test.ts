import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Cli } from '../../support/processes/cli.ts';
import { exportArchive, lines } from '../../support/archives/export-archive.ts';
import { openMigrationScene } from '../../support/migrations/migration-scene.ts';

test('failures are listed, shown, retried and accepted', async () => {
  const cli = new Cli();
  const file = join(cli.folder, 'wagon.tar.gz');
  const issues = lines({ iid: 1, title: 'One', notes: [] }, { iid: 2, title: null, notes: [] });
  writeFileSync(file, await exportArchive({ 'tree/project/issues.ndjson': issues }));
  const scene = await openMigrationScene(cli.folder, { source: { seedArchives: [file] } });
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
  const retried = await cli.run(retry, { env });
  expect(retried).toMatchObject({ code: 1, stdout: expect.stringMatching(/added no records/) as string });

  expect((await cli.run(['migration', 'accept', ref])).code).toBe(2);
  const accepted = await cli.run(['migration', 'accept', ref, '--note', 'was a test']);
  expect(accepted).toMatchObject({ code: 0, stdout: '1 failure accepted.\n' });
  expect((await cli.run(['migration', 'failures', 'Move'])).code).toBe(0);
  const compared = await cli.run(['migration', 'reconcile', 'Move', 'archives/wagon'], { env });
  expect((await cli.run(['migration', 'status', 'Move'])).stdout).toMatch(/1 arrived/);
  expect(compared).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/\nArrived, .*with losses that were accepted\./) as string,
  });
});

test('the list of failures also reports projects that did not arrive completely without a listed failure, and their sources are finished only on request', async () => {
  const cli = new Cli();
  const scene = await openMigrationScene(cli.folder, { source: { projectCount: 3 } });
  onTestFinished(() => Promise.all([scene.source.close(), scene.target.close()]).then(() => undefined));
  const [first = '', second = '', third = ''] = scene.source.state.paths;
  const importing = { method: 'POST', path: '/projects/import$' };
  scene.target.faults.add({
    match: { ...importing, project: first },
    action: { kind: 'end-import', as: 'failed' },
  });
  scene.target.faults.add({
    match: { ...importing, project: second },
    action: { kind: 'drop-records', relation: 'milestones', count: 1 },
  });
  scene.source.state.append(third, 'issues', { iid: 9001, title: 'x'.repeat(300), state: 'opened' });
  const { id } = await scene.migration([first, second, third]);
  await scene.start(id);
  await scene.until(id, ({ status }) => status === 'ended');
  await scene.app.close();
  const env = {
    PACKHORSE_TOKEN_SOURCE: scene.source.tokens.administrator,
    PACKHORSE_TOKEN_TARGET: scene.target.tokens.administrator,
  };
  const migration = (...args: string[]) => cli.run(['migration', ...args], { env });
  const list = async () => {
    const { code, stdout } = await migration('failures', 'Move');
    expect(code).toBe(3);
    expect(stdout).toMatch(
      /^1 project failed without a list of failures: see "packhorse migration status Move"\.$/m,
    );
    expect(stdout).toContain(
      `1 project differs but no open failure is listed: ${second}; see "packhorse migration reconcile Move PROJECT".`,
    );
    return stdout;
  };
  const [, ref = ''] = /^(\d+) /m.exec(await list()) ?? [];
  await migration('accept', ref, '--note', 'known');
  // No listed failure is open any more, but two projects did not arrive completely.
  expect(await list()).toMatch(/0 of 1 open/);

  const all = await migration('finish', 'Move', '--note-new-place');
  expect(all.code).toBe(3);
  expect(all.stdout).toContain('2 sources stay unchanged, because the project did not arrive completely: ');
  for (const named of [`${first} (failed)`, `${second} (not all arrived)`])
    expect(all.stdout).toContain(named);
  const finishSecond = ['finish', 'Move', second, '--note-new-place'];
  const refused = await migration(...finishSecond);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(/differs: 1 record of milestones was lost\.[^]*--despite-differences/);
  expect((await scene.source.state.project(second)).description ?? '').not.toContain('Moved to');
  expect((await migration(...finishSecond, '--despite-differences')).code).toBe(0);
  expect((await scene.source.state.project(second)).description).toContain('Moved to');
});
