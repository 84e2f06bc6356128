import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { exportWith } from '../../support/archives/archive-builder.ts';
import { FaultyDisk } from '../../support/faults/archive-disk.ts';
import { ArchiveRoot, expectedPath, storeArchive } from '../../support/archives/archive-root.ts';

let archives: ArchiveRoot;

beforeEach(() => {
  archives = new ArchiveRoot();
});

describe('the state file', () => {
  it('changes completely or not at all, whichever disk call fails', async () => {
    await storeArchive(archives.storeOn(), exportWith());
    await archives.storeOn().updateState(expectedPath, (state) => ({ ...state, note: 'old' }));
    const calls = new FaultyDisk();
    await archives.storeOn(calls).updateState(expectedPath, (state) => ({ ...state, note: 'old' }));
    for (const [index, call] of calls.calls.entries()) {
      for (const fault of ['ENOSPC', 'EIO', 'crash', 'crash after'] as const) {
        const store = archives.storeOn(new FaultyDisk(fault, index));
        await expect(
          store.updateState(expectedPath, (state) => ({ ...state, note: 'new' })),
          call,
        ).rejects.toThrow();
        const { note } = await archives.storeOn().readState(expectedPath);
        expect(['old', 'new'], call).toContain(note);
        await archives.storeOn().updateState(expectedPath, (state) => ({ ...state, note: 'old' }));
      }
    }
  });

  it('loses none of several concurrent changes', async () => {
    const store = archives.storeOn();
    await storeArchive(store, exportWith());
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        store.updateState(expectedPath, (state) => ({ ...state, note: `${state.note ?? ''}${index} ` })),
      ),
    );
    expect((await store.readState(expectedPath)).note?.trim().split(' ')).toHaveLength(20);
  });
});

describe('several processes', () => {
  const program = fileURLToPath(new URL('../../support/archives/store-child.ts', import.meta.url));
  const start = (...args: string[]) =>
    spawn(process.execPath, [program, archives.path, expectedPath, ...args], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });

  it('lose none of the proofs that the others record while a third process sweeps', async () => {
    await storeArchive(archives.storeOn(), exportWith());
    const sweeping = start('sweep');
    const swept = text(sweeping.stdout);
    const proving = ['L1', 'L2'].map((level) => once(start('prove', level, '40'), 'exit'));
    expect(await Promise.all(proving)).toEqual([
      [0, null],
      [0, null],
    ]);
    sweeping.stdin.end();
    expect(await once(sweeping, 'exit')).toEqual([0, null]);
    expect(await swept).toBe('');
    const { proofs } = await archives.storeOn().readState(expectedPath);
    const times = Array.from({ length: 40 }, (_, number) => new Date(number).toISOString());
    for (const level of ['L1', 'L2']) {
      expect(proofs.filter((proof) => proof.level === level).map((proof) => proof.at)).toEqual(times);
    }
    expect(archives.files()).toEqual(
      ['.manifest.json', '.state.json', ''].map((suffix) => expectedPath + suffix).sort(),
    );
  });
});
