import { writeFileSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { StoredArchive } from '../../../src-main/archive/store.ts';
import { exportWith } from '../../support/archives/archive-builder.ts';
import {
  ArchiveRoot,
  expectedPath,
  identity,
  storeArchive,
  listArchives,
} from '../../support/archives/archive-root.ts';

let archives: ArchiveRoot;

beforeEach(() => {
  archives = new ArchiveRoot();
});

describe('listing', () => {
  it('finds every archive by its manifest alone, and reports unreadable manifests', async () => {
    const store = archives.storeOn();
    const manifest = await storeArchive(store, exportWith());
    await storeArchive(store, exportWith(), { ...identity, receivedAt: identity.receivedAt + 1 });
    await storeArchive(store, exportWith(), { ...identity, receivedAt: identity.receivedAt + 2 });
    const second = expectedPath.replace('042Z', '043Z');
    writeFileSync(join(archives.path, `${second}.manifest.json`), '{"schemaVersion":1');
    const unreadable: string[] = [];
    const found: StoredArchive[] = [];
    for await (const stored of archives
      .storeOn()
      .list((path, { code }) => unreadable.push(`${path} ${code}`)))
      found.push(stored);
    expect(found.map(({ path }) => path)).toEqual([expectedPath, expectedPath.replace('042Z', '044Z')]);
    expect(found[0]).toMatchObject({
      manifest,
      absolutePath: join(archives.path, expectedPath),
      state: { pinned: false, proofs: [], damaged: null },
      missing: false,
    });
    expect(unreadable).toEqual([`${second} manifest-unreadable`]);
  });

  it('reports an archive as missing, and since when, if its file is gone or replaced', async () => {
    await storeArchive(archives.storeOn(), exportWith());
    await storeArchive(archives.storeOn(), exportWith(), {
      ...identity,
      receivedAt: identity.receivedAt + 1,
    });
    await rename(join(archives.path, expectedPath), join(archives.path, 'away'));
    const second = join(archives.path, expectedPath.replace('042Z', '043Z'));
    await rm(second);
    await mkdir(second);
    const found = await listArchives(archives.storeOn());
    expect(found.map(({ missing, state }) => [missing, state.damaged?.reason])).toEqual([
      [true, 'The file is missing'],
      [true, 'Its path is no longer a file'],
    ]);
    const { damaged } = await archives.storeOn().verify(expectedPath, 'L1');
    await archives.clock.advance(1000);
    expect((await listArchives(archives.storeOn()))[0]?.state.damaged).toEqual(damaged);
  });

  it('reports an unreadable state file, and continues as if it recorded nothing', async () => {
    const manifest = await storeArchive(archives.storeOn(), exportWith());
    writeFileSync(join(archives.path, `${expectedPath}.state.json`), '{"pinned":');
    const unreadable: unknown[] = [];
    const found: StoredArchive[] = [];
    for await (const stored of archives
      .storeOn()
      .list((path, { code, details }) => unreadable.push([path, code, details])))
      found.push(stored);
    expect(found).toMatchObject([{ path: expectedPath, manifest, state: { proofs: [], damaged: null } }]);
    expect(unreadable).toEqual([
      [expectedPath, 'manifest-unreadable', { path: join(archives.path, `${expectedPath}.state.json`) }],
    ]);
  });
});
