/**
 * @file The disk fails once to flush the log of the catalogue. The affected command reports the failure, even if
 * another try succeeds.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createDataPaths } from '../../src-main/platform/paths.ts';
import { cliCommand, KillableProcess, type Ended } from '../support/faults/killable-process.ts';
import { readStoredState } from '../support/faults/stored-truth.ts';
import { builtProduct } from '../support/processes/product-build.ts';
import { requirement } from '../support/requirement.ts';
import { registerInstance } from '../support/servers/known-instance.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openTestSandbox } from '../support/world.ts';

const missing = requirement(
  'strace',
  spawnSync('strace', ['-f', '-o', '/dev/null', 'true']).status === 0,
  'install strace (Debian: strace) where processes may be traced',
);

/** Starts a command during which one flush of the log of the catalogue fails; `at` counts from 1. */
async function commandWithFailure(
  at: number,
  args: (project: string) => string[],
  program?: string,
): Promise<{ command: KillableProcess; dataDir: string }> {
  const sandbox = await openTestSandbox({ projectCount: 1 });
  const [project = ''] = sandbox.state.paths;
  const dataDir = temporaryFolder();
  const token = sandbox.tokens.maintainer;
  await registerInstance(dataDir, { name: 'source', url: sandbox.url, token });
  const { line, env } = cliCommand(dataDir, { source: token }, args(project), program);
  const flushes = 'fsync,fdatasync';
  const failing = ['-e', `trace=${flushes}`, '-e', `inject=${flushes}:error=EIO:when=${at}`];
  const only = ['-P', `${createDataPaths(dataDir).catalogue}-wal`];
  const strace = [
    'strace',
    '-f',
    '--seccomp-bpf',
    ...only,
    ...failing,
    '-o',
    join(temporaryFolder(), 'trace'),
  ];
  const command = new KillableProcess({ line: [...strace, ...line], env: { ...env, PATH: '/usr/bin:/bin' } });
  onTestFinished(() => command.kill());
  return { command, dataDir };
}

async function backUpWithFailure(at: number): Promise<Ended & { archives: number }> {
  const { command, dataDir } = await commandWithFailure(at, (project) => [
    'backup',
    '--instance',
    'source',
    project,
  ]);
  const ended = await command.ended;
  return { ...ended, archives: readStoredState(dataDir).archives.length };
}

/** Returns the id of the process that strace runs. A signal to strace itself would not reach that process. */
const tracedBy = ({ pid }: KillableProcess): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'));

describe.skipIf(missing)('a failed flush of the catalogue', () => {
  // The first flush is that of the run. The others succeed at a second try, or the backup does not need them.
  it.each([
    [1, 1],
    [3, 3],
    [4, 3],
    [5, 3],
  ])('is reported (flush number %i)', async (at, code) => {
    const { stdout, stderr, archives, ...ended } = await backUpWithFailure(at);
    expect(ended.code).toBe(code);
    expect(code === 1 ? stdout : stderr).toMatch(/The disk of the catalogue failed .*SQLITE_IOERR_FSYNC/);
    expect(() => JSON.parse(stdout) as unknown).not.toThrow();
    expect(archives).toBe(code === 1 ? 0 : 1);
  });

  const failureMessage = /The disk of the catalogue failed .*SQLITE_IOERR_FSYNC/;

  it('makes a daemon report it at once and exit with code 3', async () => {
    const { command } = await commandWithFailure(1, () => ['daemon']);
    await expect.poll(() => command.stderr, { timeout: 30_000 }).toMatch(failureMessage);
    process.kill(tracedBy(command), 'SIGTERM');
    expect((await command.ended).code).toBe(3);
  });

  it('makes a serving process report it at its end and exit with code 3', async () => {
    const { command } = await commandWithFailure(
      1,
      () => ['serve'],
      join(await builtProduct(), 'out/main/hosts/cli.js'),
    );
    await expect.poll(() => command.stdout, { timeout: 30_000 }).toContain('/open?link=');
    process.kill(tracedBy(command), 'SIGTERM');
    const { code, stderr } = await command.ended;
    expect(stderr).toMatch(failureMessage);
    expect(code).toBe(3);
  });
});
