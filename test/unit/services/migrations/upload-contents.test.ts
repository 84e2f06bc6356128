import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { AppError } from '../../../../src-contract/errors.ts';
import type { UploadedFile } from '../../../../src-main/jobs/migrations/comparing/losses/uploaded-files.ts';
import {
  compareUploadContents,
  describeUnreadUploads,
  type UploadContentsRequest,
} from '../../../../src-main/services/migrations/comparing/one-by-one/upload-contents.ts';

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
const inArchive = (name: string, text: string): UploadedFile => ({
  ...{ name, bytes: text.length, createdAt: null, sha256: digest(text) },
});

/** Compares archived files with those of an instance, whose texts it returns by id. */
async function compare(
  archive: UploadedFile[],
  texts: [name: string, text: string][],
  { lost = 'on-import', limit }: { lost?: UploadContentsRequest['lost']; limit?: number } = {},
) {
  const requested: number[] = [];
  const downloadUpload: UploadContentsRequest['remote']['downloadUpload'] = async (_project, id, sink) => {
    requested.push(id);
    const bytes = Buffer.from(texts[id]?.[1] ?? '');
    await sink.onStart({ totalBytes: null, lastModified: null });
    await sink.onChunk(bytes.subarray(0, 1));
    // The download starts again.
    await sink.onStart({ totalBytes: null, lastModified: null });
    await sink.onChunk(bytes);
  };
  const listed = texts.map(([name, text], id) => ({ name, bytes: text.length, createdAt: null, id }));
  const signal = new AbortController().signal;
  const compared = await compareUploadContents(
    { archive, listed, lost, projectId: 7, remote: { downloadUpload }, signal },
    limit,
  );
  return { ...compared, requested };
}

it('a file with another content of the same size is named with both digests', async () => {
  const archive = [inArchive('a.txt', 'same'), inArchive('b.txt', 'here')];
  const { missing, unread } = await compare(archive, [
    ['a.txt', 'same'],
    ['b.txt', 'lost'],
  ]);
  const values = { expected: `SHA-256 ${digest('here')}`, found: `SHA-256 ${digest('lost')}` };
  expect(missing).toEqual([
    {
      ...{ relation: 'uploads', lost: 'on-import', line: null, iid: null, title: 'b.txt (4 bytes)' },
      part: { name: 'content', values },
    },
  ]);
  expect(describeUnreadUploads(unread, 'target')).toEqual([]);
});

it('a file of the source with another content than in the archive is lost on export, and only archived files are read', async () => {
  const { missing, requested } = await compare(
    [inArchive('a.txt', 'lost')],
    [
      ['a.txt', 'here'],
      ['b.txt', 'more'],
    ],
    { lost: 'on-export' },
  );
  const values = { expected: `SHA-256 ${digest('here')}`, found: `SHA-256 ${digest('lost')}` };
  expect(missing).toMatchObject([{ lost: 'on-export', title: 'a.txt (4 bytes)', part: { values } }]);
  expect(requested).toEqual([0]);
});

it('files with the same name and size may be in any order, and a missing one is no changed one', async () => {
  const archive = [inArchive('a.txt', 'one!'), inArchive('a.txt', 'two!'), inArchive('a.txt', 'six!')];
  const { missing } = await compare(archive, [
    ['a.txt', 'two!'],
    ['a.txt', 'one!'],
  ]);
  expect(missing).toEqual([]);
});

it('the smallest files are read first, and those beyond the limit are declared', async () => {
  const archive = [inArchive('large.txt', 'x'.repeat(40)), inArchive('small.txt', 'xx')];
  const { requested, unread } = await compare(
    archive,
    [
      ['large.txt', 'x'.repeat(40)],
      ['small.txt', 'xx'],
    ],
    { limit: 20 },
  );
  expect(requested).toEqual([1]);
  expect(unread).toEqual({ count: 1, bytes: 40, titles: new Set(['large.txt (40 bytes)']) });
  expect(describeUnreadUploads(unread, 'source')).toEqual([
    expect.stringMatching(
      /^The contents of 1 uploaded file \(40 B\) were not compared with the source: at most 200 MB /i,
    ),
  ]);
});

it.each(['server-too-old', 'forbidden'] as const)(
  'an instance that replies %s is asked once',
  async (code) => {
    let requests = 0;
    const files = [inArchive('a.txt', 'one'), inArchive('b.txt', 'four')];
    const { missing, unread } = await compareUploadContents({
      ...{
        archive: files,
        listed: files.map((file, id) => ({ ...file, id })),
        lost: 'on-import',
        projectId: 7,
      },
      remote: {
        downloadUpload: () => {
          requests += 1;
          return Promise.reject(new AppError(code, 'No.'));
        },
      },
      signal: new AbortController().signal,
    });
    expect([requests, missing, unread]).toEqual([1, [], expect.objectContaining({ count: 2, bytes: 7 })]);
  },
);
