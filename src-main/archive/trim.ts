/**
 * @file Writes a minimal archive of chosen records. An import of it, or of one of its relations, adds these records and
 * nothing else. The archive has no repository, no files and no attributes of the project, because an import of one
 * relation would assign them to the target (gitlab-facts 8). The archive contains the members who wrote the records, so
 * that the authors are kept. The same choice from the same archive gives the same bytes.
 */
import { existsSync } from 'node:fs';
import { lstat, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { create } from 'tar';
import { AppError } from '../../src-contract/errors.ts';
import { digestFile, type FileReadOptions } from './archive-file.ts';
import { addUserIds, isMemberWithUserId, readMemberLines, membersRelation } from './authors.ts';
import { defaultReadLimits, LimitExceeded } from './limits.ts';
import { LineCopier, LineWriter } from './line-copier.ts';
import { walkMembers } from './read.ts';
import { legacyDocument, relationOf } from './reader/export-content.ts';
import type { MemberSink } from './reader/tar-walker.ts';
import type { RecordIndex } from './records/record-index.ts';
import { diskError } from '../platform/disk/disk-errors.ts';
import { fileExistsError, flushFile, moveWithoutReplacing } from '../platform/disk/durable-file.ts';

/** Zero-based lines, as GitLab reports them; null chooses all records. */
export interface RecordSelection {
  relation: string;
  lines: readonly number[] | null;
}

export interface TrimResult {
  sizeBytes: number;
  sha256: string;
  /** `lines[n]` is the line that record `n` had in the archive. */
  relations: { relation: string; lines: number[] }[];
}

/** The time of every member, so that the bytes do not depend on when they were written. */
const writtenAt = new Date(0);
const stamps = ['VERSION', 'GITLAB_VERSION'] as const;
const rootDocument = 'tree/project.json';
/** Sets no attribute. */
const noAttributes = '{}';

/**
 * Writes the chosen records to the file `to`, an absolute path, in one pass through the archive. Throws
 * `already-exists` for an existing file, `record-missing` for a missing record, `archive-corrupt`, and the errors of
 * disk and archive; no file remains then. Throws `invalid-input` for the legacy layout, which has no lines.
 */
export function trimArchive(
  path: string,
  choices: readonly RecordSelection[],
  to: string,
  options: FileReadOptions = {},
): Promise<TrimResult> {
  return packed(to, choices, async (folder, copiers) => {
    const found = new Map<string, Buffer>();
    const seen = { legacy: false, root: false };
    const sinkOf = (name: string): MemberSink | null => {
      if (name === legacyDocument) seen.legacy = true;
      if (name === rootDocument) seen.root = true;
      if ((stamps as readonly string[]).includes(name)) {
        return new Content((bytes) => found.set(name, bytes));
      }
      const copier = copiers.get(relationOf(name) ?? '') ?? null;
      if (copier?.hasBegun === true) {
        throw new AppError('archive-unsafe', `The archive has ${name} twice.`, { details: { path } });
      }
      copier?.begin();
      return copier;
    };
    const isDone = (): boolean =>
      found.size === stamps.length && [...copiers.values()].every(({ isComplete }) => isComplete);
    await walkMembers(path, sinkOf, isDone, options);
    if (seen.legacy && !seen.root) {
      throw new AppError('invalid-input', 'An archive of the old layout cannot be trimmed.');
    }
    for (const [name, bytes] of found) await writeFile(join(folder, name), bytes, { mode: 0o600 });
  });
}

/** Like `trimArchive`, but reads the index instead of the archive. Rejects with `IndexDamaged`. */
export function trimFromIndex(
  index: RecordIndex,
  stamp: { version: string; gitlabVersion: string | null },
  choices: readonly RecordSelection[],
  to: string,
  signal: AbortSignal,
): Promise<TrimResult> {
  return packed(to, choices, async (folder, copiers) => {
    for (const [relation, copier] of copiers) {
      copier.begin();
      for (const line of copier.wantedLines === null
        ? linesOf(index, relation)
        : [...copier.wantedLines].sort((a, b) => a - b)) {
        signal.throwIfAborted();
        const bytes = await index.bytes(relation, line);
        if (bytes !== null) copier.copyLine(line, bytes);
      }
    }
    await writeFile(join(folder, 'VERSION'), stamp.version, { mode: 0o600 });
    if (stamp.gitlabVersion !== null) {
      await writeFile(join(folder, 'GITLAB_VERSION'), stamp.gitlabVersion, { mode: 0o600 });
    }
  });
}

function* linesOf(index: RecordIndex, relation: string): Iterable<number> {
  const count = index.relation(relation)?.lines ?? 0;
  for (let line = 0; line < count; line++) yield line;
}

/** Lets `fill` write the members into a temporary folder beside the target, and packs them. */
async function packed(
  to: string,
  choices: readonly RecordSelection[],
  fill: (folder: string, copiers: ReadonlyMap<string, LineCopier>) => Promise<void>,
): Promise<TrimResult> {
  await check(to, choices);
  const place = dirname(to);
  const copiers = new Map<string, LineCopier>();
  let folder: string | null = null;
  try {
    folder = await mkdtemp(join(place, '.packhorse-'));
    const members = join(folder, 'members');
    await mkdir(join(members, 'tree/project'), { recursive: true, mode: 0o700 });
    for (const choice of choices) {
      copiers.set(choice.relation, new LineCopier(choice, join(members, memberOf(choice.relation))));
    }
    const allMembers = join(folder, 'all-members');
    const isWithAuthors = !copiers.has(membersRelation);
    if (isWithAuthors) {
      copiers.set(membersRelation, new LineCopier({ relation: membersRelation, lines: null }, allMembers));
    }
    await fill(members, copiers);
    for (const copier of copiers.values()) copier.close();
    const chosen = [...copiers.values()].filter(({ relation }) =>
      choices.some((one) => one.relation === relation),
    );
    for (const copier of chosen) copier.finish();
    if (isWithAuthors) {
      const files = chosen.map(({ relation }) => join(members, memberOf(relation)));
      await copyAuthors(files, allMembers, join(members, memberOf(membersRelation)));
    }
    await writeFile(join(members, rootDocument), noAttributes, { mode: 0o600 });
    const part = join(folder, 'part');
    const names = [...stamps, rootDocument, ...[...copiers.keys()].sort().map(memberOf)];
    const held = names.filter((name) => existsSync(join(members, name)));
    await create(
      { gzip: true, portable: true, mtime: writtenAt, cwd: members, file: part, mode: 0o600 },
      held,
    );
    const digest = await digestFile(part, {});
    await flushFile(part);
    await moveWithoutReplacing(part, to);
    const relations = chosen.map(({ relation, copiedLines }) => ({ relation, lines: copiedLines }));
    return { ...digest, relations };
  } catch (thrown) {
    throw diskError(thrown, place);
  } finally {
    for (const copier of copiers.values()) copier.abandon();
    if (folder !== null) await rm(folder, { recursive: true, force: true });
  }
}

/** Writes to `to` the members that the records in `files` name; writes no file if there are none. */
async function copyAuthors(files: readonly string[], allMembers: string, to: string): Promise<void> {
  const numbers = new Set<string>();
  for (const file of files) await addUserIds(file, numbers);
  const found = { members: null as LineWriter | null };
  try {
    for await (const member of readMemberLines(allMembers)) {
      if (!isMemberWithUserId(member, numbers)) continue;
      found.members ??= new LineWriter(to);
      found.members.write(member);
      found.members.endLine();
    }
    found.members?.close();
  } finally {
    found.members?.abandon();
  }
}

/** Throws the errors of `trimArchive` that do not depend on the archive. */
async function check(to: string, choices: readonly RecordSelection[]): Promise<void> {
  const odd = choices.find(({ relation }) => !/^[a-z0-9_]+$/.test(relation));
  if (odd !== undefined) throw new AppError('invalid-input', `"${odd.relation}" is no relation.`);
  if (!isAbsolute(to)) throw new AppError('invalid-input', `"${to}" is not an absolute path.`);
  const place = dirname(to);
  const found = await stat(place).catch(() => null);
  if (found?.isDirectory() !== true) throw new AppError('invalid-input', `There is no folder ${place}.`);
  if ((await lstat(to).catch(() => null)) !== null) throw fileExistsError(to);
}

const memberOf = (relation: string): string => `tree/project/${relation}.ndjson`;

/** A small document, kept in memory. */
class Content implements MemberSink {
  readonly #pieces: Buffer[] = [];
  readonly #done: (bytes: Buffer) => void;
  #length = 0;

  constructor(done: (bytes: Buffer) => void) {
    this.#done = done;
  }

  write(bytes: Buffer): void {
    this.#length += bytes.length;
    const allowed = defaultReadLimits.recordBytes;
    if (this.#length > allowed) throw new LimitExceeded('recordBytes', allowed);
    this.#pieces.push(Buffer.from(bytes));
  }

  end(): void {
    this.#done(Buffer.concat(this.#pieces));
  }
}
