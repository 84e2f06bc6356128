import { writeFileSync } from 'node:fs';
import { rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { exportWith } from '../../support/archives/archive-builder.ts';
import { ArchiveRoot, expectedPath, storeArchive } from '../../support/archives/archive-root.ts';

let archives: ArchiveRoot;

beforeEach(() => {
  archives = new ArchiveRoot();
});

describe('verifying', () => {
  it.each(['L1', 'L2'] as const)(
    'records %s with its time, and a second proof replaces the first',
    async (level) => {
      const store = archives.storeOn();
      await storeArchive(store, exportWith());
      await store.verify(expectedPath, level);
      await archives.clock.advance(1000);
      const { proof, damaged, inspection } = await store.verify(expectedPath, level);
      expect(proof).toEqual({ level, at: new Date(archives.clock.now()).toISOString(), detail: null });
      expect(damaged).toBeNull();
      expect(inspection?.verdict).toBe(level === 'L2' ? 'sound' : undefined);
      expect((await store.readState(expectedPath)).proofs).toEqual([proof]);
    },
  );

  it('proves at most L1 for an archive that was stored with errors', async () => {
    const store = archives.storeOn();
    await storeArchive(store, exportWith({ './VERSION': null }));
    const { proof } = await store.verify(expectedPath, 'L2');
    expect(proof).toMatchObject({ level: 'L1', detail: 'version-missing' });
  });

  it('finds a changed bit, a changed length, a missing file and a link in its place', async () => {
    const store = archives.storeOn();
    const bytes = exportWith();
    await storeArchive(store, bytes);
    const file = join(archives.path, expectedPath);
    for (const level of ['L1', 'L2'] as const) {
      for (const place of [0, 5, 200, bytes.length - 1]) {
        const copy = Buffer.from(bytes);
        copy[place] = (copy[place] ?? 0) ^ 1;
        writeFileSync(file, copy);
        const { damaged, proof } = await store.verify(expectedPath, level);
        expect(proof).toBeNull();
        expect(damaged?.reason).toMatch(/SHA-256/);
      }
    }
    writeFileSync(file, bytes.subarray(1));
    expect((await store.verify(expectedPath, 'L1')).damaged?.reason).toMatch(/bytes/);
    await rename(file, `${file}.away`);
    expect((await store.verify(expectedPath, 'L2')).damaged?.reason).toMatch(/missing/);
    await symlink(`${file}.away`, file);
    expect((await store.verify(expectedPath, 'L2')).damaged?.reason).toMatch(/no longer a file/);
    expect((await store.readState(expectedPath)).damaged?.at).toBe(
      new Date(archives.clock.now()).toISOString(),
    );
    await rm(file);
    writeFileSync(file, bytes);
    expect((await store.verify(expectedPath, 'L1')).damaged).toBeNull();
  });
});
