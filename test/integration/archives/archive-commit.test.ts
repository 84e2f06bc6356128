import { readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { reservedBytes } from '../../../src-main/archive/incoming-archives.ts';
import { exportWith, member } from '../../support/archives/archive-builder.ts';
import { FaultyDisk } from '../../support/faults/archive-disk.ts';
import {
  ArchiveRoot,
  expectedPath,
  manifestFields,
  identity,
  storeArchive,
  listArchives,
  receiveArchive,
  withoutRandomPart,
  withCode,
} from '../../support/archives/archive-root.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let archives: ArchiveRoot;

beforeEach(() => {
  archives = new ArchiveRoot();
});

describe('storing an archive', () => {
  it('writes the bytes under their name and a manifest beside them, for the owner only', async () => {
    const bytes = exportWith();
    const manifest = await storeArchive(archives.storeOn(), bytes);
    expect(archives.files()).toEqual([expectedPath, `${expectedPath}.manifest.json`]);
    expect(readFileSync(join(archives.path, expectedPath)).equals(bytes)).toBe(true);
    expect(manifest).toMatchObject({
      ...manifestFields,
      schemaVersion: 1,
      file: '20261120T090507042Z-12_export.tar.gz',
      sizeBytes: bytes.length,
      storedAt: new Date(archives.clock.now()).toISOString(),
      inspection: { verdict: 'sound', relations: { issues: 2 } },
    });
    expect(await archives.storeOn().readManifest(expectedPath)).toEqual(manifest);
    if (process.platform !== 'win32') {
      expect(statSync(archives.path).mode & 0o777).toBe(0o700);
      expect(statSync(join(archives.path, 'gitlab.example.com')).mode & 0o777).toBe(0o700);
      for (const file of archives.files())
        expect(statSync(join(archives.path, file)).mode & 0o777).toBe(0o600);
    }
  });

  it('creates no file under the final name before the commit', async () => {
    const store = archives.storeOn();
    const pending = await store.createPending(identity);
    expect(pending.path).toBe(expectedPath);
    await pending.write(exportWith());
    expect(withoutRandomPart(archives.files())).toEqual([`${expectedPath}.part`]);
    await pending.finish();
    expect(withoutRandomPart(archives.files())).toEqual([`${expectedPath}.part`]);
    expect(await listArchives(store)).toEqual([]);
    await pending.discard();
  });

  it('flushes every byte to the disk before it sets the final name, and sets the final name before it writes the manifest', async () => {
    const disk = new FaultyDisk();
    const file = '20261120T090507042Z-12_export.tar.gz';
    await storeArchive(archives.storeOn(disk), exportWith());
    expect(disk.calls.slice(disk.calls.indexOf(`create ${file}.part`))).toEqual([
      `create ${file}.part`,
      `write ${file}.part`,
      `flush ${file}.part`,
      `close ${file}.part`,
      `rename ${file}`,
      'flushFolder app',
      `create ${file}.manifest.json.part`,
      `write ${file}.manifest.json.part`,
      `flush ${file}.manifest.json.part`,
      `close ${file}.manifest.json.part`,
      `rename ${file}.manifest.json`,
      'flushFolder app',
    ]);
    // Each new folder is flushed to the disk before anything is put into it.
    expect(disk.calls.slice(0, 8)).toEqual([
      'makeFolder archives',
      expect.stringMatching(/^flushFolder /),
      'makeFolder gitlab.example.com',
      'flushFolder archives',
      'makeFolder group',
      'flushFolder gitlab.example.com',
      'makeFolder app',
      'flushFolder group',
    ]);
  });

  it('never replaces a committed archive, and never receives the same archive twice at once', async () => {
    const store = archives.storeOn();
    const first = await storeArchive(store, exportWith());
    await expect(store.createPending(identity)).rejects.toThrow(withCode('already-exists'));
    expect(await store.readManifest(expectedPath)).toEqual(first);
    const later = { ...identity, receivedAt: identity.receivedAt + 1 };
    const pending = await store.createPending(later);
    await expect(store.createPending(later)).rejects.toThrow(withCode('already-exists'));
    await pending.discard();
    await storeArchive(store, exportWith(), later);
    expect(await listArchives(store)).toHaveLength(2);
  });

  it.each(['fails to commit', 'is discarded'])(
    'loses nothing if a second attempt at the same name %s',
    async (end) => {
      const [winner, loser] = [
        await receiveArchive(archives.storeOn()),
        await receiveArchive(archives.storeOn()),
      ];
      if (end === 'is discarded') await loser.discard();
      const manifest = await winner.commit(manifestFields);
      if (end === 'fails to commit') {
        await expect(loser.commit(manifestFields)).rejects.toThrow(withCode('already-exists'));
        await loser.discard();
      }
      expect(archives.files()).toEqual([expectedPath, `${expectedPath}.manifest.json`]);
      expect(await archives.storeOn().readManifest(expectedPath)).toEqual(manifest);
      expect((await archives.storeOn().verify(expectedPath, 'L2')).damaged).toBeNull();
    },
  );

  it('is not disturbed by another process that begins the same name during the commit', async () => {
    const disk = new FaultyDisk();
    const pending = await receiveArchive(archives.storeOn(disk));
    let other: Promise<unknown> | undefined;
    const rename = disk.rename.bind(disk);
    disk.rename = async (from, to) => {
      await rename(from, to);
      other ??= archives.storeOn().createPending(identity);
      other.catch(() => undefined);
    };
    const manifest = await pending.commit(manifestFields);
    await expect(archives.clock.finish(other ?? Promise.resolve())).rejects.toThrow(
      withCode('already-exists'),
    );
    expect(await archives.storeOn().readManifest(expectedPath)).toEqual(manifest);
    expect(archives.files()).toEqual([expectedPath, `${expectedPath}.manifest.json`]);
  });

  it('refuses to commit an unusable archive, and moves its bytes to the trash with the reason', async () => {
    const store = archives.storeOn();
    const pending = await store.createPending(identity);
    await pending.write(exportWith().subarray(0, 400));
    expect(await pending.finish()).toMatchObject({ verdict: 'unusable', sizeBytes: 400 });
    await expect(pending.commit(manifestFields)).rejects.toThrow(withCode('archive-corrupt'));
    await pending.discard({ trashReason: 'The download was cut' });
    const name = `.trash/${expectedPath}`;
    expect(archives.files()).toEqual([name, `${name}.reason.txt`]);
    expect(readFileSync(join(archives.path, `${name}.reason.txt`), 'utf8')).toBe(
      'The download was cut\n2026-11-20T12:00:00.000Z\n',
    );
    expect(statSync(join(archives.path, name)).size).toBe(400);
    expect(await listArchives(store)).toEqual([]);
  });

  it('keeps a suspicious archive, with its findings', async () => {
    const bytes = exportWith({ link: member({ name: './uploads/l', type: '2', linkName: '/etc/passwd' }) });
    const manifest = await storeArchive(archives.storeOn(), bytes);
    expect(manifest.inspection).toMatchObject({ verdict: 'suspicious', findings: [{ code: 'link' }] });
  });

  it.each([0, 1, 2])('leaves no file after a discard (stage %i)', async (stage) => {
    const store = archives.storeOn();
    const pending = await store.createPending(identity);
    if (stage > 0) await pending.write(exportWith());
    if (stage > 1) await pending.finish();
    await pending.discard();
    await pending.discard();
    expect(archives.files()).toEqual([]);
    await storeArchive(store, exportWith());
    expect(await listArchives(store)).toHaveLength(1);
  });

  it('is refused early if the disk has too little space for it', async () => {
    const disk = new FaultyDisk();
    disk.freeBytesOverride = reservedBytes + 1000;
    const store = archives.storeOn(disk);
    await expect(store.createPending({ ...identity, expectedBytes: 1000 })).rejects.toThrow(
      withCode('disk-full'),
    );
    expect(archives.files()).toEqual([]);
    await (await store.createPending({ ...identity, expectedBytes: 900 })).discard();
  });

  it('stops while the disk still has space for other files', async () => {
    const disk = new FaultyDisk();
    const pending = await archives.storeOn(disk).createPending(identity);
    disk.freeBytesOverride = reservedBytes - 1;
    const block = Buffer.alloc(1024 * 1024);
    const writing = async (): Promise<void> => {
      for (let count = 0; count < 80; count++) await pending.write(block);
    };
    await expect(writing()).rejects.toThrow(withCode('disk-full'));
    await pending.discard();
    expect(archives.files()).toEqual([]);
  });

  const mib = 1024 * 1024;

  it('stops as soon as the disk has too little space for the rest', async () => {
    const disk = new FaultyDisk();
    disk.freeBytesOverride = reservedBytes + 1000 * mib;
    const pending = await archives.storeOn(disk).createPending({ ...identity, expectedBytes: 200 * mib });
    const block = Buffer.alloc(mib);
    const write = async (blocks: number): Promise<void> => {
      for (let count = 0; count < blocks; count++) await pending.write(block);
    };
    // At the next check, 64 of 200 MiB are written.
    disk.freeBytesOverride = reservedBytes + 136 * mib;
    await write(70);
    disk.freeBytesOverride = reservedBytes + 71 * mib;
    await expect(write(70)).rejects.toThrow(withCode('disk-full'));
    await pending.discard();
    expect(archives.files()).toEqual([]);
  });

  it('is refused if the archive fits alone but not beside another incoming archive', async () => {
    const disk = new FaultyDisk();
    disk.freeBytesOverride = reservedBytes + 150 * mib;
    const store = archives.storeOn(disk);
    const first = await store.createPending({ ...identity, expectedBytes: 100 * mib });
    const second = { ...identity, projectId: identity.projectId + 1, expectedBytes: 100 * mib };
    await expect(store.createPending(second)).rejects.toThrow(withCode('disk-full'));
    await first.discard();
    await (await store.createPending(second)).discard();
    expect(archives.files()).toEqual([]);
  });

  it('does not write through a link in place of a folder', async () => {
    const outside = temporaryFolder();
    await mkdir(archives.path);
    await symlink(outside, join(archives.path, 'gitlab.example.com'));
    await expect(archives.storeOn().createPending(identity)).rejects.toThrow(withCode('archive-unsafe'));
    expect(readdirSync(outside)).toEqual([]);
  });
});
