/** @file A file of replies by key, which a process that is killed leaves readable. Damaged replies are ignored. */
import { constants } from 'node:fs';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';

/** The changes of some merge requests are larger than everything else together. */
const maxReplyBytes = 256 * 1024;
const maxFileBytes = 256 * 1024 * 1024;

/**
 * Some replies are written together, because a write for each takes 4 % of the time of a migration of small projects. A
 * process that is killed requests these again.
 */
const maxUnwrittenReplies = 20;
const maxUnwrittenBytes = 1024 * 1024;

interface Place {
  offset: number;
  length: number;
}

export class ReplyFile {
  readonly #path: string;
  readonly #file: FileHandle;
  /** The replies that the file had when it was opened. */
  readonly #places: ReadonlyMap<string, Place>;
  #bytes: number;
  #unwritten: Buffer[] = [];
  #unwrittenBytes = 0;

  private constructor(path: string, file: FileHandle, places: ReadonlyMap<string, Place>, bytes: number) {
    this.#path = path;
    this.#file = file;
    this.#places = places;
    this.#bytes = bytes;
  }

  /** Opens the file, or creates it for its owner only. @param since ignores replies from before this time. */
  static async open(path: string, since: number): Promise<ReplyFile> {
    const flags = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND;
    const file = await open(path, flags, 0o600);
    // The last line may be cut.
    await file.write('\n');
    const places = new Map<string, Place>();
    let offset = 0;
    for await (const line of file.readLines({ start: 0, autoClose: false, encoding: 'utf8' })) {
      const length = Buffer.byteLength(line);
      const [key = '', at] = line.slice(0, maxHeadLength).split(' ');
      if (Number(at) >= since) places.set(key, { offset, length });
      offset += length + 1;
    }
    return new ReplyFile(path, file, places, offset);
  }

  /** Returns undefined for a reply that is not in the file, or is damaged. */
  async find(key: string): Promise<{ reply: unknown } | undefined> {
    const place = this.#places.get(key);
    if (place === undefined) return undefined;
    const { buffer } = await this.#file.read(Buffer.alloc(place.length), 0, place.length, place.offset);
    const [, sum, text] = /^\S+ \d+ (\d+) (.*)$/.exec(buffer.toString()) ?? [];
    return text === undefined || Number(sum) !== crc32(text) ? undefined : { reply: JSON.parse(text) };
  }

  /** @param now the time of the reply, in epoch milliseconds. */
  async add(key: string, now: number, reply: unknown): Promise<void> {
    const text = JSON.stringify(reply).replaceAll(/[\u2028\u2029]/g, escapeSeparator);
    const line = Buffer.from(`${key} ${now} ${crc32(text)} ${text}\n`);
    if (line.length > maxReplyBytes || this.#bytes + line.length > maxFileBytes) return;
    this.#bytes += line.length;
    this.#unwrittenBytes += line.length;
    this.#unwritten.push(line);
    if (this.#unwritten.length >= maxUnwrittenReplies || this.#unwrittenBytes >= maxUnwrittenBytes)
      await this.#write();
  }

  async close({ deletes }: { deletes: boolean }): Promise<void> {
    try {
      if (!deletes) await this.#write();
    } finally {
      await this.#file.close();
    }
    if (deletes) await rm(this.#path, { force: true });
  }

  async #write(): Promise<void> {
    if (this.#unwritten.length === 0) return;
    const bytes = Buffer.concat(this.#unwritten);
    this.#unwritten = [];
    this.#unwrittenBytes = 0;
    await this.#file.write(bytes);
  }
}

/** Node also ends a line at these separators, which JSON does not escape. */
const escapeSeparator = (separator: string): string => (separator === '\u2028' ? '\\u2028' : '\\u2029');

/** A line begins with the key and the time. */
const maxHeadLength = 100;
