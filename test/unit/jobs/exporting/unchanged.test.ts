import { beforeEach, expect, it } from 'vitest';
import { isoTime } from '../../../../src-main/platform/clock.ts';
import type { SourceCounts } from '../../../../src-contract/archives/archive.ts';
import type { StoredProjectArchive } from '../../../../src-main/jobs/ports.ts';
import { countsOf, projectOf } from '../../../support/jobs/fake-instance.ts';
import { ExportHarness } from '../export-harness.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

let harness: ExportHarness;
let activity: number;

/** Returns a complete archive of that age. */
function archiveOfAge(agoMs: number, changes: Partial<StoredProjectArchive> = {}): StoredProjectArchive {
  const at = harness.clock.now() - agoMs;
  const counted = { at: isoTime(at), counts: countsOf(2), lastActivityAt: isoTime(activity) };
  return {
    id: 'held',
    path: 'old/held',
    storedAt: isoTime(at),
    sizeBytes: 7,
    counts: {},
    sourceCounts: {},
    source: { before: counted, after: counted },
    root: '/archives',
    condition: 'complete',
    level: 'L2',
    readable: true,
    mayBeReadable: true,
    damaged: false,
    pinned: false,
    inUse: false,
    takenInAt: null,
    ...changes,
  };
}

const countedSource = (change: (source: SourceCounts) => SourceCounts): Partial<StoredProjectArchive> => {
  const { source } = archiveOfAge(hour);
  return source === null ? {} : { source: change(source) };
};

beforeEach(() => {
  harness = new ExportHarness().states('none', 'started', 'finished');
  harness.skipsUnchanged = true;
  activity = harness.clock.now() - 10 * day;
  harness.instance.onProject = () => projectOf({ lastActivityAt: isoTime(activity) });
  harness.archives.earlierArchives = [archiveOfAge(day)];
});

const run = async (planId: string | null = 'nightly') => (await harness.run({ planId })).state;

it('an unchanged project is skipped with the reason, before an export counts against a limit', async () => {
  expect(await run()).toEqual({
    status: 'skipped',
    why: 'nothing has changed since 2026-11-19 12:00 UTC',
  });
  expect(harness.instance.calls.map(({ what }) => what)).toEqual(['project', 'counts']);
});

it.each<[string, () => void]>([
  ['that was requested without a plan', () => undefined],
  ['of a plan that exports every project each time', () => (harness.skipsUnchanged = false)],
  ['without an archive', () => (harness.archives.earlierArchives = [])],
  [
    'whose newest archive cannot be read',
    () => (harness.archives.earlierArchives = [archiveOfAge(day, { readable: false })]),
  ],
  [
    'whose archives are in a folder that is no longer used for new ones',
    () => (harness.archives.earlierArchives = [archiveOfAge(day, { root: '/earlier' })]),
  ],
  ['whose newest archive is a week old', () => (harness.archives.earlierArchives = [archiveOfAge(7 * day)])],
  ['whose archive is from the future', () => (harness.archives.earlierArchives = [archiveOfAge(-hour)])],
  [
    'that was not counted at its last export',
    () => (harness.archives.earlierArchives = [archiveOfAge(day, { source: null })]),
  ],
  [
    'with activity since its last export',
    () => (harness.instance.onProject = () => projectOf({ lastActivityAt: isoTime(activity + 1) })),
  ],
  [
    'whose last activity is not reported',
    () => (harness.instance.onProject = () => projectOf({ lastActivityAt: null })),
  ],
  ['with a changed count', () => (harness.instance.onCounts = () => countsOf(2, { labels: 3 }))],
  [
    'with a count that is no longer reported',
    () => (harness.instance.onCounts = () => countsOf(2, { issues: null })),
  ],
  [
    'that changed during its export',
    () => {
      const moved = countedSource(({ before, after }) => ({
        before: { ...before, counts: countsOf(1) },
        after,
      }));
      harness.archives.earlierArchives = [archiveOfAge(day, moved)];
    },
  ],
])('a project %s is backed up', async (label, arrange) => {
  arrange();
  expect((await run(label.includes('without a plan') ? null : 'nightly')).status).toBe('succeeded');
});

it('a project with activity within an hour before its archive is backed up, since later activity may be hidden', async () => {
  activity = harness.clock.now() - day - hour;
  harness.archives.earlierArchives = [archiveOfAge(day)];
  expect((await run()).status).toBe('succeeded');

  harness = new ExportHarness().states('none');
  harness.skipsUnchanged = true;
  activity = harness.clock.now() - day - hour - 5 * minute;
  harness.instance.onProject = () => projectOf({ lastActivityAt: isoTime(activity) });
  harness.archives.earlierArchives = [archiveOfAge(day)];
  expect((await run()).status).toBe('skipped');
});

it('a backup stores the difference of the clocks, so that a later run can compare the time of the count with the activity', async () => {
  harness.instance.clockSkewMs = -hour;
  await run(null);
  expect(harness.archives.stored.map(({ manifest }) => manifest.sourceCounts?.clockSkewMs)).toEqual([-hour]);
});

it.each([
  ['ahead of', -hour, 'succeeded'],
  ['behind', hour, 'skipped'],
])('a clock that is %s that of the instance is considered', async (_, clockSkewMs, status) => {
  // By the clock of this machine, half an hour before or after the limit.
  activity = harness.clock.now() - day - hour - 5 * minute - Math.sign(-clockSkewMs) * 30 * minute;
  const { source } = archiveOfAge(day);
  harness.archives.earlierArchives = [archiveOfAge(day, { source: source && { ...source, clockSkewMs } })];
  expect((await run()).status).toBe(status);
});
