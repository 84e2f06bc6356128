/**
 * @file The files of snippets whose repositories are in an archive. Since GitLab 13, an archive has one file of a snippet as
 * columns, and all of them in a repository. Pure.
 */
import type { ArchivedRecord, ListedRecord } from './naming-losses.ts';

export interface SnippetSides {
  /** True if the archive contains repositories of snippets. An import uses these, and not the columns. */
  hasRepositories: boolean;
  archive: readonly ArchivedRecord[];
  /** Null if the source was not read, or may not be listed. Likewise `target`. */
  source: readonly ListedRecord[] | null;
  target: readonly ListedRecord[] | null;
  /** Epoch milliseconds by the clock of the source. */
  exportedAt: number;
}

/**
 * Returns the snippets of an archive with the files of their repositories, as far as these are known: those on the source, if
 * nobody edited the snippet after the export. The columns have only one file, and a push does not change them, so they
 * are used only if the target has the same file.
 */
export function withRepositoryFiles({ hasRepositories, archive, source, target, exportedAt }: SnippetSides): {
  records: ArchivedRecord[];
  /** Number of snippets on the target whose expected files are not known. */
  unknownCount: number;
} {
  if (!hasRepositories) return { records: [...archive], unknownCount: 0 };
  const [sourceByKey, targetByKey] = [source, target].map(
    (list) => new Map(list?.map((record) => [record.key, record])),
  );
  let unknownCount = 0;
  const records = archive.map((record): ArchivedRecord => {
    const { files: inColumns, ...contents } = record.contents ?? {};
    if (inColumns === undefined) return record;
    const onSource = sourceByKey?.get(record.key);
    const isUnedited = (onSource?.updatedAt ?? exportedAt) < exportedAt;
    const onTarget = targetByKey?.get(record.key)?.contents?.['files'];
    const inRepository = isUnedited ? onSource?.contents?.['files'] : undefined;
    const files = inRepository ?? (onTarget === inColumns ? inColumns : undefined);
    if (files !== undefined) return { ...record, contents: { ...contents, files } };
    if (onTarget !== undefined) unknownCount += 1;
    return { ...record, contents };
  });
  return { records, unknownCount };
}

export function describeUnknownFiles(count: number): string[] {
  if (count === 0) return [];
  const snippets = count === 1 ? '1 snippet' : `${count} snippets`;
  return [
    `The files of ${snippets} were not compared: the archive has them in repositories, which are not read, and the source did not show them as they were at the time of the export.`,
  ];
}
