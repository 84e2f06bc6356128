/**
 * @file The content of a project, apart from its database row. Relations are stored as the bytes of their NDJSON files.
 * Data that the sandbox does not model therefore passes through an import and an export unchanged. Records are parsed
 * on demand.
 */
import { open } from 'node:fs/promises';
import { refsOfBundle, type Ref } from './git-bundle.ts';

export type JsonRecord = Record<string, unknown>;

/** The bytes of one member: in memory, or in a file below the sandbox's temporary folder. */
export type FileBytes = Buffer | { path: string; size: number };

export interface ProjectContent {
  /** The object of `tree/project.json`. */
  attributes: JsonRecord;
  /** Maps a relation to the bytes of `tree/project/<name>.ndjson`. Replace an entry, never change its bytes. */
  relations: Map<string, Buffer>;
  /** Maps a name without `./` to its bytes, for every member outside `tree/`. */
  otherFiles: Map<string, FileBytes>;
}

/** Order in which GitLab restores relations (gitlab-facts 5.3). */
const relationOrder = (
  'labels milestones issues snippets releases project_members merge_requests external_pull_requests commit_notes ' +
  'ci_pipelines auto_devops pipeline_schedules container_expiration_policy protected_branches protected_tags ' +
  'project_feature custom_attributes project_badges ci_cd_settings error_tracking_setting boards ' +
  'service_desk_setting user_contributions'
).split(' ');

/** Relations that are a single JSON value without a line end, instead of a list of lines (gitlab-facts 5.3). */
export const singleRecordRelations: ReadonlySet<string> = new Set(
  (
    'auto_devops project_feature ci_cd_settings push_rule security_setting error_tracking_setting ' +
    'service_desk_setting container_expiration_policy metrics_setting user_contributions'
  ).split(' '),
);

/** Returns the names in GitLab's order of restoring, unknown ones last. */
export function relationsInOrder({ relations }: ProjectContent): string[] {
  const known = relationOrder.filter((name) => relations.has(name));
  return [...known, ...[...relations.keys()].filter((name) => !relationOrder.includes(name)).sort()];
}

export function emptyContent(): ProjectContent {
  return { attributes: {}, relations: new Map(), otherFiles: new Map() };
}

/** Writes one compact object per line, each with a line end, as GitLab does. */
export function encodeRecords(records: readonly JsonRecord[]): Buffer {
  return Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
}

/** Writes the lines of a relation, each with a line end. A relation of one record has none, and is `null` without it. */
export function encodeLines(relation: string, lines: readonly string[]): Buffer {
  if (singleRecordRelations.has(relation)) return Buffer.from(lines[0] ?? 'null');
  return Buffer.from(lines.map((line) => `${line}\n`).join(''));
}

const parsedRecords = new WeakMap<Buffer, JsonRecord[]>();
export function isObject(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the record of a relation that has one; null without it. */
export function singleRecordOf(content: ProjectContent, relation: string): JsonRecord | null {
  const [record] = recordsOf(content, relation) as unknown[];
  return isObject(record) ? record : null;
}

/** Splits a relation's file into lines. A final line end does not start another line. */
export function linesOf(bytes: Buffer): string[] {
  const lines = bytes.toString('utf8').split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/**
 * Returns the records of a relation, without blank lines. Each buffer is parsed once, so callers must not change the
 * records.
 */
export function recordsOf(content: ProjectContent, relation: string): JsonRecord[] {
  const bytes = content.relations.get(relation);
  if (bytes === undefined) return [];
  const known = parsedRecords.get(bytes);
  if (known !== undefined) return known;
  const records = linesOf(bytes)
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as JsonRecord);
  parsedRecords.set(bytes, records);
  return records;
}

export function notesOf(record: JsonRecord): JsonRecord[] {
  return Array.isArray(record['notes']) ? (record['notes'] as JsonRecord[]) : [];
}

export function sizeOf(bytes: FileBytes | undefined): number {
  if (bytes === undefined) return 0;
  return Buffer.isBuffer(bytes) ? bytes.length : bytes.size;
}

const knownRefs = new WeakMap<object, Ref[]>();

/** Reads the references in the head of the repository's bundle; an empty repository has no references. */
export async function refsOf(content: ProjectContent): Promise<{ branches: Ref[]; tags: Ref[] }> {
  const bundle = content.otherFiles.get('project.bundle');
  if (bundle === undefined) return { branches: [], tags: [] };
  const refs = knownRefs.get(bundle) ?? (await readBundleRefs(bundle)) ?? [];
  knownRefs.set(bundle, refs);
  const refsBelow = (prefix: string) =>
    refs.flatMap(({ sha, name }) =>
      name.startsWith(prefix) ? [{ sha, name: name.slice(prefix.length) }] : [],
    );
  return { branches: refsBelow('refs/heads/'), tags: refsBelow('refs/tags/') };
}

/** Reads the references including `HEAD`; null if the bytes are not a bundle with a pack. */
export async function readBundleRefs(bundle: FileBytes): Promise<Ref[] | null> {
  return refsOfBundle(Buffer.isBuffer(bundle) ? bundle : await readBundleHeader(bundle.path));
}

/** Returns at least the bytes up to the pack of a bundle, or the whole file. */
export async function readBundleHeader(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    for (let size = 1 << 16; ; size *= 4) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, 0);
      const read = buffer.subarray(0, bytesRead);
      if (read.includes('\n\nPACK') || bytesRead < size) return read;
    }
  } finally {
    await file.close();
  }
}

/** Returns the branch that a clone checks out; null for an empty repository. */
export async function defaultBranch(content: ProjectContent): Promise<string | null> {
  const bundle = content.otherFiles.get('project.bundle');
  const refs = bundle === undefined ? [] : ((await readBundleRefs(bundle)) ?? []);
  const head = refs.find((ref) => ref.name === 'HEAD');
  const branches = refs.filter((ref) => ref.name.startsWith('refs/heads/'));
  const findBranch = (name: string) => branches.find((ref) => ref.name === `refs/heads/${name}`);
  const chosen =
    findBranch('main') ??
    findBranch('master') ??
    branches.find((ref) => ref.sha === head?.sha) ??
    branches[0];
  return chosen?.name.slice('refs/heads/'.length) ?? null;
}
