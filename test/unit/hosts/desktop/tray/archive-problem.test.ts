import { beforeEach, expect, test } from 'vitest';
import type { ArchiveCondition } from '../../../../../src-contract/archives/archive-quality.ts';
import type { StateFile } from '../../../../../src-contract/archives/archive.ts';
import type { Client } from '../../../../../src-main/bridge/transports/in-process.ts';
import { createArchiveProblemHandler } from '../../../../../src-main/hosts/desktop/tray/archive-problem.ts';
import type { Notice } from '../../../../../src-main/hosts/desktop/tray/notices.ts';

const at = '2026-11-20T12:00:00.000Z';
const payload = { archiveId: 'a1', revision: 1 };
let notices: Notice[];
let damaged: { at: string; reason: string } | null;
let condition: ArchiveCondition;
let laterReading: StateFile['laterReading'];

const watching = (fails = false) => {
  const call = (() =>
    fails
      ? Promise.reject(new Error('gone'))
      : Promise.resolve({
          summary: { fullPath: 'group/app', storedAt: at, damaged, condition },
          state: { laterReading },
        })) as Client['call'];
  return createArchiveProblemHandler({ call }, (notice) => notices.push(notice));
};

beforeEach(() => {
  notices = [];
  damaged = { at, reason: 'The content differs' };
  condition = 'damaged';
  laterReading = undefined;
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
  condition = 'complete';
  await watching()('archive.damaged', payload);
  expect(notices).toEqual([]);
});

test('an archive that a later reading found unusable is reported, and not as damage', async () => {
  damaged = null;
  condition = 'unusable';
  const message = 'The record is not JSON';
  const finding = { code: 'record-malformed', severity: 'error', message, where: null } as const;
  laterReading = { at, verdict: 'unusable', findings: [finding] };
  await watching()('archive.downgraded', payload);
  expect(notices).toMatchObject([{ title: 'An archive of group/app is unusable' }]);
  expect(notices[0]?.body).toContain(
    'The file is as it was stored, but a later reading found more problems: ',
  );
  expect(notices[0]?.body).toContain(`${message}. Older archives are kept.`);
});
