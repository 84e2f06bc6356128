import { beforeEach, expect, test } from 'vitest';
import type { Client } from '../../../../../src-main/bridge/transports/in-process.ts';
import { createDamageHandler } from '../../../../../src-main/hosts/desktop/tray/damage.ts';
import type { Notice } from '../../../../../src-main/hosts/desktop/tray/notices.ts';

const at = '2026-11-20T12:00:00.000Z';
const payload = { archiveId: 'a1', revision: 1 };
let notices: Notice[];
let damaged: { at: string; reason: string } | null;

const watching = (fails = false) => {
  const call = (() =>
    fails
      ? Promise.reject(new Error('gone'))
      : Promise.resolve({ summary: { fullPath: 'group/app', storedAt: at, damaged } })) as Client['call'];
  return createDamageHandler({ call }, (notice) => notices.push(notice));
};

beforeEach(() => {
  notices = [];
  damaged = { at, reason: 'The content differs' };
});

test('a damaged archive is reported with its project, the reason and the advice', async () => {
  await watching()('archive.damaged', payload);
  expect(notices).toEqual([
    {
      title: 'An archive of group/app is damaged',
      body: expect.stringMatching(
        /^Archive of .*2026.*: The content differs\. .*Back up the project again\.$/,
      ) as unknown,
      target: { what: 'archive', id: 'a1' },
    },
  ]);
});

test('no notice is shown for a missing archive, an archive that is intact again, and other events', async () => {
  await watching()('archive.changed', { archiveId: 'a1', revision: 1 });
  await watching(true)('archive.damaged', payload);
  damaged = null;
  await watching()('archive.damaged', payload);
  expect(notices).toEqual([]);
});
