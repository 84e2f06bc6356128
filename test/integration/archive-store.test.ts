import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Manifest } from '../../src-preload/contract/archive.ts';
import type { Disk } from '../../src-main/archive/disk.ts';
import type { ManifestFields, PendingArchive } from '../../src-main/archive/pending.ts';
import {
  openArchiveStore,
  reservedBytes,
  type ArchiveStore,
  type StoredArchive,
} from '../../src-main/archive/store.ts';
import { exportWith, member } from '../support/archive-builder.ts';
import { FaultyDisk, type Fault } from '../support/archive-disk.ts';
import { SteppedClock } from '../support/stepped-clock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const at = Date.UTC(2026, 10, 20, 9, 5, 7, 42);
const identity = { instanceUrl: 'https://gitlab.example.com', fullPath: 'group/app', projectId: 12, at };
const expectedPath = 'gitlab.example.com/group/app/20261120T090507042Z-12_export.tar.gz';
const fields: ManifestFields = {
  instance: { name: 'work', url: 'https://gitlab.example.com', username: 'ada' },
  project: { id: 12, fullPath: 'group/app', name: 'App' },
  serverVersion: '17.11.0',
  jobId: 'job-1',
  appVersion: '0.1.0',
  sourceCounts: null,
  findings: [],
};
const withCode = (code: string): Error => expect.objectContaining({ code }) as Error;

let root: string;
const clock = new SteppedClock();
const storeOn = (disk?: Disk): ArchiveStore =>
  openArchiveStore({ root, clock, ...(disk === undefined ? {} : { disk }) });

beforeEach(() => {
  root = join(temporaryFolder(), 'archives');
});

async function received(store: ArchiveStore, bytes = exportWith(), when = identity): Promise<PendingArchive> {
  const pending = await store.begin(when);
  for (let from = 0; from < bytes.length; from += 1000)
    await pending.write(bytes.subarray(from, from + 1000));
  await pending.finish();
  return pending;
}

async function keep(store: ArchiveStore, bytes: Buffer, when = identity): Promise<Manifest> {
  return (await received(store, bytes, when)).commit(fields);
}

async function listed(store: ArchiveStore): Promise<StoredArchive[]> {
  const found: StoredArchive[] = [];
  for await (const stored of store.list()) found.push(stored);
  return found;
}

/** The names of files without what is random in them. */
const unnumbered = (names: string[]): string[] =>
  names.map((name) => name.replace(/\.[0-9a-f]{12}\.part$/, '.part'));

function files(folder = root): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => statSync(join(folder, name)).isFile()).sort();
}

describe('storing an archive', () => {
  it('leaves the bytes under their name and a manifest beside them, for the owner only', async () => {
    const bytes = exportWith();
    const manifest = await keep(storeOn(), bytes);
    expect(files()).toEqual([expectedPath, `${expectedPath}.manifest.json`]);
    expect(readFileSync(join(root, expectedPath)).equals(bytes)).toBe(true);
    expect(manifest).toMatchObject({
      ...fields,
      schemaVersion: 1,
      file: '20261120T090507042Z-12_export.tar.gz',
      sizeBytes: bytes.length,
      storedAt: new Date(clock.now()).toISOString(),
      inspection: { verdict: 'sound', relations: { issues: 2 } },
    });
    expect(await storeOn().readManifest(expectedPath)).toEqual(manifest);
    if (process.platform !== 'win32') {
      expect(statSync(root).mode & 0o777).toBe(0o700);
      expect(statSync(join(root, 'gitlab.example.com')).mode & 0o777).toBe(0o700);
      for (const file of files()) expect(statSync(join(root, file)).mode & 0o777).toBe(0o600);
    }
  });

  it('shows nothing under the final name before the commit', async () => {
    const store = storeOn();
    const pending = await store.begin(identity);
    expect(pending.path).toBe(expectedPath);
    await pending.write(exportWith());
    expect(unnumbered(files())).toEqual([`${expectedPath}.part`]);
    await pending.finish();
    expect(unnumbered(files())).toEqual([`${expectedPath}.part`]);
    expect(await listed(store)).toEqual([]);
    await pending.discard();
  });

  it('puts every byte on the medium before its name, and the name before the manifest', async () => {
    const disk = new FaultyDisk();
    const file = '20261120T090507042Z-12_export.tar.gz';
    await keep(storeOn(disk), exportWith());
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
    // Each folder that was made is itself on the medium before anything is put into it.
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

  it('never replaces a committed archive, and never receives one twice at once', async () => {
    const store = storeOn();
    const first = await keep(store, exportWith());
    await expect(store.begin(identity)).rejects.toThrow(withCode('already-exists'));
    expect(await store.readManifest(expectedPath)).toEqual(first);
    const later = { ...identity, at: at + 1 };
    const pending = await store.begin(later);
    await expect(store.begin(later)).rejects.toThrow(withCode('already-exists'));
    await pending.discard();
    await keep(store, exportWith(), later);
    expect(await listed(store)).toHaveLength(2);
  });

  it.each(['fails to commit', 'is discarded'])(
    'loses nothing to a second attempt at the same name that %s',
    async (end) => {
      const [winner, loser] = [await received(storeOn()), await received(storeOn())];
      if (end === 'is discarded') await loser.discard();
      const manifest = await winner.commit(fields);
      if (end === 'fails to commit') {
        await expect(loser.commit(fields)).rejects.toThrow(withCode('already-exists'));
        await loser.discard();
      }
      expect(files()).toEqual([expectedPath, `${expectedPath}.manifest.json`]);
      expect(await storeOn().readManifest(expectedPath)).toEqual(manifest);
      expect((await storeOn().verify(expectedPath, 'L2')).damaged).toBeNull();
    },
  );

  it('is left alone by another process that begins the same name in the middle of the commit', async () => {
    const disk = new FaultyDisk();
    const pending = await received(storeOn(disk));
    let other: Promise<unknown> | undefined;
    const rename = disk.rename.bind(disk);
    disk.rename = async (from, to) => {
      await rename(from, to);
      other ??= storeOn().begin(identity);
      other.catch(() => undefined);
    };
    const manifest = await pending.commit(fields);
    await expect(clock.finish(other ?? Promise.resolve())).rejects.toThrow(withCode('already-exists'));
    expect(await storeOn().readManifest(expectedPath)).toEqual(manifest);
    expect(files()).toEqual([expectedPath, `${expectedPath}.manifest.json`]);
  });

  it('refuses to commit what is unusable; the bytes go to the trash with the reason', async () => {
    const store = storeOn();
    const pending = await store.begin(identity);
    await pending.write(exportWith().subarray(0, 400));
    expect(await pending.finish()).toMatchObject({ verdict: 'unusable', sizeBytes: 400 });
    await expect(pending.commit(fields)).rejects.toThrow(withCode('archive-corrupt'));
    await pending.discard({ keepAs: 'The download was cut' });
    const name = `.trash/${expectedPath}`;
    expect(files()).toEqual([name, `${name}.reason.txt`]);
    expect(readFileSync(join(root, `${name}.reason.txt`), 'utf8')).toBe('The download was cut\n');
    expect(statSync(join(root, name)).size).toBe(400);
    expect(await listed(store)).toEqual([]);
  });

  it('keeps what is suspicious, with its findings', async () => {
    const bytes = exportWith({ link: member({ name: './uploads/l', type: '2', linkName: '/etc/passwd' }) });
    const manifest = await keep(storeOn(), bytes);
    expect(manifest.inspection).toMatchObject({ verdict: 'suspicious', findings: [{ code: 'link' }] });
  });

  it.each([0, 1, 2])('that is discarded leaves no file (stage %i)', async (stage) => {
    const store = storeOn();
    const pending = await store.begin(identity);
    if (stage > 0) await pending.write(exportWith());
    if (stage > 1) await pending.finish();
    await pending.discard();
    await pending.discard();
    expect(files()).toEqual([]);
    await keep(store, exportWith());
    expect(await listed(store)).toHaveLength(1);
  });

  it('refuses early when the disk has too little room for it', async () => {
    const disk = new FaultyDisk();
    disk.free = reservedBytes + 1000;
    const store = storeOn(disk);
    await expect(store.begin({ ...identity, expectedBytes: 1000 })).rejects.toThrow(withCode('disk-full'));
    expect(files()).toEqual([]);
    await (await store.begin({ ...identity, expectedBytes: 900 })).discard();
  });

  it('stops while there is still room for others', async () => {
    const disk = new FaultyDisk();
    const pending = await storeOn(disk).begin(identity);
    disk.free = reservedBytes - 1;
    const block = Buffer.alloc(1024 * 1024);
    const writing = async (): Promise<void> => {
      for (let count = 0; count < 80; count++) await pending.write(block);
    };
    await expect(writing()).rejects.toThrow(withCode('disk-full'));
    await pending.discard();
    expect(files()).toEqual([]);
  });

  it('does not write through a link that stands where a folder belongs', async () => {
    const outside = temporaryFolder();
    await mkdir(root);
    await symlink(outside, join(root, 'gitlab.example.com'));
    await expect(storeOn().begin(identity)).rejects.toThrow(withCode('archive-unsafe'));
    expect(readdirSync(outside)).toEqual([]);
  });
});

describe('a failing disk', () => {
  const codes: Partial<Record<Fault, string>> = {
    ENOSPC: 'disk-full',
    EIO: 'disk-failed',
    EACCES: 'disk-denied',
  };
  const folder = (): string => join(root, 'gitlab.example.com/group/app');

  /** One backup into folders that exist, given up as a job would when anything fails. */
  async function attempt(disk: Disk): Promise<void> {
    await mkdir(folder(), { recursive: true });
    const pending = await storeOn(disk).begin(identity);
    try {
      await pending.write(exportWith());
      await pending.finish();
      await pending.commit(fields);
    } catch (error) {
      await pending.discard().catch(() => undefined);
      throw error;
    }
  }

  async function callsOfOneBackup(): Promise<string[]> {
    const disk = new FaultyDisk();
    await attempt(disk);
    await rm(folder(), { recursive: true });
    return disk.calls;
  }

  it.each<Fault>(['ENOSPC', 'EIO'])(
    'with %s at any call ends in its own error and leaves nothing',
    async (fault) => {
      const calls = await callsOfOneBackup();
      expect(calls.length).toBeGreaterThan(15);
      for (const [index, call] of calls.entries()) {
        const disk = new FaultyDisk(fault, index);
        await expect(attempt(disk), call).rejects.toThrow(withCode(codes[fault] ?? ''));
        expect(files(), call).toEqual([]);
        // After a failed flush nothing is flushed again: the second one would lie.
        const later = disk.calls.slice(index + 1);
        if (call.startsWith('flush'))
          expect(
            later.filter((one) => /^(?:flush|rename)/.test(one)),
            call,
          ).toEqual([]);
      }
    },
  );

  it('that does not allow a call is told apart from one that fails', async () => {
    await expect(attempt(new FaultyDisk('EACCES', 0))).rejects.toThrow(withCode('disk-denied'));
  });

  it('that takes only half of the bytes at a time still gets all of them', async () => {
    const calls = await callsOfOneBackup();
    for (const [index, call] of calls.entries()) {
      if (!call.startsWith('write')) continue;
      await attempt(new FaultyDisk('short write', index));
      const bytes = readFileSync(join(root, expectedPath));
      expect(bytes.equals(exportWith())).toBe(true);
      expect(await storeOn().readManifest(expectedPath)).toMatchObject({ sizeBytes: bytes.length });
      await rm(folder(), { recursive: true });
    }
  });

  it.each<Fault>(['crash', 'crash after'])(
    'a %s at any call leaves a whole archive or none',
    async (fault) => {
      const calls = await callsOfOneBackup();
      const survived: string[] = [];
      for (const [index, call] of calls.entries()) {
        await attempt(new FaultyDisk(fault, index)).catch(() => undefined);
        const reopened = storeOn();
        await reopened.sweep();
        const found = await listed(reopened);
        const left = files().filter((name) => !name.startsWith('.trash/'));
        if (found.length === 0) expect(left, call).toEqual([]);
        else {
          survived.push(call);
          expect(left, call).toEqual([expectedPath, `${expectedPath}.manifest.json`]);
          expect(await reopened.verify(expectedPath, 'L1'), call).toMatchObject({ damaged: null });
        }
        await rm(root, { recursive: true });
      }
      // Only the calls from the manifest's name on can have left the archive.
      expect(survived).toEqual(calls.slice(fault === 'crash' ? -1 : -2));
    },
  );

  it('may end an attempt anywhere: the same identity can be tried again at once', async () => {
    const calls = await callsOfOneBackup();
    for (const name of ['create', 'rename']) {
      const next = calls.findIndex((call) => call.startsWith(name)) + 1;
      await expect(attempt(new FaultyDisk('crash', next))).rejects.toThrow();
      expect(unnumbered(files())).toEqual([name === 'create' ? `${expectedPath}.part` : expectedPath]);
      await attempt(new FaultyDisk());
      expect(await listed(storeOn())).toHaveLength(1);
      await rm(folder(), { recursive: true });
    }
  });
});

describe('discarding an archive', () => {
  const trash = `.trash/${expectedPath}`;
  const both = ['', '.manifest.json', '.reason.txt', '.state.json'].map((what) => trash + what);
  const keepWithState = async (): Promise<void> => {
    await keep(storeOn(), exportWith());
    await storeOn().updateState(expectedPath, (state) => ({ ...state, note: 'mine' }));
  };

  it('moves it with what stands beside it to the trash, at its own place, with the reason', async () => {
    await keepWithState();
    const bytes = readFileSync(join(root, expectedPath));
    expect(await storeOn().discard(expectedPath, 'Too old')).toBe(true);
    expect(files()).toEqual(both);
    expect(readFileSync(join(root, trash)).equals(bytes)).toBe(true);
    expect(readFileSync(join(root, `${trash}.reason.txt`), 'utf8')).toBe('Too old\n');
    expect(await listed(storeOn())).toEqual([]);
    expect(await storeOn().trashBytes()).toBe(
      both.reduce((sum, name) => sum + statSync(join(root, name)).size, 0),
    );
  });

  it('is undone by moving its files back', async () => {
    await keepWithState();
    await storeOn().discard(expectedPath, 'Too old');
    for (const what of ['', '.manifest.json', '.state.json']) {
      await rename(join(root, trash + what), join(root, expectedPath + what));
    }
    expect(await storeOn().verify(expectedPath, 'L2')).toMatchObject({ proof: { level: 'L2' } });
  });

  it('leaves a pinned one where it is', async () => {
    await keepWithState();
    await storeOn().updateState(expectedPath, (state) => ({ ...state, pinned: true }));
    const before = files();
    expect(await storeOn().discard(expectedPath, 'Too old')).toBe(false);
    expect(files()).toEqual(before);
  });

  it('leaves one alone of which it cannot be told whether it is pinned', async () => {
    await keepWithState();
    writeFileSync(join(root, `${expectedPath}.state.json`), 'not a state');
    const before = files();
    await expect(storeOn().discard(expectedPath, 'Too old')).rejects.toThrow(withCode('manifest-unreadable'));
    expect(files()).toEqual(before);
  });

  it.each<Fault>(['crash', 'crash after', 'EIO'])(
    'that meets a %s at any call loses nothing, and is finished when it is repeated',
    async (fault) => {
      await keepWithState();
      const bytes = readFileSync(join(root, expectedPath));
      const stored = join(temporaryFolder(), 'stored');
      cpSync(root, stored, { recursive: true });
      const counting = new FaultyDisk();
      await storeOn(counting).discard(expectedPath, 'Too old');
      expect(counting.calls.length).toBeGreaterThan(15);
      for (const [index, call] of counting.calls.entries()) {
        await rm(root, { recursive: true });
        cpSync(stored, root, { recursive: true });
        await expect(
          storeOn(new FaultyDisk(fault, index)).discard(expectedPath, 'Too old'),
        ).rejects.toThrow();
        await storeOn().sweep();
        for (const left of await listed(storeOn())) expect(left.missing, call).toBe(false);
        expect(await storeOn().discard(expectedPath, 'Too old')).toBe(true);
        // A reason that was not written to its end may stay in the trash.
        expect(
          files().filter((name) => !name.endsWith('.part')),
          call,
        ).toEqual(both);
        expect(readFileSync(join(root, trash)).equals(bytes), call).toBe(true);
        expect(readFileSync(join(root, `${trash}.reason.txt`), 'utf8')).toBe('Too old\n');
      }
    },
  );
});

describe('sweeping', () => {
  it('leaves archives, what is being received and foreign files alone', async () => {
    const store = storeOn();
    await keep(store, exportWith());
    const pending = await store.begin({ ...identity, at: at + 1 });
    writeFileSync(join(root, 'notes.txt'), 'mine');
    writeFileSync(join(root, 'gitlab.example.com', 'film.part'), 'somebody downloads it');
    const old = 'gitlab.example.com/20200101T000000000Z-1_export.tar.gz';
    const left = [
      old,
      ...['', '.manifest.json', '.state.json'].map((what) => `${old}${what}.0123456789ab.part`),
    ];
    for (const name of left) writeFileSync(join(root, name), 'no manifest');
    expect(await store.sweep()).toEqual(left.sort());
    expect(unnumbered(files())).toEqual([
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
    await mkdir(root);
    await symlink(outside, join(root, 'link'));
    expect(await storeOn().sweep()).toEqual([]);
    expect(readdirSync(outside)).toEqual(['theirs.part']);
  });

  it('of a root that does not exist yet finds nothing', async () => {
    expect(await storeOn().sweep()).toEqual([]);
    expect(await listed(storeOn())).toEqual([]);
  });
});

describe('listing', () => {
  it('finds every archive by its manifest alone, and tells which manifests are unreadable', async () => {
    const store = storeOn();
    const manifest = await keep(store, exportWith());
    await keep(store, exportWith(), { ...identity, at: at + 1 });
    await keep(store, exportWith(), { ...identity, at: at + 2 });
    const second = expectedPath.replace('042Z', '043Z');
    writeFileSync(join(root, `${second}.manifest.json`), '{"schemaVersion":1');
    const unreadable: string[] = [];
    const found: StoredArchive[] = [];
    for await (const stored of storeOn().list((path, { code }) => unreadable.push(`${path} ${code}`)))
      found.push(stored);
    expect(found.map(({ path }) => path)).toEqual([expectedPath, expectedPath.replace('042Z', '044Z')]);
    expect(found[0]).toMatchObject({
      manifest,
      absolutePath: join(root, expectedPath),
      state: { pinned: false, proofs: [], damaged: null },
      missing: false,
    });
    expect(unreadable).toEqual([`${second} manifest-unreadable`]);
  });

  it('says of an archive whose file is gone or replaced that it is missing, and since when', async () => {
    await keep(storeOn(), exportWith());
    await keep(storeOn(), exportWith(), { ...identity, at: at + 1 });
    await rename(join(root, expectedPath), join(root, 'away'));
    const second = join(root, expectedPath.replace('042Z', '043Z'));
    await rm(second);
    await mkdir(second);
    const found = await listed(storeOn());
    expect(found.map(({ missing, state }) => [missing, state.damaged?.reason])).toEqual([
      [true, 'The file is missing'],
      [true, 'Something else than a file stands in its place'],
    ]);
    const { damaged } = await storeOn().verify(expectedPath, 'L1');
    await clock.advance(1000);
    expect((await listed(storeOn()))[0]?.state.damaged).toEqual(damaged);
  });

  it('of an archive with an unreadable state file goes on as if nothing was recorded, and says so', async () => {
    const manifest = await keep(storeOn(), exportWith());
    writeFileSync(join(root, `${expectedPath}.state.json`), '{"pinned":');
    const unreadable: unknown[] = [];
    const found: StoredArchive[] = [];
    for await (const stored of storeOn().list((path, { code, details }) =>
      unreadable.push([path, code, details]),
    ))
      found.push(stored);
    expect(found).toMatchObject([{ path: expectedPath, manifest, state: { proofs: [], damaged: null } }]);
    expect(unreadable).toEqual([
      [expectedPath, 'manifest-unreadable', { path: join(root, `${expectedPath}.state.json`) }],
    ]);
  });
});

describe('paths given from outside', () => {
  it.each(['../x', '/etc/passwd', 'a/../../x', 'a//b', '.', '', 'a\\..\\b', 'a\0b'])(
    '%j does not leave the root',
    async (path) => {
      await keep(storeOn(), exportWith());
      await expect(storeOn().readManifest(path)).rejects.toThrow(withCode('archive-unsafe'));
      await expect(storeOn().updateState(path, (state) => state)).rejects.toThrow(withCode('archive-unsafe'));
    },
  );

  it('do not leave the root through a linked folder', async () => {
    await keep(storeOn(), exportWith());
    const other = temporaryFolder();
    await symlink(other, join(root, 'link'));
    await expect(storeOn().readManifest('link/x')).rejects.toThrow(withCode('archive-unsafe'));
  });

  it('that name nothing are told as missing', async () => {
    await keep(storeOn(), exportWith());
    await expect(storeOn().readManifest('gitlab.example.com/none')).rejects.toThrow(
      withCode('archive-missing'),
    );
    await expect(storeOn().readManifest('nowhere/none')).rejects.toThrow(withCode('archive-missing'));
  });
});

describe('the state file', () => {
  it('changes whole or not at all, whichever call fails', async () => {
    await keep(storeOn(), exportWith());
    await storeOn().updateState(expectedPath, (state) => ({ ...state, note: 'old' }));
    const calls = new FaultyDisk();
    await storeOn(calls).updateState(expectedPath, (state) => ({ ...state, note: 'old' }));
    for (const [index, call] of calls.calls.entries()) {
      for (const fault of ['ENOSPC', 'EIO', 'crash', 'crash after'] as const) {
        const store = storeOn(new FaultyDisk(fault, index));
        await expect(
          store.updateState(expectedPath, (state) => ({ ...state, note: 'new' })),
          call,
        ).rejects.toThrow();
        const { note } = await storeOn().readState(expectedPath);
        expect(['old', 'new'], call).toContain(note);
        await storeOn().updateState(expectedPath, (state) => ({ ...state, note: 'old' }));
      }
    }
  });

  it('loses none of several changes made at once', async () => {
    const store = storeOn();
    await keep(store, exportWith());
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        store.updateState(expectedPath, (state) => ({ ...state, note: `${state.note ?? ''}${index} ` })),
      ),
    );
    expect((await store.readState(expectedPath)).note?.trim().split(' ')).toHaveLength(20);
  });
});

describe('several processes', () => {
  const program = fileURLToPath(new URL('../support/store-child.ts', import.meta.url));
  const start = (...args: string[]) =>
    spawn(process.execPath, [program, root, expectedPath, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });

  it('lose no proof of each other while a third one sweeps', async () => {
    await keep(storeOn(), exportWith());
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
    const { proofs } = await storeOn().readState(expectedPath);
    const times = Array.from({ length: 40 }, (_, number) => new Date(number).toISOString());
    for (const level of ['L1', 'L2']) {
      expect(proofs.filter((proof) => proof.level === level).map((proof) => proof.at)).toEqual(times);
    }
    expect(files()).toEqual(['.manifest.json', '.state.json', ''].map((what) => expectedPath + what).sort());
  });
});

describe('verifying', () => {
  it.each(['L1', 'L2'] as const)(
    'records %s with its time; a second time replaces the first',
    async (level) => {
      const store = storeOn();
      await keep(store, exportWith());
      await store.verify(expectedPath, level);
      await clock.advance(1000);
      const { proof, damaged, inspection } = await store.verify(expectedPath, level);
      expect(proof).toEqual({ level, at: new Date(clock.now()).toISOString(), detail: null });
      expect(damaged).toBeNull();
      expect(inspection?.verdict).toBe(level === 'L2' ? 'sound' : undefined);
      expect((await store.readState(expectedPath)).proofs).toEqual([proof]);
    },
  );

  it('proves no more than L1 of an archive that was stored with errors in it', async () => {
    const store = storeOn();
    await keep(store, exportWith({ './VERSION': null }));
    const { proof } = await store.verify(expectedPath, 'L2');
    expect(proof).toMatchObject({ level: 'L1', detail: 'version-missing' });
  });

  it('finds any changed bit, a changed length, a missing file and a link in its place', async () => {
    const store = storeOn();
    const bytes = exportWith();
    await keep(store, bytes);
    const file = join(root, expectedPath);
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
    expect((await store.verify(expectedPath, 'L2')).damaged?.reason).toMatch(/in its place/);
    expect((await store.readState(expectedPath)).damaged?.at).toBe(new Date(clock.now()).toISOString());
    await rm(file);
    writeFileSync(file, bytes);
    expect((await store.verify(expectedPath, 'L1')).damaged).toBeNull();
  });
});
