import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { exportWith } from '../../support/archives/archive-builder.ts';
import { ArchiveRoot, keep, withCode } from '../../support/archives/archive-root.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let archives: ArchiveRoot;

beforeEach(() => {
  archives = new ArchiveRoot();
});

describe('paths given from outside', () => {
  it.each(['../x', '/etc/passwd', 'a/../../x', 'a//b', '.', '', 'a\\..\\b', 'a\0b'])(
    '%j does not leave the root',
    async (path) => {
      await keep(archives.storeOn(), exportWith());
      await expect(archives.storeOn().readManifest(path)).rejects.toThrow(withCode('archive-unsafe'));
      await expect(archives.storeOn().updateState(path, (state) => state)).rejects.toThrow(
        withCode('archive-unsafe'),
      );
    },
  );

  it('do not leave the root through a linked folder', async () => {
    await keep(archives.storeOn(), exportWith());
    const other = temporaryFolder();
    await symlink(other, join(archives.path, 'link'));
    await expect(archives.storeOn().readManifest('link/x')).rejects.toThrow(withCode('archive-unsafe'));
  });

  it('that name nothing are reported as missing', async () => {
    await keep(archives.storeOn(), exportWith());
    await expect(archives.storeOn().readManifest('gitlab.example.com/none')).rejects.toThrow(
      withCode('archive-missing'),
    );
    await expect(archives.storeOn().readManifest('nowhere/none')).rejects.toThrow(
      withCode('archive-missing'),
    );
  });
});
