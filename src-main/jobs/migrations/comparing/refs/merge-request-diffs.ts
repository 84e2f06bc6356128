/** @file The changes of a merge request in a form that an archive and an instance have in common. Pure. */
import { createHash } from 'node:crypto';
import { isFields, listOf, type Fields } from '../contents/field-readers.ts';
import { normalizers } from '../contents/field-values.ts';

export interface ComparedDiff {
  /** Number of changed files. */
  files: number;
  /**
   * Comparable values by field. A field that cannot be compared is absent. Fields of commits have a slot for each
   * commit, see `compareSlots`.
   */
  values: Readonly<Record<string, string>>;
}

const commitColumns = ['base_commit_sha', 'start_commit_sha', 'head_commit_sha'] as const;
/** Fields with a value of each commit: the people and times of a commit, and its message. */
export const commitFields = ['commit_details', 'commit_messages'] as const;
/** The fields of a diff that have one value. `diffs` are the changed files with their texts. */
export const diffFields = [...commitColumns, ...(['diff_created_at', 'commits', 'diffs'] as const)] as const;

/** @param diff the columns `merge_request_diff` of an archived merge request. */
export const archivedDiffContents = (diff: Fields): ComparedDiff =>
  // GitLab deletes the files of old diffs.
  diffContents(diff, {
    files: diff['state'] === 'without_files' ? [] : (listOf(diff['merge_request_diff_files']) ?? []),
    commits: listOf(diff['merge_request_diff_commits'])?.map(withMetadata),
    textOf: ({ utf8_diff: text, binary }) => (binary === true ? '' : text),
  });

/** Newer versions of GitLab keep the columns of commits in a record of their own, and their people in two. */
function withMetadata({ merge_request_commits_metadata: metadata, ...own }: Fields): Fields {
  const commit: Fields = isFields(metadata) ? { ...own, ...metadata } : own;
  const person = (record: unknown, name: string): Fields =>
    isFields(record) ? { [`${name}_name`]: record['name'], [`${name}_email`]: record['email'] } : {};
  return {
    ...{ ...commit, id: commit['sha'] },
    ...person(commit['commit_author'], 'author'),
    ...person(commit['committer'], 'committer'),
  };
}

/** @param version GitLab's reply about a version of the changes of a merge request; empty for one without changes. */
export const listedDiffContents = (version: Fields): ComparedDiff =>
  Object.keys(version).length === 0
    ? noDiff
    : diffContents(version, {
        files: listOf(version['diffs']) ?? [],
        commits: listOf(version['commits']),
        textOf: ({ diff: text }) => text,
      });

interface DiffParts {
  files: readonly Fields[];
  /** With the columns that GitLab shows. */
  commits: readonly Fields[] | undefined;
  textOf: (file: Fields) => unknown;
}

function diffContents(columns: Fields, { files, commits, textOf }: DiffParts): ComparedDiff {
  const values: Record<string, string> = {};
  for (const name of commitColumns) {
    const sha = columns[name];
    if (typeof sha === 'string') values[name] = sha;
  }
  const createdAt = normalizers.time(columns['created_at']);
  if (createdAt !== undefined) values['diff_created_at'] = createdAt;
  const shas = commits?.map(({ id }) => id);
  if (commits !== undefined && shas?.every((sha) => typeof sha === 'string') === true) {
    const sorted = commits.toSorted((a, b) => (String(a['id']) < String(b['id']) ? -1 : 1));
    values['commits'] = describeList('commit', shas.toSorted());
    values['commit_details'] = sorted.map((commit) => slotOf(detailsOf(commit))).join('');
    values['commit_messages'] = sorted.map(({ message }) => slotOf(messageOf(message))).join('');
  }
  const texts = files.map((file) => fileText(file, textOf(file)));
  if (texts.every((text) => text !== null)) values['diffs'] = describeList('file', texts.toSorted());
  return { files: files.length, values };
}

const commitTexts = ['id', 'author_name', 'author_email', 'committer_name', 'committer_email'] as const;
const commitTimes = ['authored_date', 'committed_date'] as const;

/** Returns null for a commit without some details. */
function detailsOf(commit: Fields): string | null {
  const details = [
    ...commitTexts.map((name) => normalizers.text(commit[name])),
    ...commitTimes.map((name) => normalizers.time(commit[name])),
  ];
  return details.includes(undefined) ? null : JSON.stringify(details);
}

/** Returns null for a commit without a message, because newer versions of GitLab export none (gitlab-facts 5.7). */
const messageOf = (message: unknown): string | null =>
  typeof message !== 'string' || message === '' ? null : message;

const slotLength = 8;
const emptySlot = '-'.repeat(slotLength);
const unreadableSlot = '?'.repeat(slotLength);

/** Returns a digest of the value of a commit. Values with replaced characters cannot be compared. */
function slotOf(value: string | null): string {
  if (value === null) return emptySlot;
  if (value.includes('\uFFFD')) return unreadableSlot;
  return createHash('sha256').update(value).digest('base64').slice(0, slotLength);
}

const slotsIn = (value: string): string[] =>
  Array.from({ length: value.length / slotLength }, (_, at) =>
    value.slice(at * slotLength, (at + 1) * slotLength),
  );

export interface ComparedSlots {
  /** The values of the commits that both sides have, for users. */
  archived: string;
  listed: string;
  /** Number of commits with a value only on the instance. */
  unarchivedCount: number;
  /** Number of commits without a value on both sides. */
  emptyCount: number;
  /** Number of commits with a value only in the archive, or with one that cannot be compared. */
  unreadCount: number;
}

/** Compares a field of commits. The slots of both sides belong to the same commits, in the order of their SHAs. */
export function compareSlots(archivedSlots: string, listedSlots: string): ComparedSlots {
  const listed = slotsIn(listedSlots);
  const pairs = slotsIn(archivedSlots).map((slot, at) => [slot, listed[at] ?? emptySlot] as const);
  const isKnown = (slot: string): boolean => slot !== emptySlot && slot !== unreadableSlot;
  const compared = pairs.filter((pair) => pair.every(isKnown));
  const emptyCount = pairs.filter((pair) => pair.every((slot) => slot === emptySlot)).length;
  const unarchivedCount = pairs.filter(([slot]) => slot === emptySlot).length - emptyCount;
  return {
    archived: describeList(
      'commit',
      compared.map(([slot]) => slot),
    ),
    listed: describeList(
      'commit',
      compared.map(([, slot]) => slot),
    ),
    ...{ unarchivedCount, emptyCount },
    unreadCount: pairs.length - compared.length - emptyCount - unarchivedCount,
  };
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

/** The changes of a merge request that has none. */
export const noDiff: ComparedDiff = diffContents({}, { files: [], commits: [], textOf: () => '' });

/**
 * Returns the number of files that GitLab recorded with a diff, such as 1000 for `1000+`; 0 if it deleted the files
 * later.
 */
export function recordedFiles({ real_size: size, state }: Fields): number {
  const count = typeof size === 'string' && state !== 'without_files' ? parseInt(size) : 0;
  return Number.isNaN(count) ? 0 : count;
}

export const diffOf = ({ merge_request_diff: diff }: Fields): Fields | null => (isFields(diff) ? diff : null);
