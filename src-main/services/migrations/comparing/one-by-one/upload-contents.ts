/** @file Compares the contents of uploaded files on an instance with those in the archive, by SHA-256. */
import { AppError, isReadDenied } from '../../../../../src-contract/errors.ts';
import { formatBytes } from '../../../../../src-contract/words/sizes.ts';
import type { MissingRecord } from '../../../../../src-contract/transfers/import.ts';
import {
  changedUploads,
  fileKey,
  titleOf,
  type UploadedFile,
} from '../../../../jobs/migrations/comparing/losses/uploaded-files.ts';
import type { RemoteInstance } from '../../../instances/remote/remote-instance.ts';
import { digestOfDownload } from './downloaded-digest.ts';

/** Maximum number of bytes that a comparison downloads of a project's uploads on each side. */
export const maxUploadBytes = 200_000_000;

export interface ComparedUploads {
  missing: MissingRecord[];
  /**
   * Files that were not read: beyond the limit, or the instance does not offer or allow it. `titles` names them as
   * losses do.
   */
  unread: { count: number; bytes: number; titles: Set<string> };
}

export interface UploadContentsRequest {
  archive: readonly UploadedFile[];
  /** The files of the source that existed at the export, or of the target; null if the account may not list them. */
  listed: readonly UploadedFile[] | null;
  lost: MissingRecord['lost'];
  projectId: number;
  remote: Pick<RemoteInstance, 'downloadUpload'>;
  signal: AbortSignal;
}

/** Reads the smallest files first. Files with the same name and size are compared together. */
export async function compareUploadContents(
  { archive, listed, lost, projectId, remote, signal }: UploadContentsRequest,
  limit = maxUploadBytes,
): Promise<ComparedUploads> {
  const compared: ComparedUploads = { missing: [], unread: { count: 0, bytes: 0, titles: new Set() } };
  const listedByKey = Map.groupBy(listed ?? [], fileKey);
  const groups = [...Map.groupBy(archive, fileKey).entries()].toSorted(
    ([, [a]], [, [b]]) => (a?.bytes ?? 0) - (b?.bytes ?? 0),
  );
  let [left, isOffered] = [limit, true];
  for (const [key, archived] of groups) {
    const found = listedByKey.get(key) ?? [];
    const bytes = found.reduce((sum, file) => sum + file.bytes, 0);
    // Empty files of the same size are equal, and missing files are reported as missing.
    if (bytes === 0) continue;
    const isKnown = archived.every(({ sha256 }) => sha256 !== undefined);
    const read = isKnown && isOffered && bytes <= left ? await digests(found) : null;
    if (read === null) {
      compared.unread.count += found.length;
      compared.unread.bytes += bytes;
      for (const file of archived) compared.unread.titles.add(titleOf(file));
      continue;
    }
    left -= bytes;
    const [before, after] = lost === 'on-export' ? [read, archived] : [archived, read];
    compared.missing.push(...changedUploads(before, after, lost));
  }
  return compared;

  /** Returns null if the instance does not offer or allow the download. */
  async function digests(files: readonly UploadedFile[]): Promise<UploadedFile[] | null> {
    try {
      const read: UploadedFile[] = [];
      for (const file of files) read.push({ ...file, sha256: await digestOf(file.id ?? 0) });
      return read;
    } catch (thrown) {
      const isTooOld = thrown instanceof AppError && thrown.code === 'server-too-old';
      if (!isReadDenied(thrown) && !isTooOld) throw thrown;
      isOffered = false;
      return null;
    }
  }

  function digestOf(id: number): Promise<string> {
    return digestOfDownload((sink) => remote.downloadUpload(String(projectId), id, sink, signal));
  }
}

export function describeUnreadUploads({ count, bytes }: ComparedUploads['unread'], side: string): string[] {
  if (count === 0) return [];
  const files = count === 1 ? '1 uploaded file' : `${count} uploaded files`;
  return [
    `The contents of ${files} (${formatBytes(bytes)}) were not compared with the ${side}: at most ${formatBytes(maxUploadBytes)} are downloaded, and only since GitLab 17.2 by an account that may.`,
  ];
}
