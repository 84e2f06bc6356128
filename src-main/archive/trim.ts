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
const memberTime = new Date(0);
const versionFiles = ['VERSION', 'GITLAB_VERSION'] as const;
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
  return packArchive(to, choices, async (folder, copiers) => {
    const found = new Map<string, Buffer>();
    const seen = { legacy: false, root: false };
    const sinkOf = (name: string): MemberSink | null => {
      if (name === legacyDocument) seen.legacy = true;
      if (name === rootDocument) seen.root = true;
      if ((versionFiles as readonly string[]).includes(name)) {
        return new DocumentSink((bytes) => found.set(name, bytes));
      }
      const copier = copiers.get(relationOf(name) ?? '') ?? null;
      if (copier?.hasBegun === true) {
        throw new AppError('archive-unsafe', `The archive has ${name} twice.`, { details: { path } });
      }
      copier?.begin();
      return copier;
    };
    const isDone = (): boolean =>
      found.size === versionFiles.length && [...copiers.values()].every(({ isComplete }) => isComplete);
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
  versions: { version: string; gitlabVersion: string | null },
  choices: readonly RecordSelection[],
  to: string,
  signal: AbortSignal,
): Promise<TrimResult> {
  return packArchive(to, choices, async (folder, copiers) => {
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
    await writeFile(join(folder, 'VERSION'), versions.version, { mode: 0o600 });
    if (versions.gitlabVersion !== null) {
      await writeFile(join(folder, 'GITLAB_VERSION'), versions.gitlabVersion, { mode: 0o600 });
    }
  });
}

function* linesOf(index: RecordIndex, relation: string): Iterable<number> {
  const count = index.relation(relation)?.lines ?? 0;
  for (let line = 0; line < count; line++) yield line;
}

/** Lets `fill` write the members into a temporary folder beside the target, and packs them. */
async function packArchive(
  to: string,
  choices: readonly RecordSelection[],
  fill: (folder: string, copiers: ReadonlyMap<string, LineCopier>) => Promise<void>,
): Promise<TrimResult> {
  await checkArguments(to, choices);
  const targetFolder = dirname(to);
  const copiers = new Map<string, LineCopier>();
  let folder: string | null = null;
  try {
    folder = await mkdtemp(join(targetFolder, '.packhorse-'));
    const stagingFolder = join(folder, 'members');
    await mkdir(join(stagingFolder, 'tree/project'), { recursive: true, mode: 0o700 });
    for (const choice of choices) {
      copiers.set(
        choice.relation,
        new LineCopier(choice, join(stagingFolder, relationPathOf(choice.relation))),
      );
    }
    const allMembersFile = join(folder, 'all-members');
    const includesAuthors = !copiers.has(membersRelation);
    if (includesAuthors) {
      copiers.set(
        membersRelation,
        new LineCopier({ relation: membersRelation, lines: null }, allMembersFile),
      );
    }
    await fill(stagingFolder, copiers);
    for (const copier of copiers.values()) copier.close();
    const chosenCopiers = [...copiers.values()].filter(({ relation }) =>
      choices.some((one) => one.relation === relation),
    );
    for (const copier of chosenCopiers) copier.finish();
    if (includesAuthors) {
      const files = chosenCopiers.map(({ relation }) => join(stagingFolder, relationPathOf(relation)));
      await copyAuthors(files, allMembersFile, join(stagingFolder, relationPathOf(membersRelation)));
    }
    await writeFile(join(stagingFolder, rootDocument), noAttributes, { mode: 0o600 });
    const part = join(folder, 'part');
    const names = [...versionFiles, rootDocument, ...[...copiers.keys()].sort().map(relationPathOf)];
    const existingNames = names.filter((name) => existsSync(join(stagingFolder, name)));
    await create(
      { gzip: true, portable: true, mtime: memberTime, cwd: stagingFolder, file: part, mode: 0o600 },
      existingNames,
    );
    const digest = await digestFile(part, {});
    await flushFile(part);
    await moveWithoutReplacing(part, to);
    const relations = chosenCopiers.map(({ relation, copiedLines }) => ({ relation, lines: copiedLines }));
    return { ...digest, relations };
  } catch (thrown) {
    throw diskError(thrown, targetFolder);
  } finally {
    for (const copier of copiers.values()) copier.abandon();
    if (folder !== null) await rm(folder, { recursive: true, force: true });
  }
}

/** Writes to `to` the members that the records in `files` name; writes no file if there are none. */
async function copyAuthors(files: readonly string[], allMembersFile: string, to: string): Promise<void> {
  const userIds = new Set<string>();
  for (const file of files) await addUserIds(file, userIds);
  const output = { members: null as LineWriter | null };
  try {
    for await (const member of readMemberLines(allMembersFile)) {
      if (!isMemberWithUserId(member, userIds)) continue;
      output.members ??= new LineWriter(to);
      output.members.write(member);
      output.members.endLine();
    }
    output.members?.close();
  } finally {
    output.members?.abandon();
  }
}

/** Throws the errors of `trimArchive` that do not depend on the archive. */
async function checkArguments(to: string, choices: readonly RecordSelection[]): Promise<void> {
  const invalidChoice = choices.find(({ relation }) => !/^[a-z0-9_]+$/.test(relation));
  if (invalidChoice !== undefined)
    throw new AppError('invalid-input', `"${invalidChoice.relation}" is no relation.`);
  if (!isAbsolute(to)) throw new AppError('invalid-input', `"${to}" is not an absolute path.`);
  const targetFolder = dirname(to);
  const found = await stat(targetFolder).catch(() => null);
  if (found?.isDirectory() !== true)
    throw new AppError('invalid-input', `There is no folder ${targetFolder}.`);
  if ((await lstat(to).catch(() => null)) !== null) throw fileExistsError(to);
}

const relationPathOf = (relation: string): string => `tree/project/${relation}.ndjson`;

/** A small document, kept in memory. */
class DocumentSink implements MemberSink {
  readonly #pieces: Buffer[] = [];
  readonly #done: (bytes: Buffer) => void;
  #length = 0;

  constructor(onEnd: (bytes: Buffer) => void) {
    this.#done = onEnd;
  }

  write(bytes: Buffer): void {
    this.#length += bytes.length;
    const maxBytes = defaultReadLimits.recordBytes;
    if (this.#length > maxBytes) throw new LimitExceeded('recordBytes', maxBytes);
    this.#pieces.push(Buffer.from(bytes));
  }

  end(): void {
    this.#done(Buffer.concat(this.#pieces));
  }
}
