/** @file Compares uploaded files of source, archive and target, by name and size. Pure. */
import type { MissingRecord } from '../../../../../src-contract/transfers/import.ts';

export interface UploadedFile {
  name: string;
  bytes: number;
  /** Epoch milliseconds; null if not reported, as in an archive. */
  createdAt: number | null;
  /** The id of the file on an instance. */
  id?: number;
  /** Absent if the content was not read. */
  sha256?: string;
}

export interface UploadSides {
  source: readonly UploadedFile[] | null;
  /** Null if the archive cannot be read file by file. */
  archive: readonly UploadedFile[] | null;
  target: readonly UploadedFile[] | null;
  /** Epoch milliseconds by the clock of the source. */
  exportedAt: number;
}

/** Returns the files that existed before `time`. Later files are no loss. */
export const filesCreatedBefore = (files: readonly UploadedFile[], time: number): UploadedFile[] =>
  files.filter(({ createdAt }) => createdAt === null || createdAt < time);

export function lostUploads({ source, archive, target, exportedAt }: UploadSides): MissingRecord[] {
  if (archive === null) return [];
  return [
    ...(target === null ? [] : findMissing(archive, target, 'on-import')),
    ...(source === null ? [] : findMissing(filesCreatedBefore(source, exportedAt), archive, 'on-export')),
  ];
}

export const fileKey = ({ name, bytes }: UploadedFile): string => JSON.stringify([name, bytes]);

/** Two files with the same name and size are two separate files. */
function findMissing(
  expected: readonly UploadedFile[],
  actual: readonly UploadedFile[],
  lost: MissingRecord['lost'],
): MissingRecord[] {
  const unmatched = new Map<string, number>();
  for (const file of actual) unmatched.set(fileKey(file), (unmatched.get(fileKey(file)) ?? 0) + 1);
  return expected.flatMap((file): MissingRecord[] => {
    const count = unmatched.get(fileKey(file)) ?? 0;
    if (count > 0) {
      unmatched.set(fileKey(file), count - 1);
      return [];
    }
    return [{ relation: 'uploads', lost, line: null, iid: null, title: titleOf(file), part: null }];
  });
}

export const titleOf = ({ name, bytes }: UploadedFile): string => `${name} (${bytes} bytes)`;

/** Returns the expected files whose content no found file has. All files have the same name and size, and were read. */
export function changedUploads(
  expected: readonly UploadedFile[],
  found: readonly UploadedFile[],
  lost: MissingRecord['lost'],
): MissingRecord[] {
  const unmatched = found.map(({ sha256 }) => sha256);
  const changed = expected.filter(({ sha256 }) => {
    const at = unmatched.indexOf(sha256);
    if (at >= 0) unmatched.splice(at, 1);
    return at < 0;
  });
  return changed.slice(0, unmatched.length).map((file, index) => ({
    ...{ relation: 'uploads', lost, line: null, iid: null, title: titleOf(file) },
    part: {
      name: 'content',
      values: { expected: sha256Text(file.sha256), found: sha256Text(unmatched[index]) },
    },
  }));
}

const sha256Text = (sha256: string | undefined): string => `SHA-256 ${sha256 ?? 'unknown'}`;
