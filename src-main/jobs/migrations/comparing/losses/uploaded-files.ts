/** @file Compares uploaded files of source, archive and target, by name and size. Pure. */
import type { MissingRecord } from '../../../../../src-contract/transfers/import.ts';

export interface UploadedFile {
  name: string;
  bytes: number;
  /** Epoch milliseconds; null if not reported, as in an archive. */
  createdAt: number | null;
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

const fileKey = ({ name, bytes }: UploadedFile): string => JSON.stringify([name, bytes]);

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
    const title = `${file.name} (${file.bytes} bytes)`;
    return [{ relation: 'uploads', lost, line: null, iid: null, title, part: null }];
  });
}
