/** @file Reads the records of a trimmed archive with their authors, to check later whether GitLab kept the authors. */
import type { AuthoredRecord } from '../../src-contract/transfers/relation-target-schema.ts';
import { isObject, type Fields } from '../platform/objects.ts';
import { membersRelation } from './authors.ts';
import type { FileReadOptions } from './archive-file.ts';
import { walkMembers } from './read.ts';
import { relationOf } from './reader/export-content.ts';
import type { MemberSink } from './reader/tar-walker.ts';

/** A longer record is skipped, because reading it would take too much memory. */
const maxLineBytes = 4 << 20;

/**
 * Returns at most `max` records with iid and author, and the number of further ones. Rejects with `archive-corrupt`, or
 * like `openArchive`.
 */
export async function readAuthoredRecords(
  path: string,
  relation: string,
  max: number,
  options: FileReadOptions,
): Promise<{ records: AuthoredRecord[]; restCount: number }> {
  const usernames = new Map<number, string>();
  const found: { iid: number; authorId: number }[] = [];
  let restCount = 0;
  const takeMember = (value: Fields): void => {
    const user = value['user'];
    if (!isObject(user)) return;
    const { id, username } = user;
    if (typeof id === 'number' && typeof username === 'string') usernames.set(id, username);
  };
  const takeRecord = ({ iid, author_id: authorId }: Fields): void => {
    if (typeof iid !== 'number' || typeof authorId !== 'number') return;
    if (found.length < max) found.push({ iid, authorId });
    else restCount += 1;
  };
  const sinkOf = (name: string): MemberSink | null => {
    const entryRelation = relationOf(name);
    if (entryRelation === membersRelation) return new LineSink(takeMember);
    return entryRelation === relation ? new LineSink(takeRecord) : null;
  };
  await walkMembers(path, sinkOf, () => false, options);
  const records = found.map(({ iid, authorId }) => ({ iid, author: usernames.get(authorId) ?? null }));
  return { records, restCount };
}

/** Parses each line and passes on the values that are objects. */
class LineSink implements MemberSink {
  #pieces: Buffer[] = [];
  #length = 0;
  readonly #take: (value: Fields) => void;

  constructor(take: (value: Fields) => void) {
    this.#take = take;
  }

  write(bytes: Buffer): void {
    let offset = 0;
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, offset)) {
      this.#add(bytes.subarray(offset, end));
      this.end();
      offset = end + 1;
    }
    this.#add(bytes.subarray(offset));
  }

  end(): void {
    const text = this.#length > maxLineBytes ? '' : Buffer.concat(this.#pieces).toString();
    this.#pieces = [];
    this.#length = 0;
    try {
      const value: unknown = JSON.parse(text);
      if (isObject(value)) this.#take(value);
    } catch {
      // A line that is no record has no author.
    }
  }

  #add(bytes: Buffer): void {
    this.#length += bytes.length;
    if (this.#length <= maxLineBytes) this.#pieces.push(Buffer.from(bytes));
    else this.#pieces = [];
  }
}
