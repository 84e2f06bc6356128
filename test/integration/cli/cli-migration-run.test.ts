/** @file `packhorse migration run` and `again` as a user types and stops them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Cli, tokenOption } from '../../support/processes/cli.ts';
import { openMigrationScene } from '../../support/migrations/migration-scene.ts';
import { openTestSandbox } from '../../support/world.ts';

const project = 'atlas/compass';

test('a command that stops watching a migration of another process reports that it continues there, and how to pause it', async () => {
  const cli = new Cli();
  const scene = await openMigrationScene(cli.folder, {
    source: { projectCount: 1, speed: { exportStartedMs: 600_000 } },
  });
  onTestFinished(() => scene.close());
  const { id } = await scene.migration([project]);
  await scene.start(id);
  const running = cli.start(['migration', 'run', 'Move'], {
    env: {
      PACKHORSE_TOKEN_SOURCE: scene.source.tokens.administrator,
      PACKHORSE_TOKEN_TARGET: scene.target.tokens.administrator,
    },
  });
  await running.prints(/Another Packhorse process runs these jobs/);
  running.process.kill('SIGINT');
  const { code, stdout, stderr } = await running.ended;
  expect(code).toBe(130);
  expect(stdout).toMatch(/continues in another Packhorse process.*\n.*"packhorse migration pause Move"/);
  expect(stderr).not.toContain('same command again');
});

test('a migration of a killed process is reported as stalled, and the same command resumes it', async () => {
  const cli = new Cli();
  const scene = await openMigrationScene(cli.folder, { source: { projectCount: 1 } });
  onTestFinished(async () => {
    await Promise.all([scene.source.close(), scene.target.close()]);
  });
  await scene.migration([project]);
  await scene.app.close();
  const env = {
    PACKHORSE_TOKEN_SOURCE: scene.source.tokens.administrator,
    PACKHORSE_TOKEN_TARGET: scene.target.tokens.administrator,
  };
  scene.source.faults.add({
    match: { path: '/export/download', times: 1 },
    action: { kind: 'stall', afterBytes: 1000 },
  });
  const killed = cli.start(['migration', 'run', 'Move', '--create-groups'], { env });
  await killed.prints(/exporting/);
  await expect
    .poll(() => scene.source.requests.some(({ path }) => path.endsWith('/export/download')))
    .toBe(true);
  const moving = await cli.run(['migration', 'status', 'Move']);
  expect(moving.stdout).not.toContain('No Packhorse process');
  killed.process.kill('SIGKILL');
  await killed.ended;
  const stalled = await cli.run(['migration', 'status', 'Move']);
  expect(stalled.stdout).toContain('No Packhorse process runs its jobs now');
  expect(stalled.stdout).toContain('"packhorse migration run Move"');
  const jobs = await cli.run(['job', 'list']);
  expect(jobs.stdout).toContain('jobs shown as running were interrupted');
  const { code } = await cli.run(['migration', 'run', 'Move', '--create-groups'], { env });
  expect(code).toBe(0);
});

test('a missing option or a conflict of a migration is reported as such, and not as a bug of the program', async () => {
  const cli = new Cli();
  const source = await openTestSandbox({ projectCount: 1 });
  await cli.add('old', source);
  await cli.add('new', await openTestSandbox({ projectCount: 0 }));
  const env = {
    ...tokenOption('old', source.tokens.administrator).env,
    ...tokenOption('new', source.tokens.administrator).env,
  };
  const create = ['migration', 'create', 'Move', '--from', 'old', '--to', 'new'];
  const missingOption = await cli.run(create, { env });
  expect(missingOption).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/--all, --project/) as string,
  });
  expect((await cli.run([...create, '--all'], { env })).code).toBe(0);
  const again = await cli.run([...create, '--all'], { env });
  expect(again.stderr).toMatch(/named "Move" already\.\n.*another name/);
  for (const at of ['/dev/null', join(cli.folder, 'file')]) {
    writeFileSync(join(cli.folder, 'file'), '');
    await cli.fails(
      ['migration', 'report', 'Move', '--to', at],
      { code: 'invalid-input', exit: 2, todo: /./ },
      { env },
    );
  }
  expect(cli.output).not.toContain('bug in Packhorse');
});
