/** @file A form reads its file while the form is sent. A failing disk ends the form, never the process. */
import { writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { multipartBody } from '../../../../src-main/gitlab/transfers/multipart.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

function archive() {
  const path = join(temporaryFolder(), 'a.tar.gz');
  const sizeBytes = 3_000_000;
  writeFileSync(path, Buffer.alloc(sizeBytes));
  return { field: 'file', path, fileName: 'a.tar.gz', sizeBytes, sha256: null };
}

/** Makes every read after the first one fail, as on a removed disk. */
async function failLaterReads(path: string): Promise<void> {
  const handle = await open(path);
  const handles = Object.getPrototypeOf(handle) as { read: (...args: unknown[]) => Promise<unknown> };
  await handle.close();
  const original = Reflect.get(handles, 'read');
  let reads = 0;
  handles.read = function (...args) {
    reads += 1;
    if (reads === 1) return original.apply(this, args);
    return Promise.reject(Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' }));
  };
  onTestFinished(() => {
    handles.read = original;
  });
}

test('a read that fails while the previous piece is sent is reported when the next piece is requested', async () => {
  const file = archive();
  await failLaterReads(file.path);
  const unhandled: unknown[] = [];
  const listener = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', listener);
  onTestFinished(() => {
    process.off('unhandledRejection', listener);
  });
  let bytes = 0;
  const sendSlowly = async () => {
    for await (const piece of multipartBody([], file).chunks()) {
      bytes += piece.byteLength;
      await new Promise((sent) => setImmediate(sent));
    }
  };
  await expect(sendSlowly()).rejects.toMatchObject({ code: 'invalid-input', details: { reason: 'EIO' } });
  expect(bytes).toBeGreaterThanOrEqual(1024 * 1024);
  expect(unhandled).toEqual([]);
});
