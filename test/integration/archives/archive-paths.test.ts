import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { exportWith } from '../../support/archives/archive-builder.ts';
import { ArchiveRoot, storeArchive, withCode } from '../../support/archives/archive-root.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let archives: ArchiveRoot;

beforeEach(() => {
  archives = new ArchiveRoot();
});

describe('a path from outside', () => {
  it.each(['../x', '/etc/passwd', 'a/../../x', 'a//b', '.', '', 'a\\..\\b', 'a\0b'])(
    'is rejected if it could leave the root: %j',
    async (path) => {
      await storeArchive(archives.storeOn(), exportWith());
      await expect(archives.storeOn().readManifest(path)).rejects.toThrow(withCode('archive-unsafe'));
      await expect(archives.storeOn().updateState(path, (state) => state)).rejects.toThrow(
        withCode('archive-unsafe'),
      );
    },
  );

  it('is rejected if it leaves the root through a linked folder', async () => {
    await storeArchive(archives.storeOn(), exportWith());
    const other = temporaryFolder();
    await symlink(other, join(archives.path, 'link'));
    await expect(archives.storeOn().readManifest('link/x')).rejects.toThrow(withCode('archive-unsafe'));
  });

  it('is reported as missing if it names no archive', async () => {
    await storeArchive(archives.storeOn(), exportWith());
    await expect(archives.storeOn().readManifest('gitlab.example.com/none')).rejects.toThrow(
      withCode('archive-missing'),
    );
    await expect(archives.storeOn().readManifest('nowhere/none')).rejects.toThrow(
      withCode('archive-missing'),
    );
  });
});
