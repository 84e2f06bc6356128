/** @file `packhorse migration run` and `again` as a person types them, and stops them. */
import { expect, onTestFinished, test } from 'vitest';
import { Cli } from '../../support/processes/cli.ts';
import { openMigrationScene } from '../../support/migrations/migration-scene.ts';

const project = 'atlas/compass';

test('whoever stops watching a migration that another process runs is told that it goes on there, and how to pause it', async () => {
  const cli = new Cli();
  const scene = await openMigrationScene(cli.folder, {
    source: { projects: 1, speed: { exportStartedMs: 600_000 } },
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
  await running.says(/Another Packhorse process is running jobs/);
  running.process.kill('SIGINT');
  const { code, stdout, stderr } = await running.ended;
  expect(code).toBe(130);
  expect(stdout).toMatch(/goes on in another Packhorse process.*\n.*"packhorse migration pause Move"/);
  expect(stderr).not.toContain('same command again');
});
