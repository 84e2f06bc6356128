/** @file The inspection threads. A thread is kept for the next archive after a success, and never after a failure. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished, vi } from 'vitest';
import { inspectFile, startInspection } from '../../../src-main/archive/inspect.ts';
import { acquireWorker } from '../../../src-main/archive/inspection-workers.ts';
import { exportWith } from '../../support/archives/archive-builder.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const sound = exportWith();
const cut = sound.subarray(0, sound.length / 2);

/** Records every message that is posted to a thread until the test ends. Its contexts are the threads. */
function spyOnMessages() {
  const posted = vi.spyOn(Worker.prototype, 'postMessage');
  onTestFinished(() => {
    posted.mockRestore();
  });
  return posted.mock;
}

/** Returns the slots of the thread that the next archive would get, and releases the thread at once. */
function nextThread(): readonly Buffer[] {
  const worker = acquireWorker(
    () => undefined,
    () => undefined,
  );
  worker.release();
  return worker.slots;
}

async function inspect(bytes: Buffer, limits = {}) {
  const session = startInspection({ limits });
  await session.write(bytes);
  return session.finish();
}

it('a thread serves one archive after the other, and reports only the contents of each one', async () => {
  const first = await inspect(sound);
  const thread = nextThread();
  expect(await inspect(cut)).toMatchObject({ verdict: 'unusable' });
  expect(await inspect(sound)).toEqual(first);
  expect(nextThread()).toBe(thread);
});

it('a thread is not used again after an archive that crossed a limit or was aborted', async () => {
  await inspect(sound);
  const before = nextThread();
  await expect(inspect(sound, { members: 1 })).rejects.toMatchObject({ code: 'archive-limit' });
  const after = nextThread();
  expect(after).not.toBe(before);
  const session = startInspection();
  await session.write(cut);
  await session.abort();
  expect(nextThread()).not.toBe(after);
  expect(await inspect(sound)).toMatchObject({ verdict: 'sound' });
});

it('each of many concurrent archives gets its own thread', async () => {
  const path = join(temporaryFolder(), 'x_export.tar.gz');
  writeFileSync(path, sound);
  const posted = spyOnMessages();
  const [first, ...others] = await Promise.all(Array.from({ length: 6 }, () => inspectFile(path)));
  expect(first).toMatchObject({ verdict: 'sound' });
  for (const other of others) expect(other).toEqual(first);
  expect(new Set(posted.contexts).size).toBe(6);
});

it('an aborted thread ends itself, because ending it from outside could end the process too', async () => {
  const terminated = vi.spyOn(Worker.prototype, 'terminate');
  onTestFinished(() => {
    terminated.mockRestore();
  });
  const posted = spyOnMessages();
  for (const isWarm of [true, false, false]) {
    if (isWarm) await inspect(sound);
    const session = startInspection();
    const written = session.write(sound).catch(() => undefined);
    await session.abort();
    await written;
  }
  expect(terminated).not.toHaveBeenCalled();
  // An ended thread has the id -1.
  expect(posted.contexts).not.toEqual([]);
  for (const thread of posted.contexts) expect(thread).toHaveProperty('threadId', -1);
});
