/** @file An archive folder for one test, with its store and with archives to store. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Manifest } from '../../../src-contract/archives/archive.ts';
import type { Disk } from '../../../src-main/platform/disk/disk.ts';
import type { ManifestFields, PendingArchive } from '../../../src-main/archive/pending.ts';
import { openArchiveStore, type ArchiveStore, type StoredArchive } from '../../../src-main/archive/store.ts';
import { exportWith } from './archive-builder.ts';
import { SteppedClock } from '../clocks/stepped-clock.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** The identity under which an archive is stored. */
export const identity = {
  instanceUrl: 'https://gitlab.example.com',
  fullPath: 'group/app',
  projectId: 12,
  receivedAt: Date.UTC(2026, 10, 20, 9, 5, 7, 42),
};
/** The path of an archive of that identity. */
export const expectedPath = 'gitlab.example.com/group/app/20261120T090507042Z-12_export.tar.gz';
/** The fields that a job knows when it commits the archive. */
export const manifestFields: ManifestFields = {
  instance: { name: 'work', url: 'https://gitlab.example.com', username: 'ada' },
  project: { id: 12, fullPath: 'group/app', name: 'App' },
  serverVersion: '17.11.0',
  jobId: 'job-1',
  appVersion: '0.1.0',
  sourceCounts: null,
  findings: [],
};

/** Returns a matcher for an error of that code. */
export const withCode = (code: string): Error => expect.objectContaining({ code }) as Error;

/** A folder that does not exist before the first archive is stored. */
export class ArchiveRoot {
  readonly path = join(temporaryFolder(), 'archives');
  readonly clock = new SteppedClock();

  /** Returns the store as a new process opens it. */
  storeOn(disk?: Disk): ArchiveStore {
    const { path: root, clock } = this;
    return openArchiveStore({ root, clock, ...(disk === undefined ? {} : { disk }) });
  }

  /** Returns the path of every file below it, sorted. */
  files(): string[] {
    if (!existsSync(this.path)) return [];
    const names = readdirSync(this.path, { recursive: true, encoding: 'utf8' });
    return names.filter((name) => statSync(join(this.path, name)).isFile()).sort();
  }
}

/** Returns an archive that is completely received but not committed. */
export async function receiveArchive(
  store: ArchiveStore,
  bytes = exportWith(),
  when = identity,
): Promise<PendingArchive> {
  const pending = await store.createPending(when);
  for (let from = 0; from < bytes.length; from += 1000)
    await pending.write(bytes.subarray(from, from + 1000));
  await pending.finish();
  return pending;
}

/** Stores an archive and returns its manifest. */
export async function storeArchive(store: ArchiveStore, bytes: Buffer, when = identity): Promise<Manifest> {
  return (await receiveArchive(store, bytes, when)).commit(manifestFields);
}

/** Returns every archive that the store finds, in its order. */
export async function listArchives(store: ArchiveStore): Promise<StoredArchive[]> {
  const found: StoredArchive[] = [];
  for await (const stored of store.list()) found.push(stored);
  return found;
}

/** Returns the names of files without their random part. */
export const withoutRandomPart = (names: string[]): string[] =>
  names.map((name) => name.replace(/\.[0-9a-f]{12}\.part$/, '.part'));
