import { readdirSync, writeFileSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { exportWith } from '../../support/archives/archive-builder.ts';
import {
  ArchiveRoot,
  expectedPath,
  identity,
  storeArchive,
  listArchives,
  withoutRandomPart,
} from '../../support/archives/archive-root.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let archives: ArchiveRoot;

beforeEach(() => {
  archives = new ArchiveRoot();
});

describe('sweeping', () => {
  it('moves an archive without a manifest to the trash, deletes its partial files, and leaves archives, incoming archives and other files alone', async () => {
    const store = archives.storeOn();
    await storeArchive(store, exportWith());
    const pending = await store.createPending({ ...identity, receivedAt: identity.receivedAt + 1 });
    writeFileSync(join(archives.path, 'notes.txt'), 'mine');
    writeFileSync(join(archives.path, 'gitlab.example.com', 'film.part'), 'somebody downloads it');
    const old = 'gitlab.example.com/20200101T000000000Z-1_export.tar.gz';
    const leftovers = [
      old,
      ...['', '.manifest.json', '.state.json'].map((suffix) => `${old}${suffix}.0123456789ab.part`),
    ];
    for (const name of leftovers) writeFileSync(join(archives.path, name), 'no manifest');
    expect(await store.sweep()).toEqual(leftovers.sort());
    expect(withoutRandomPart(archives.files())).toEqual([
      `.trash/${old}`,
      `.trash/${old}.reason.txt`,
      'gitlab.example.com/film.part',
      expectedPath,
      `${expectedPath}.manifest.json`,
      'gitlab.example.com/group/app/20261120T090507043Z-12_export.tar.gz.part',
      'notes.txt',
    ]);
    await pending.discard();
  });

  it('does not follow links', async () => {
    const outside = temporaryFolder();
    writeFileSync(join(outside, 'theirs.part'), 'not ours');
    await mkdir(archives.path);
    await symlink(outside, join(archives.path, 'link'));
    expect(await archives.storeOn().sweep()).toEqual([]);
    expect(readdirSync(outside)).toEqual(['theirs.part']);
  });

  it('finds nothing in a root that does not exist yet', async () => {
    expect(await archives.storeOn().sweep()).toEqual([]);
    expect(await listArchives(archives.storeOn())).toEqual([]);
  });
});
