import { appendFileSync, existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { NoteableAddress } from '../../../../src-main/gitlab/projects/discussions.ts';
import type { RecordIdentities } from '../../../../src-main/gitlab/projects/identities.ts';
import { withKeptReplies } from '../../../../src-main/services/migrations/comparing/one-by-one/kept-replies.ts';
import { SteppedClock } from '../../../support/clocks/stepped-clock.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const signal = new AbortController().signal;
const hour = 3_600_000;

/** Compares issues one by one, and counts the requests for each. */
function openScene() {
  const folder = temporaryFolder();
  const clock = new SteppedClock();
  const requested: number[] = [];
  let [updatedAt, text] = [1, 'Seen.'];
  let reply: (id: number) => unknown = (id) => ({
    ...{ records: [{ id: String(id), notes: [{ body: text }] }], contradiction: null },
  });
  const remote = {
    listRecordKeys: (_project: number, _signal: AbortSignal) =>
      Promise.resolve({
        issues: { records: [{ key: '1', id: 1, notes: 1, updatedAt }], contradiction: null },
      } as unknown as RecordIdentities),
    discussions: (_project: number, { id }: NoteableAddress, _signal: AbortSignal) => {
      requested.push(Number(id));
      return Promise.resolve(reply(Number(id)) as never);
    },
    recordPart: () => Promise.resolve(null),
    mergeRequestDiff: () => Promise.resolve(null),
  };
  /** Reads these issues. The comparison is interrupted unless it `ends`. Returns the replies, and the requested issues. */
  const compare = async (ids: number[], { ends = false, scope = 'an import', instance = 'source' } = {}) => {
    requested.length = 0;
    const replies: unknown[] = [];
    const comparison = withKeptReplies(folder, clock, { name: 'm-1', scope }, async (keepReplies) => {
      const kept = keepReplies(instance, remote);
      await kept.listRecordKeys(7, signal);
      for (const id of ids) replies.push(await kept.discussions(7, { relation: 'issues', id }, signal));
      if (!ends) throw new Error('interrupted');
    });
    await (ends ? comparison : expect(comparison).rejects.toThrow('interrupted'));
    return { requested: [...requested], replies };
  };
  return {
    ...{ folder, clock, compare, file: join(folder, 'm-1.replies') },
    edit: () => (updatedAt += 1),
    write: (body: string) => (text = body),
    replyWith: (next: (id: number) => unknown) => (reply = next),
  };
}

it('an interrupted comparison continues with the replies that it has', async () => {
  const { compare, write, file } = openScene();
  write('A line,\na separator\u2028 and an emoji 🐎.');
  const { replies } = await compare([1, 2]);
  write('Later.');
  const next = await compare([1, 2, 3], { ends: true });
  expect(next.requested).toEqual([3]);
  expect(next.replies.slice(0, 2)).toEqual(replies);
  expect(existsSync(file)).toBe(false);
});

it('a comparison that has ended reads everything again', async () => {
  const { compare } = openScene();
  await compare([1, 2], { ends: true });
  expect((await compare([1, 2])).requested).toEqual([1, 2]);
});

it('replies are not used after a change in the lists, for another import or instance, or after an hour', async () => {
  const { compare, edit, clock } = openScene();
  await compare([1]);
  expect((await compare([1])).requested).toEqual([]);
  expect((await compare([1], { scope: 'another import' })).requested).toEqual([1]);
  expect((await compare([1], { instance: 'target' })).requested).toEqual([1]);
  edit();
  expect((await compare([1])).requested).toEqual([1]);
  await clock.advance(hour + 1);
  expect((await compare([1])).requested).toEqual([1]);
});

it('a reply that was refused, or that contradicts itself, is requested again', async () => {
  const { compare, replyWith } = openScene();
  replyWith((id) => (id === 1 ? null : { records: null, contradiction: { announced: 2, listed: 1 } }));
  await compare([1, 2]);
  expect((await compare([1, 2])).requested).toEqual([1, 2]);
});

it('a reply that is damaged or cut is requested again, and the others are used', async () => {
  const { compare, file } = openScene();
  await compare([1, 2, 3]);
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace('Seen.', 'Lost.').slice(0, -5));
  expect((await compare([1, 2, 3])).requested).toEqual([1, 3]);
  appendFileSync(file, 'x'.repeat(100));
  expect((await compare([1, 2, 3])).requested).toEqual([]);
});

it('a comparison that is killed loses fewer than twenty replies', async () => {
  const { compare, replyWith, file } = openScene();
  const linesWritten: number[] = [];
  replyWith((id) => {
    linesWritten.push(readFileSync(file, 'utf8').split('\n').filter(Boolean).length);
    return { records: [{ id: String(id), notes: [] }], contradiction: null };
  });
  await compare(Array.from({ length: 50 }, (_, index) => index));
  const lost = linesWritten.map((written, received) => received - written);
  expect(Math.max(...lost)).toBeLessThan(20);
});

it('very large replies are not kept', async () => {
  const { compare, replyWith } = openScene();
  replyWith(() => ({ records: ['x'.repeat(300_000)], contradiction: null }));
  await compare([1]);
  expect((await compare([1])).requested).toEqual([1]);
});

it('files of comparisons that were never continued are deleted', async () => {
  const { compare, folder, clock } = openScene();
  const [old, recent] = ['m-2.replies', 'm-3.replies'].map((name) => join(folder, name));
  for (const path of [old, recent]) writeFileSync(path ?? '', '');
  const now = clock.now() / 1000;
  utimesSync(old ?? '', now, now - 3601);
  utimesSync(recent ?? '', now, now - 3599);
  await compare([1], { ends: true });
  expect(readdirSync(folder)).toEqual(['m-3.replies']);
});
