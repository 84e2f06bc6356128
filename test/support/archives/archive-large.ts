/**
 * @file Writes a large export like that of a big project, the same bytes in every run: a repository and uploads that do
 * not compress, records that do.
 */
import { createCipheriv, createHash, type Cipheriv } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { constants, createGzip, type Gzip, type ZlibParams } from 'node:zlib';
import { endMarker, member } from './archive-builder.ts';

export interface LargeExport {
  packBytes: number;
  uploads: number;
  uploadBytes: number;
  issues: number;
  /** Number of notes on each issue; 2 by default. */
  notes?: number;
  /** Minimum length of each description and note; the texts are short by default. */
  textLength?: number;
}

/** About 530 MB packed, 660 MB unpacked, 20,000 members, mostly repository and uploads. */
export const halfGigabyte: LargeExport = {
  packBytes: 370e6,
  uploads: 10_000,
  uploadBytes: 26_000,
  issues: 5_000,
};

/** About 480 MB packed, 730 MB unpacked, 20,000 members, 120,000 records. */
export const manyRecords: LargeExport = { ...halfGigabyte, packBytes: 290e6, issues: 120_000 };

class Noise {
  readonly #cipher: Cipheriv = createCipheriv('aes-128-ctr', Buffer.alloc(16, 1), Buffer.alloc(16));
  readonly #zeros = Buffer.alloc(1024 * 1024);

  bytes(length: number): Buffer {
    return this.#cipher.update(this.#zeros.subarray(0, length));
  }
}

const blockBytes = 1_000_000;
const usualLevel = 6;
/** Number of issues in one chunk: all of them in one string would exceed the maximum length of a string. */
const issuesPerChunk = 1000;

type Put = (bytes: Buffer) => Promise<void>;

function setLevel(gzip: ZlibParams, level: number): Promise<void> {
  return new Promise((resolve) => {
    gzip.params(level, constants.Z_DEFAULT_STRATEGY, resolve);
  });
}

export async function writeLargeExport(path: string, size: LargeExport): Promise<void> {
  const gzip = createGzip({ level: usualLevel }) as Gzip & ZlibParams;
  const part = `${path}.part`;
  const written = finished(gzip.pipe(createWriteStream(part)));
  const put: Put = async (bytes) => {
    if (!gzip.write(bytes)) await once(gzip, 'drain');
  };
  const noise = new Noise();
  await put(member({ name: './' }));
  await put(member({ name: './VERSION', content: '0.2.4' }));
  await put(member({ name: './GITLAB_VERSION', content: '18.0.0' }));
  // Packs of git do not compress: storing them saves minutes and makes nearly the same stream.
  await setLevel(gzip, constants.Z_NO_COMPRESSION);
  await putBundle(put, noise, size.packBytes);
  await setLevel(gzip, usualLevel);
  for (let index = 0; index < size.uploads; index++) {
    const folder = `./uploads/${index.toString(16).padStart(32, '0')}/`;
    await put(member({ name: folder }));
    // Typical attachments: pictures, which do not compress, and logs, which do.
    const upload =
      index % 2 === 0
        ? { name: `${folder}image.png`, content: noise.bytes(size.uploadBytes) }
        : { name: `${folder}server.log`, content: logOf(size.uploadBytes, noise) };
    await put(member(upload));
  }
  await put(member({ name: './tree/' }));
  await put(member({ name: './tree/project.json', content: '{"description":"A large project"}' }));
  await put(member({ name: './tree/project/' }));
  await putIssues(put, noise, size);
  await put(endMarker);
  gzip.end();
  await written;
  await rename(part, path);
}

async function putBundle(put: Put, noise: Noise, packBytes: number): Promise<void> {
  const head = Buffer.from(`# v2 git bundle\n${'a'.repeat(40)} refs/heads/main\n\n`);
  const blocks = Math.ceil(packBytes / blockBytes);
  const size = head.length + 12 + blocks * blockBytes + 20;
  const hash = createHash('sha1');
  const pack = Buffer.from('PACK\0\0\0\x02\0\x01\0\0', 'latin1');
  await put(member({ name: './project.bundle', size }).subarray(0, 512));
  await put(Buffer.concat([head, pack]));
  hash.update(pack);
  for (let block = 0; block < blocks; block++) {
    const bytes = noise.bytes(blockBytes);
    hash.update(bytes);
    await put(bytes);
  }
  await put(Buffer.concat([hash.digest(), Buffer.alloc((512 - (size % 512)) % 512)]));
}

async function putIssues(put: Put, noise: Noise, size: LargeExport): Promise<void> {
  const pieces: Buffer[] = [];
  for (let from = 0; from < size.issues; from += issuesPerChunk) {
    const length = Math.min(issuesPerChunk, size.issues - from);
    const lines = Array.from({ length }, (_, index) => issueLine(from + index, noise, size));
    pieces.push(Buffer.from(lines.join('')));
  }
  const bytes = pieces.reduce((sum, { length }) => sum + length, 0);
  await put(member({ name: './tree/project/issues.ndjson', size: bytes }).subarray(0, 512));
  for (const piece of pieces) await put(piece);
  await put(Buffer.alloc((512 - (bytes % 512)) % 512));
}

function logOf(bytes: number, noise: Noise): Buffer {
  const log = Buffer.alloc(bytes);
  let second = 0;
  for (let at = 0; at < bytes; second++) {
    const id = noise.bytes(8).toString('hex');
    const time = new Date(1_767_225_600_000 + second * 1000).toISOString();
    at += log.write(
      `${time} worker-${second % 8} INFO request ${id} GET /group/project/-/issues 200 in ${second % 97} ms\n`,
      at,
    );
  }
  return log;
}

/** Repeats the text at least twice, and until it has the length. */
const repeated = (text: string, length = 0): string =>
  text.repeat(Math.max(2, Math.ceil(length / text.length)));

function issueLine(index: number, noise: Noise, { notes = 2, textLength }: LargeExport): string {
  const words = noise.bytes(120).toString('base64');
  const note = {
    note: repeated(`Looks good to me, ${words.slice(0, 40)}. `, textLength),
    noteable_type: 'Issue',
    author_id: (index * 7) % 50,
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
    project_id: 5,
    system: index % 3 === 0,
    author: { name: 'Ada Lovelace' },
    award_emoji: [],
    events: [],
  };
  const issue = {
    title: `Issue ${index} about ${words.slice(40, 60)}`,
    author_id: index % 50,
    project_id: 5,
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
    description: repeated(`When one opens the page and ${words} then it fails. `, textLength),
    iid: index + 1,
    updated_by_id: null,
    confidential: false,
    due_date: null,
    lock_version: 0,
    time_estimate: 0,
    relative_position: index * 513,
    state: 'opened',
    events: [],
    timelogs: [],
    notes: Array.from({ length: notes }, () => note),
    label_links: [
      {
        target_type: 'Issue',
        label: { title: 'bug', color: '#ff0000', type: 'ProjectLabel', priorities: [] },
      },
    ],
  };
  return `${JSON.stringify(issue)}\n`;
}
