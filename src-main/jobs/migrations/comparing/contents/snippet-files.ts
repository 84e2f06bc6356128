/** @file The file of a snippet in the columns of an archive, and its files on an instance. Pure. */
import { createHash } from 'node:crypto';
import { listOf, type Fields, type RecordField } from './field-readers.ts';

const fileText = (path: string, sha256: string): string => `${path} (SHA-256 ${sha256.slice(0, 16)})`;

/** An import gives a file without a name this one. */
const unnamedFile = 'snippetfile1.txt';

export const snippetFiles: RecordField = {
  kind: 'names',
  archived: ({ content, file_name: name }) =>
    typeof content === 'string'
      ? [
          fileText(
            typeof name === 'string' && name !== '' ? name : unnamedFile,
            createHash('sha256').update(content).digest('hex'),
          ),
        ]
      : undefined,
  listed: ({ file_digests: files }) =>
    listOf(files)?.map(({ path, sha256 }) => fileText(String(path), String(sha256))),
  isReadSingly: true,
};

/** Returns the paths of the files in a row of GitLab's list. Before GitLab 13, a snippet had one file without a repository. */
export function snippetPaths({ files, file_name: name }: Fields): string[] {
  const paths = (listOf(files) ?? []).flatMap(({ path }) => (typeof path === 'string' ? [path] : []));
  if (paths.length > 0) return paths;
  return typeof name === 'string' && name !== '' ? [name] : [];
}
