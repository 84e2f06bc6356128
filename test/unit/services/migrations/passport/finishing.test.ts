import { describe, expect, it } from 'vitest';
import {
  finishOf,
  hasFailedPart,
  currentFinishStatus,
} from '../../../../../src-main/services/migrations/passport/finishing.ts';
import { AppError } from '../../../../../src-contract/errors.ts';
import type { StoredJob } from '../../../../../src-contract/runs/job.ts';
import type { FinishRecord } from '../../../../../src-contract/migrations/passport-schema.ts';

const refusal = (noteNotTaken: boolean) =>
  new AppError('role-too-low', 'It needs the role Owner.', {
    details: { needs: 'Owner', noteNotTaken },
  }).toData();

const failed = (noteNotTaken = false): StoredJob['state'] => ({
  status: 'failed',
  error: refusal(noteNotTaken),
});
const succeeded: StoredJob['state'] = { status: 'succeeded', warnings: [] };

function job(
  state: StoredJob['state'],
  wanted: { archive?: boolean; newPlace?: string | null } = {},
): StoredJob {
  const change = { kind: 'mark-as-moved', archive: true, newPlace: 'https://new/a', ...wanted };
  return {
    ...{ id: '7', runId: '6', kind: 'change', instance: 'old', project: 'a', state, step: null, attempt: 1 },
    ...{ createdAt: 0, updatedAt: 5_000, revision: 1, result: null, progress: null },
    input: { change, projectId: 3, secret: null },
  };
}

/** Returns requests for the note or the mark, one per second, with the status of each reply; null: no reply. */
const sent = (...all: ['note' | 'mark', number | null][]) =>
  all.map(([part, status], at) => ({
    at: new Date((at + 1) * 1000).toISOString(),
    method: part === 'note' ? 'PUT' : 'POST',
    path: part === 'note' ? '/projects/3' : '/projects/3/archive',
    status,
  }));
const applied = { changed: true, projectId: 3, notTaken: [], uploaded: null };
const notTaken = { ...applied, notTaken: [{ attribute: 'description', asked: 'a', is: 'b' }] };

describe('the outcome of each part follows from the state of the job, its requests and its output', () => {
  it.each<[string, StoredJob['state'], ReturnType<typeof sent>, unknown, string, string]>([
    ['both done', succeeded, sent(['note', 200], ['mark', 201]), applied, 'done', 'done'],
    ['both done before', succeeded, [], applied, 'already', 'already'],
    ['only the mark sent', succeeded, sent(['mark', 201]), applied, 'already', 'done'],
    [
      'a note that was not applied',
      succeeded,
      sent(['note', 200], ['mark', 201]),
      notTaken,
      'not-taken',
      'done',
    ],
    ['a refused mark', failed(), sent(['note', 200], ['mark', 403]), undefined, 'done', 'refused'],
    [
      'a note done before, and a refused mark',
      failed(),
      sent(['mark', 403]),
      undefined,
      'already',
      'refused',
    ],
    [
      'a note that was not applied, and a refused mark',
      failed(true),
      sent(['note', 200], ['mark', 403]),
      undefined,
      'not-taken',
      'refused',
    ],
    ['a refused note', failed(), sent(['note', 403]), undefined, 'refused', 'not-sent'],
    ['failed before any request', failed(), [], undefined, 'not-sent', 'not-sent'],
    ['no reply to the mark', failed(), sent(['note', 200], ['mark', null]), undefined, 'done', 'unknown'],
    [
      'a lost reply to the mark of a successful job',
      succeeded,
      sent(['note', 200], ['mark', null]),
      applied,
      'done',
      'done',
    ],
    [
      'cancelled after the note',
      { status: 'cancelled', by: 'user' },
      sent(['note', 200]),
      undefined,
      'done',
      'not-sent',
    ],
    ['not started', { status: 'queued' }, [], undefined, 'open', 'open'],
  ])('%s', (_name, state, requests, output, note, mark) => {
    const finish = finishOf(job(state), requests, output);
    expect({ note: finish?.note?.outcome, mark: finish?.mark?.outcome }).toEqual({ note, mark });
    expect(finish?.error ?? null).toEqual(state.status === 'failed' ? state.error : null);
    expect(finish?.endedAt).toBe(state.status === 'queued' ? null : '1970-01-01T00:00:05.000Z');
  });

  it('a part that was not requested is null, and another kind of change is no finish', () => {
    const output = applied;
    expect(finishOf(job(succeeded, { archive: false }), sent(['note', 200]), output)).toMatchObject({
      mark: null,
      note: { outcome: 'done', at: '1970-01-01T00:00:01.000Z' },
    });
    expect(finishOf(job(succeeded, { newPlace: null }), sent(['mark', 201]), output)).toMatchObject({
      mark: { outcome: 'done' },
      note: null,
    });
    const edit = { change: { kind: 'edit', attributes: {} }, projectId: 3, secret: null };
    expect(finishOf({ ...job(succeeded), input: edit }, [], output)).toBeNull();
  });
});

it('the status of a part is that of its last request', () => {
  const finishFor = (...args: Parameters<typeof finishOf>): FinishRecord => {
    const finish = finishOf(...args);
    if (finish === null) throw new Error('It is no finish.');
    return finish;
  };
  const refused = finishFor(job(failed()), sent(['note', 200], ['mark', 403]), undefined);
  const noted = finishFor(job(succeeded, { archive: false }), [], applied);
  const marked = finishFor(job(succeeded), sent(['mark', 201]), applied);
  expect(hasFailedPart([refused])).toBe(true);
  // The mark was not requested again.
  expect(hasFailedPart([refused, noted])).toBe(true);
  expect(hasFailedPart([refused, marked])).toBe(false);
  expect(hasFailedPart([marked, refused])).toBe(true);
  expect(hasFailedPart([])).toBe(false);
  // The note keeps the earlier time at which it was done.
  expect(currentFinishStatus([refused, marked], 'note')).toEqual({
    outcome: 'done',
    at: '1970-01-01T00:00:01.000Z',
  });
});
