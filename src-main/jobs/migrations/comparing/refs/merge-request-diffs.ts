/** @file The changes of a merge request in a form that an archive and an instance have in common. Pure. */
import { createHash } from 'node:crypto';
import { isFields, listOf, type Fields } from '../contents/field-readers.ts';

export interface ComparedDiff {
  /** Number of changed files. */
  files: number;
  /** Comparable values by field. A field that cannot be compared is absent. */
  values: Readonly<Record<string, string>>;
}

const commitColumns = ['base_commit_sha', 'start_commit_sha', 'head_commit_sha'] as const;
/** The fields of a diff that are compared. `diffs` are the changed files with their texts. */
export const diffFields = [...commitColumns, 'commits', 'diffs'] as const;

/** @param diff the columns `merge_request_diff` of an archived merge request. */
export const archivedDiffContents = (diff: Fields): ComparedDiff =>
  // GitLab deletes the files of old diffs.
  diffContents(diff, {
    files: diff['state'] === 'without_files' ? [] : (listOf(diff['merge_request_diff_files']) ?? []),
    commits: listOf(diff['merge_request_diff_commits'])?.map(shaOf),
    textOf: ({ utf8_diff: text, binary }) => (binary === true ? '' : text),
  });

/** Newer versions of GitLab keep the hashes of commits in a record of their own. */
const shaOf = ({ sha, merge_request_commits_metadata: metadata }: Fields): unknown =>
  sha ?? (isFields(metadata) ? metadata['sha'] : undefined);

/** @param version GitLab's reply about a version of the changes of a merge request. */
export const listedDiffContents = (version: Fields): ComparedDiff =>
  diffContents(version, {
    files: listOf(version['diffs']) ?? [],
    commits: listOf(version['commits'])?.map(({ id }) => id),
    textOf: ({ diff: text }) => text,
  });

interface DiffParts {
  files: readonly Fields[];
  commits: readonly unknown[] | undefined;
  textOf: (file: Fields) => unknown;
}

function diffContents(columns: Fields, { files, commits, textOf }: DiffParts): ComparedDiff {
  const values: Record<string, string> = {};
  for (const name of commitColumns) {
    const sha = columns[name];
    if (typeof sha === 'string') values[name] = sha;
  }
  if (commits?.every((sha) => typeof sha === 'string') === true)
    values['commits'] = describeList('commit', [...commits].sort());
  const texts = files.map((file) => fileText(file, textOf(file)));
  if (texts.every((text) => text !== null)) values['diffs'] = describeList('file', texts.toSorted());
  return { files: files.length, values };
}

const fileColumns = ['old_path', 'new_path', 'a_mode', 'b_mode'] as const;
const fileSwitches = ['new_file', 'renamed_file', 'deleted_file'] as const;

/** Returns null for a file whose text GitLab does not show, or shows with replaced characters. */
function fileText(file: Fields, text: unknown): string | null {
  if (typeof text !== 'string' || file['too_large'] === true || file['collapsed'] === true) return null;
  if (text.includes('\uFFFD')) return null;
  // GitLab shows this sentence in place of binary contents.
  const shown = /^Binary files .* differ\n?$/s.test(text) ? '' : text;
  return JSON.stringify([
    ...fileColumns.map((name) => file[name] ?? null),
    ...fileSwitches.map((name) => file[name] === true),
    shown,
  ]);
}

function describeList(noun: string, list: readonly string[]): string {
  const sha256 = createHash('sha256').update(list.join('\n')).digest('hex').slice(0, 16);
  return `${list.length} ${noun}${list.length === 1 ? '' : 's'} (SHA-256 ${sha256})`;
}

/** Returns the number of files that GitLab recorded with a diff, such as 1000 for `1000+`; 0 if it deleted the files later. */
export function recordedFiles({ real_size: size, state }: Fields): number {
  const count = typeof size === 'string' && state !== 'without_files' ? parseInt(size) : 0;
  return Number.isNaN(count) ? 0 : count;
}

export const diffOf = ({ merge_request_diff: diff }: Fields): Fields | null => (isFields(diff) ? diff : null);
