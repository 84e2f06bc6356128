/**
 * @file The system calls of a real backup, in their order: data reaches the medium before anything that depends on it.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createDataPaths } from '../../src-main/platform/paths.ts';
import { cliCommand, KillableProcess } from '../support/faults/killable-process.ts';
import { makeKnown } from '../support/servers/known-instance.ts';
import { requirement } from '../support/requirement.ts';
import { storedTruth } from '../support/faults/stored-truth.ts';
import { systemCalls, type SystemCall } from '../support/faults/system-calls.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openTestSandbox } from '../support/world.ts';

const missing = requirement(
  'strace',
  spawnSync('strace', ['-f', '-o', '/dev/null', 'true']).status === 0,
  'install strace (Debian: strace) where processes may be traced',
);

/** Backs a project up by a process under `strace`. */
async function tracedBackup() {
  const sandbox = await openTestSandbox({ projectCount: 1 });
  const [project = ''] = sandbox.state.paths;
  const dataDir = temporaryFolder();
  const token = sandbox.tokens.maintainer;
  await makeKnown(dataDir, { name: 'source', url: sandbox.url, token });
  const { line, env } = cliCommand(dataDir, { source: token }, ['backup', '--instance', 'source', project]);
  const trace = join(temporaryFolder(), 'trace');
  const watched = 'trace=write,pwrite64,fsync,fdatasync,rename,renameat,renameat2';
  // Prints file names with their numbers and whole pages of the catalogue; untraced calls run at full speed.
  const strace = ['strace', '-f', '-y', '-s', '4096', '--seccomp-bpf', '-e', watched, '-o', trace];
  const traced = new KillableProcess({ line: [...strace, ...line], env: { ...env, PATH: '/usr/bin:/bin' } });
  onTestFinished(() => traced.kill());
  const { code, stderr } = await traced.ended;
  expect(code, stderr).toBe(0);
  const [archive = ''] = storedTruth(dataDir).archives;
  const path = join(createDataPaths(dataDir).archives, archive);
  return { calls: systemCalls(readFileSync(trace, 'utf8')), archive, path, url: sandbox.url, dataDir };
}

describe.skipIf(missing)('a backup, as the system sees it', () => {
  it('flushes the bytes, then the name, then the manifest and its name, then commits the row', async () => {
    const { calls, archive, path, url, dataDir } = await tracedBackup();
    const folder = join(path, '..');
    /** Returns the first call of the kind after another one had ended. */
    const next = (after: SystemCall | null, what: string, is: (call: SystemCall) => boolean): SystemCall => {
      const found = calls.find((call) => call.begun > (after?.ended ?? -1) && is(call));
      if (found === undefined) throw new Error(`There is no ${what} where it belongs.`);
      return found;
    };
    const flushOf = (text: string) => (call: SystemCall) =>
      ['fsync', 'fdatasync'].includes(call.name) && call.text.includes(text);
    const renameTo = (target: string) => (call: SystemCall) =>
      call.name.startsWith('rename') && call.text.includes(`, "${target}"`);

    const written = calls.findLast(
      (call) => call.name.includes('write') && call.text.includes(`<${path}.`) && !call.text.includes('json'),
    );
    const flushed = next(written ?? null, 'flush of the bytes', flushOf(`<${path}.`));
    const renamed = next(flushed, 'rename of the archive', renameTo(path));
    const named = next(renamed, 'flush of the folder', flushOf(`<${folder}>`));
    const described = next(
      named,
      'manifest',
      (call) => call.name.includes('write') && call.text.includes(`<${path}.manifest.json.`),
    );
    const manifestFlushed = next(described, 'flush of the manifest', flushOf(`<${path}.manifest.json.`));
    const manifestRenamed = next(
      manifestFlushed,
      'rename of the manifest',
      renameTo(`${path}.manifest.json`),
    );
    const manifestNamed = next(
      manifestRenamed,
      'flush of the folder after the manifest',
      flushOf(`<${folder}>`),
    );

    // SQLite stores the columns of a row one after the other: path, name of the instance, its address.
    const journal = `<${join(dataDir, 'catalogue.sqlite-wal')}>`;
    const isRow = (call: SystemCall): boolean =>
      call.text.includes(journal) && call.text.includes(`${archive}source${url}`);
    const row = next(null, 'row of the archive', isRow);
    expect(row.begun).toBeGreaterThan(manifestNamed.ended);
    const rowFlushed = next(row, 'flush of the row', flushOf(journal));
    // Every event and reply about the archive comes later.
    const told = next(
      row,
      'end of the step',
      ({ text }) => text.includes(journal) && text.includes('read to the end'),
    );
    expect(told.begun).toBeGreaterThan(rowFlushed.ended);

    // No such call happens earlier either.
    expect(calls.find(renameTo(path))).toBe(renamed);
    expect(calls.find(renameTo(`${path}.manifest.json`))).toBe(manifestRenamed);
  });
});
