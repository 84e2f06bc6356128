/**
 * @file The trash folder of a root. A discarded file keeps its relative path there, with reason and time beside it. An
 * archive that pruning moved there can be restored for a while; then a sweep removes it. Other files, such as an
 * unreadable download, stay until a user empties the folder.
 */
import { dayMs, trashDays } from '../../src-contract/bounds.ts';
import { lstat, readFile } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { projectOfArchive, type Manifest, type StateFile } from '../../src-contract/archives/archive.ts';
import { manifestSchema, stateFileSchema } from '../../src-contract/archives/archive-schema.ts';
import { AppError } from '../../src-contract/errors.ts';
import { isoTime } from '../platform/clock.ts';
import type { Disk } from '../platform/disk/disk.ts';
import { moveFile, replaceFile } from '../platform/disk/durable-file.ts';
import { readSidecar, serializeSidecar } from './sidecar.ts';
import { exists, filesBelow, makeFolders } from './folders.ts';
import { archiveOfPart, manifestSuffix, stateSuffix, trashFolder } from './names.ts';

/** How long a pruned archive can be restored. */
export const trashRetentionMs = trashDays * dayMs;

const reasonSuffix = '.reason.txt';

/** An archive in the trash folder. */
export interface TrashedArchive {
  /** Its former path, relative to the root, with `/`. */
  path: string;
  manifest: Manifest;
  /** Its project, as far as its state file can be read. */
  identity: ReturnType<typeof projectOfArchive>;
  /** Null if it cannot be read; such an archive is never swept. */
  trashed: { at: string; reason: string } | null;
}

/**
 * Moves an archive's files to the trash in the given order, each durably. Skips missing files, which an earlier attempt
 * moved. `at`: epoch milliseconds.
 */
export async function moveToTrash(
  disk: Disk,
  root: string,
  archive: string,
  files: readonly string[],
  discardNote: { reason: string; at: number },
): Promise<void> {
  const folders = relative(root, dirname(archive)).split(sep);
  await makeFolders(disk, root, [trashFolder, ...folders]);
  const trashPathOf = (file: string): string =>
    join(root, trashFolder, ...folders, basename(archiveOfPart(file) ?? file));
  await replaceFile(
    disk,
    trashPathOf(archive) + reasonSuffix,
    `${discardNote.reason}\n${isoTime(discardNote.at)}\n`,
  );
  await moveAll(
    disk,
    files.map((file) => ({ from: file, to: trashPathOf(file) })),
  );
}

/** Yields every archive with a manifest in the trash folder of a root, and skips other files. */
export async function* trashedArchives(root: string): AsyncGenerator<TrashedArchive> {
  const trash = join(root, trashFolder);
  for await (const file of filesBelow(trash)) {
    if (!file.endsWith(manifestSuffix)) continue;
    const path = file.slice(0, -manifestSuffix.length);
    const trashPath = join(trash, ...path.split('/'));
    const manifest = await readSidecar(trashPath + manifestSuffix, manifestSchema).catch(() => null);
    if (manifest === null || manifest.file !== basename(trashPath)) continue;
    const state = await readSidecar(trashPath + stateSuffix, stateFileSchema).catch(() => null);
    yield {
      path,
      manifest,
      identity: projectOfArchive(manifest, state),
      trashed: await readReason(trashPath),
    };
  }
}

/**
 * Moves an archive back to its former place, pinned, so that the next pruning keeps it. The manifest comes last,
 * because without it the file is no archive. Rejects with `already-exists` if an archive is there, and with
 * `archive-missing` if the trash has none.
 */
export async function restoreFromTrash(
  disk: Disk,
  root: string,
  path: string,
  defaultState: StateFile,
): Promise<void> {
  const parts = path.split('/');
  const archive = join(root, ...parts);
  const trashPath = join(root, trashFolder, ...parts);
  for (const file of [trashPath, trashPath + manifestSuffix]) {
    if (!(await exists(file))) {
      throw new AppError('archive-missing', 'The trash folder does not contain this archive.', {
        details: { path },
      });
    }
  }
  if (await exists(archive + manifestSuffix)) {
    throw new AppError('already-exists', 'Another archive exists at the former path of this one.', {
      details: { path },
    });
  }
  await makeFolders(disk, root, parts.slice(0, -1));
  const state = (await readSidecar(trashPath + stateSuffix, stateFileSchema)) ?? defaultState;
  await replaceFile(disk, trashPath + stateSuffix, serializeSidecar({ ...state, pinned: true }));
  const suffixes = ['', stateSuffix, manifestSuffix];
  await moveAll(
    disk,
    suffixes.map((suffix) => ({ from: trashPath + suffix, to: archive + suffix })),
  );
  await disk.remove(trashPath + reasonSuffix);
}

/**
 * Permanently removes one archive from the trash folder. The manifest goes after the archive file, so that a sweep
 * still finds the rest of an interrupted removal.
 */
export async function removeTrashed(disk: Disk, root: string, path: string): Promise<void> {
  const trashPath = join(root, trashFolder, ...path.split('/'));
  for (const suffix of ['', stateSuffix, manifestSuffix, reasonSuffix]) await disk.remove(trashPath + suffix);
}

/** Permanently removes every file of the trash folder; returns the number of bytes. */
export async function emptyTrash(disk: Disk, root: string): Promise<number> {
  const trash = join(root, trashFolder);
  let bytes = 0;
  for await (const file of filesBelow(trash)) {
    const path = join(trash, ...file.split('/'));
    const size = await lstat(path).then(
      (found) => found.size,
      () => 0,
    );
    await disk.remove(path);
    bytes += size;
  }
  return bytes;
}

/** Returns the number of bytes in the trash folder of a root. */
export async function trashBytes(root: string): Promise<number> {
  const trash = join(root, trashFolder);
  let bytes = 0;
  for await (const file of filesBelow(trash)) {
    const found = await lstat(join(trash, ...file.split('/'))).catch(() => null);
    bytes += found?.size ?? 0;
  }
  return bytes;
}

async function moveAll(disk: Disk, moves: readonly { from: string; to: string }[]): Promise<void> {
  for (const { from, to } of moves) {
    if (!(await exists(from))) continue;
    await moveFile(disk, from, to);
  }
}

async function readReason(trashPath: string): Promise<TrashedArchive['trashed']> {
  const text = await readFile(trashPath + reasonSuffix, 'utf8').catch(() => '');
  const [reason = '', at = ''] = text.split('\n');
  return Number.isNaN(Date.parse(at)) ? null : { at, reason };
}
