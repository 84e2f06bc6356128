/**
 * @file Checks the order of the system calls of a real backup: data reaches the medium before anything that depends on
 * it.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createDataPaths } from '../../src-main/platform/paths.ts';
import { cliCommand, KillableProcess } from '../support/faults/killable-process.ts';
import { registerInstance } from '../support/servers/known-instance.ts';
import { requirement } from '../support/requirement.ts';
import { readStoredState } from '../support/faults/stored-truth.ts';
import { systemCalls, type SystemCall } from '../support/faults/system-calls.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openTestSandbox } from '../support/world.ts';

const missing = requirement(
  'strace',
  spawnSync('strace', ['-f', '-o', '/dev/null', 'true']).status === 0,
  'install strace (Debian: strace) where processes may be traced',
);

/** Backs up a project in a process under `strace`. */
async function tracedBackup() {
  const sandbox = await openTestSandbox({ projectCount: 1 });
  const [project = ''] = sandbox.state.paths;
  const dataDir = temporaryFolder();
  const token = sandbox.tokens.maintainer;
  await registerInstance(dataDir, { name: 'source', url: sandbox.url, token });
  const { line, env } = cliCommand(dataDir, { source: token }, ['backup', '--instance', 'source', project]);
  const trace = join(temporaryFolder(), 'trace');
  const watched = 'trace=write,pwrite64,fsync,fdatasync,rename,renameat,renameat2';
  // Prints file names with their descriptors, and whole pages of the catalogue. Untraced calls run at full speed.
  const strace = ['strace', '-f', '-y', '-s', '4096', '--seccomp-bpf', '-e', watched, '-o', trace];
  const traced = new KillableProcess({ line: [...strace, ...line], env: { ...env, PATH: '/usr/bin:/bin' } });
  onTestFinished(() => traced.kill());
  const { code, stderr } = await traced.ended;
  expect(code, stderr).toBe(0);
  const [archive = ''] = readStoredState(dataDir).archives;
  const path = join(createDataPaths(dataDir).archives, archive);
  return { calls: systemCalls(readFileSync(trace, 'utf8')), archive, path, url: sandbox.url, dataDir };
}

describe.skipIf(missing)('a backup', () => {
  it('flushes the archive, its name, the manifest and its name, commits the row, and only then reports it', async () => {
    const { calls, archive, path, url, dataDir } = await tracedBackup();
    const folder = join(path, '..');
    /** Returns the first matching call after the call `after` had ended. */
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
    const folderFlushed = next(renamed, 'flush of the folder', flushOf(`<${folder}>`));
    const manifestWritten = next(
      folderFlushed,
      'manifest',
      (call) => call.name.includes('write') && call.text.includes(`<${path}.manifest.json.`),
    );
    const manifestFlushed = next(
      manifestWritten,
      'flush of the manifest',
      flushOf(`<${path}.manifest.json.`),
    );
    const manifestRenamed = next(
      manifestFlushed,
      'rename of the manifest',
      renameTo(`${path}.manifest.json`),
    );
    const manifestFolderFlushed = next(
      manifestRenamed,
      'flush of the folder after the manifest',
      flushOf(`<${folder}>`),
    );

    // SQLite stores the columns of a row one after the other: path, name of the instance, address of the instance.
    const journal = `<${join(dataDir, 'catalogue.sqlite-wal')}>`;
    const isRow = (call: SystemCall): boolean =>
      call.text.includes(journal) && call.text.includes(`${archive}source${url}`);
    const row = next(null, 'row of the archive', isRow);
    expect(row.begun).toBeGreaterThan(manifestFolderFlushed.ended);
    const rowFlushed = next(row, 'flush of the row', flushOf(journal));
    // Every event and reply about the archive comes later.
    const stepEnd = next(
      row,
      'end of the step',
      ({ text }) => text.includes(journal) && text.includes('read to its end'),
    );
    expect(stepEnd.begun).toBeGreaterThan(rowFlushed.ended);

    // Neither rename happens earlier.
    expect(calls.find(renameTo(path))).toBe(renamed);
    expect(calls.find(renameTo(`${path}.manifest.json`))).toBe(manifestRenamed);
  });
});
