/**
 * @file A minimal archive of chosen records: an import of it, or of one of its relations, brings them and nothing else. It has no
 * repository, no files and no attributes of the project, because an import of one relation would assign them to the target
 * (gitlab-facts 8). It has the members who wrote the records, so that their authors are kept. The same choice from the same archive
 * gives the same bytes.
 */
import { closeSync, existsSync, openSync, writeSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, open, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { create } from 'tar';
import { AppError } from '../../src-preload/contract/errors.ts';
import { digestFile, type FileReadOptions } from './archive-file.ts';
import { addUserNumbers, isMemberIn, linesIn, membersRelation } from './authors.ts';
import { diskError, errnoOf, realDisk } from './disk.ts';
import { defaultReadLimits, LimitCrossed } from './limits.ts';
import { walkMembers } from './read.ts';
import { legacyDocument, relationOf } from './reader/export-content.ts';
import type { MemberSink } from './reader/tar-walker.ts';
import type { RecordIndex } from './records/record-index.ts';

/** Null: all of its records. Zero-based lines, as GitLab reports them. */
export interface Choice {
  relation: string;
  lines: readonly number[] | null;
}

export interface Trimmed {
  sizeBytes: number;
  sha256: string;
  /** `lines[n]` is the line that record `n` had in the archive. */
  relations: { relation: string; lines: number[] }[];
}

/** Of every member, so that the bytes say nothing of when they were written. */
const writtenAt = new Date(0);
const stamps = ['VERSION', 'GITLAB_VERSION'] as const;
const rootDocument = 'tree/project.json';
/** Assigns nothing. */
const noAttributes = '{}';

/**
 * Writes them to the file `to`, an absolute path, by one pass through the archive; nothing that stands there is replaced
 * (`already-exists`). Throws `record-missing` for a record that is not there, `archive-corrupt`, and the errors of disk and archive;
 * then nothing is left. The old layout of one document has no lines and is refused with `invalid-input`.
 */
export function trimArchive(
  path: string,
  choices: readonly Choice[],
  to: string,
  options: FileReadOptions = {},
): Promise<Trimmed> {
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
      if (copier?.begun === true) {
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

/** The same from the index of the archive, which is not opened. Rejects with `IndexDamaged`. */
export function trimByIndex(
  index: RecordIndex,
  stamp: { version: string; gitlabVersion: string | null },
  choices: readonly Choice[],
  to: string,
  signal: AbortSignal,
): Promise<Trimmed> {
  return packed(to, choices, async (folder, copiers) => {
    for (const [relation, copier] of copiers) {
      copier.begin();
      for (const line of copier.wanted === null ? linesOf(index, relation) : inOrder([...copier.wanted])) {
        signal.throwIfAborted();
        const bytes = await index.bytes(relation, line);
        if (bytes !== null) copier.take(line, bytes);
      }
    }
    await writeFile(join(folder, 'VERSION'), stamp.version, { mode: 0o600 });
    if (stamp.gitlabVersion !== null) {
      await writeFile(join(folder, 'GITLAB_VERSION'), stamp.gitlabVersion, { mode: 0o600 });
    }
  });
}

const inOrder = (lines: readonly number[]): number[] => [...new Set(lines)].sort((one, other) => one - other);

function linesOf(index: RecordIndex, relation: string): Iterable<number> {
  const count = index.relations().find(({ name }) => name === relation)?.lines ?? 0;
  return Array.from({ length: count }, (_, line) => line);
}

/** Lets `fill` write the members into a folder beside the place, and packs it. */
async function packed(
  to: string,
  choices: readonly Choice[],
  fill: (folder: string, copiers: ReadonlyMap<string, Copier>) => Promise<void>,
): Promise<Trimmed> {
  await hold(to, choices);
  const place = dirname(to);
  const copiers = new Map<string, Copier>();
  let folder: string | null = null;
  try {
    folder = await mkdtemp(join(place, '.packhorse-'));
    const members = join(folder, 'members');
    await mkdir(join(members, 'tree/project'), { recursive: true, mode: 0o700 });
    for (const choice of choices) {
      copiers.set(choice.relation, new Copier(choice, join(members, memberOf(choice.relation))));
    }
    const allMembers = join(folder, 'all-members');
    const isWithAuthors = !copiers.has(membersRelation);
    if (isWithAuthors) {
      copiers.set(membersRelation, new Copier({ relation: membersRelation, lines: null }, allMembers));
    }
    await fill(members, copiers);
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
    const file = await open(part, 'r+');
    await file.datasync().finally(() => file.close());
    await realDisk.rename(part, to);
    await realDisk.flushFolder(place);
    const relations = chosen.map(({ relation, lines }) => ({ relation, lines }));
    return { ...digest, relations };
  } catch (thrown) {
    await rm(to, { force: true });
    throw thrown instanceof Error && errnoOf(thrown) === '' ? thrown : diskError(thrown, place);
  } finally {
    for (const copier of copiers.values()) copier.close();
    if (folder !== null) await rm(folder, { recursive: true, force: true });
  }
}

/** Copies those members to `to` whom the records in the files name; where there is none, no file is written. */
async function copyAuthors(files: readonly string[], allMembers: string, to: string): Promise<void> {
  const numbers = new Set<string>();
  for (const file of files) await addUserNumbers(file, numbers);
  for await (const member of linesIn(allMembers)) {
    if (!isMemberIn(member, numbers)) continue;
    await appendFile(to, Buffer.concat([member, Buffer.from([newline])]), { mode: 0o600 });
  }
}

/** An empty file holds the name until the whole one is put in its place. */
async function hold(to: string, choices: readonly Choice[]): Promise<void> {
  const odd = choices.find(({ relation }) => !/^[a-z0-9_]+$/.test(relation));
  if (odd !== undefined) throw new AppError('invalid-input', `"${odd.relation}" is no relation.`);
  if (!isAbsolute(to)) throw new AppError('invalid-input', `"${to}" is not a whole path.`);
  const place = dirname(to);
  const found = await stat(place).catch(() => null);
  if (found?.isDirectory() !== true) throw new AppError('invalid-input', `There is no folder ${place}.`);
  try {
    await (await realDisk.create(to)).close();
  } catch (thrown) {
    if (errnoOf(thrown) !== 'EEXIST') throw diskError(thrown, place);
    throw new AppError('already-exists', 'A file stands there already, and none is replaced.', {
      details: { path: to },
    });
  }
}

const memberOf = (relation: string): string => `tree/project/${relation}.ndjson`;

const newline = 10;
const isSpace = (byte: number): boolean => byte === 32 || (byte >= 9 && byte <= 13);

/** Copies the chosen lines of one relation to a file, byte for byte, but for blank ones: they are no records. */
class Copier implements MemberSink {
  readonly relation: string;
  /** Of the archive, in the order in which they were copied. */
  readonly lines: number[] = [];
  begun = false;
  /** Null: all lines. */
  readonly wanted: ReadonlySet<number> | null;
  readonly #last: number;
  readonly #file: number;
  #isOpen = true;
  #line = 0;
  /** The start of a line of which nothing but white space came yet. */
  #blank: Buffer[] = [];
  #hasText = false;
  #ended = false;
  #atLineStart = true;

  constructor({ relation, lines }: Choice, path: string) {
    this.relation = relation;
    this.wanted = lines === null ? null : new Set(lines);
    this.#last = lines === null ? Infinity : Math.max(-1, ...lines);
    this.#file = openSync(path, 'wx', 0o600);
  }

  get isComplete(): boolean {
    return this.#ended || this.#line > this.#last;
  }

  begin(): void {
    this.begun = true;
  }

  write(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length) {
      const found = bytes.indexOf(newline, at);
      const end = found === -1 ? bytes.length : found;
      if (this.wanted === null || this.wanted.has(this.#line)) this.#copy(bytes.subarray(at, end));
      this.#atLineStart = found !== -1;
      if (found !== -1) this.#lineEnds();
      at = end + 1;
    }
  }

  end(): void {
    if (!this.#atLineStart) this.#lineEnds();
    this.#ended = true;
  }

  /** One whole line. */
  take(line: number, bytes: Buffer): void {
    this.#line = line;
    this.#copy(bytes);
    this.#lineEnds();
  }

  /** Throws `record-missing` where a wanted line did not come. */
  finish(): void {
    if (!this.begun) {
      throw new AppError('record-missing', `The archive has no relation "${this.relation}".`);
    }
    if (this.wanted === null || this.lines.length === this.wanted.size) return;
    const taken = new Set(this.lines);
    const absent = [...this.wanted].find((line) => !taken.has(line)) ?? 0;
    throw new AppError('record-missing', `There is no record on line ${absent} of ${this.relation}.`);
  }

  /** Repeatable. */
  close(): void {
    if (this.#isOpen) closeSync(this.#file);
    this.#isOpen = false;
  }

  #copy(bytes: Buffer): void {
    if (!this.#hasText && bytes.every(isSpace)) {
      this.#blank.push(Buffer.from(bytes));
      return;
    }
    for (const piece of this.#blank) writeWhole(this.#file, piece);
    this.#blank = [];
    this.#hasText = true;
    writeWhole(this.#file, bytes);
  }

  #lineEnds(): void {
    if (this.#hasText) {
      writeWhole(this.#file, Buffer.from([newline]));
      this.lines.push(this.#line);
    }
    this.#blank = [];
    this.#hasText = false;
    this.#line += 1;
  }
}

function writeWhole(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
}

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
    if (this.#length > allowed) throw new LimitCrossed('recordBytes', allowed);
    this.#pieces.push(Buffer.from(bytes));
  }

  end(): void {
    this.#done(Buffer.concat(this.#pieces));
  }
}
