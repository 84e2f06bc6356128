import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openUploads } from '../../../../src-main/hosts/browser/uploads.ts';
import { SteppedClock } from '../../../support/clocks/stepped-clock.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const hour = 3_600_000;

function openUploadFolder(used: () => Promise<ReadonlySet<string>> = () => Promise.resolve(new Set())) {
  const folder = join(temporaryFolder(), 'uploads');
  const clock = new SteppedClock();
  const uploads = openUploads({ folder, clock, findUsedPaths: used });
  onTestFinished(() => uploads.close());
  return { folder, clock, uploads, entries: () => (existsSync(folder) ? readdirSync(folder) : []) };
}

const bytes = (text: string) => Readable.from([Buffer.from(text)]);
const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

test('an uploaded file is stored completely under its name, and no other user can read it', async () => {
  const { folder, uploads } = openUploadFolder();
  const path = await uploads.receive('../a b.tar.gz', 5, bytes('hello'));
  expect(readFileSync(path, 'utf8')).toBe('hello');
  expect(basename(path)).toBe('a b.tar.gz');
  expect(dirname(dirname(path))).toBe(folder);
  expect([mode(folder), mode(dirname(path)), mode(path)]).toEqual(['700', '700', '600']);
});

test('uploaded files with the same name are stored separately', async () => {
  const { uploads } = openUploadFolder();
  const [first, second] = await Promise.all([
    uploads.receive('a.tar.gz', null, bytes('one')),
    uploads.receive('a.tar.gz', null, bytes('two')),
  ]);
  expect([first, second].map((path) => readFileSync(path, 'utf8'))).toEqual(['one', 'two']);
});

test('the sender of an upload waits if the disk is slower', async () => {
  const { uploads } = openUploadFolder();
  const body = new PassThrough({ highWaterMark: 1024 });
  const received = uploads.receive('a', null, body);
  let waited = 0;
  for (let sent = 0; sent < 200; sent++) {
    if (body.write(Buffer.alloc(65_536))) continue;
    waited += 1;
    await new Promise((resolve) => body.once('drain', resolve));
  }
  body.end();
  expect(statSync(await received).size).toBe(200 * 65_536);
  expect(waited).toBeGreaterThan(100);
});

test('an upload that ends early fails, and no part of its file is stored', async () => {
  const { uploads, entries } = openUploadFolder();
  const body = new PassThrough();
  const received = uploads.receive('a', 100, body).catch((error: unknown) => error);
  body.write('half');
  body.destroy();
  expect(await received).toMatchObject({ code: 'connection-lost' });
  expect(entries()).toEqual([]);
});

test('a file larger than the disk is rejected before a byte is written', async () => {
  const { uploads, entries } = openUploadFolder();
  const failed = await uploads.receive('a', 1e18, bytes('x')).catch((error: unknown) => error);
  expect(failed).toMatchObject({ code: 'disk-full', retry: 'later', details: { wanted: 1e18 } });
  expect(entries()).toEqual([]);
});

test('an upload folder that cannot be used is reported', async () => {
  const { folder, uploads } = openUploadFolder();
  mkdirSync(dirname(folder), { recursive: true });
  writeFileSync(folder, 'a file stands in its place');
  const failed = await uploads.receive('a', null, bytes('x')).catch((error: unknown) => error);
  expect(failed).toMatchObject({ code: 'disk-failed', details: { path: folder } });
});

test('four uploads run at once; a fifth is rejected until one of them has ended', async () => {
  const { uploads } = openUploadFolder();
  const bodies = Array.from({ length: 4 }, () => new PassThrough());
  const received = bodies.map((body) => uploads.receive('a', null, body));
  await expect(uploads.receive('a', null, bytes('x'))).rejects.toMatchObject({ code: 'calls-too-many' });
  bodies[0]?.end();
  await received[0];
  await uploads.receive('a', null, bytes('x'));
  for (const body of bodies) body.end();
  await Promise.all(received);
});

describe('an uploaded file', () => {
  test('is deleted when serving ends', async () => {
    const { uploads, entries } = openUploadFolder();
    await uploads.receive('a', null, bytes('x'));
    await uploads.close();
    expect(entries()).toEqual([]);
  });

  test('remains while a job needs it, even when serving ends', async () => {
    const used = new Set<string>();
    const { uploads, entries, clock } = openUploadFolder(() => Promise.resolve(used));
    const path = await uploads.receive('a', null, bytes('x'));
    await uploads.receive('b', null, bytes('x'));
    used.add(path);
    await clock.advance(100 * hour);
    await expect.poll(entries).toEqual([basename(dirname(path))]);
    await uploads.close();
    expect(readFileSync(path, 'utf8')).toBe('x');
  });

  test('remains while it is unknown whether a job needs it', async () => {
    const { uploads, entries, clock } = openUploadFolder(() => Promise.reject(new Error('closed')));
    await uploads.receive('a', null, bytes('x'));
    await clock.advance(100 * hour);
    await uploads.close();
    expect(entries()).toHaveLength(1);
  });

  test('is deleted after twelve hours', async () => {
    const { uploads, entries, clock } = openUploadFolder();
    await uploads.receive('a', null, bytes('x'));
    await clock.advance(12 * hour);
    expect(entries()).toHaveLength(1);
    await clock.advance(hour);
    await expect.poll(entries).toEqual([]);
  });
});

test('an uploaded file that a killed process left is deleted at the next start if it is old', async () => {
  const folder = temporaryFolder();
  const clock = new SteppedClock();
  for (const [name, age] of [
    ['old', 13 * hour],
    ['young', hour],
  ] as const) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'a'), 'x');
    utimesSync(join(folder, name), (clock.now() - age) / 1000, (clock.now() - age) / 1000);
  }
  const uploads = openUploads({ folder, clock, findUsedPaths: () => Promise.resolve(new Set()) });
  onTestFinished(() => uploads.close());
  await expect.poll(() => readdirSync(folder)).toEqual(['young']);
  rmSync(folder, { recursive: true });
});
