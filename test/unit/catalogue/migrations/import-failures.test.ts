import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Failure } from '../../../../src-contract/transfers/import.ts';
import {
  ImportFailures,
  type FailureFilter,
} from '../../../../src-main/catalogue/migrations/import-failures.ts';
import { JobStore } from '../../../../src-main/catalogue/runs/jobs.ts';
import { catalogueForTest, queuedJob } from '../../../support/catalogue/catalogue.ts';

const failureOf = (id: number, changes: Partial<Failure> = {}): Failure => ({
  id,
  createdAt: '2026-11-20T00:00:00.000Z',
  exceptionClass: 'ActiveRecord::RecordInvalid',
  exceptionMessage: null,
  source: 'process_relation_item!',
  relation: 'issues',
  line: id,
  ...changes,
});

const everything: FailureFilter = {
  migration: null,
  instance: null,
  project: null,
  relation: null,
  exceptionClass: null,
  state: null,
  search: null,
};
const page = { offset: 0, limit: 500 };

function ledger() {
  const catalogue = catalogueForTest();
  const failures = new ImportFailures(catalogue);
  const store = new JobStore(catalogue);
  const importOf = (project = 'group/copy', instance = 'target') => ({
    importJob: queuedJob(store, project, instance).id,
    instance,
    project,
    projectId: 90,
    archiveId: '1',
    archivePath: '/archives/one',
  });
  return { failures, importOf };
}

const ids = (list: readonly { id: number }[]): number[] => list.map(({ id }) => id);
const range = (from: number, to: number, step = 1): Failure[] =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, at) => failureOf(from + at * step));

describe('the ledger of failures', () => {
  it('unites the failures that all polls listed, whatever their order and overlap', () => {
    const { failures, importOf } = ledger();
    fc.assert(
      fc.property(
        fc.array(fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 20 }), { maxLength: 6 }),
        (polls) => {
          const from = importOf(`group/${Math.random()}`);
          let known: Failure[] = [];
          for (const poll of polls)
            known = failures.addListed(
              from,
              poll.map((id) => failureOf(id)),
              1,
            );
          expect(ids(known)).toEqual([...new Set(polls.flat())].sort((a, b) => a - b));
        },
      ),
      { numRuns: 30 },
    );
  });

  it('keeps failures of two imports apart even if they have the same id', () => {
    const { failures, importOf } = ledger();
    const [first, second] = [importOf('group/one', 'a'), importOf('group/one', 'b')];
    failures.addListed(first, [failureOf(1)], 1);
    failures.addListed(second, [failureOf(1)], 1);
    expect(failures.list(everything, page).total).toBe(2);
    expect(failures.list({ ...everything, instance: 'a' }, page).failures).toMatchObject([
      { importJob: first.importJob, id: 1, state: 'open', firstSeenAt: 1 },
    ]);
  });

  describe('reports that failures may be unlisted', () => {
    it.each([
      ['never if fewer than 100 failures were listed', [range(1, 99)], false, null],
      ['if the first list is full, without the number of missing failures', [range(1, 100)], true, null],
      ['not if the lists overlap', [range(1, 60), range(50, 149)], false, null],
      [
        'not if one list begins directly after the end of the other',
        [range(1, 60), range(61, 160)],
        false,
        null,
      ],
      ['with the size of the gap if ids are dense', [range(1, 10), range(31, 130)], true, 20],
      [
        'with a part of the gap if the ids in between also belong to other rows',
        [range(1, 10), range(40, 238, 2)],
        true,
        15,
      ],
      ['with the sum of all gaps', [range(1, 10), range(31, 130), range(141, 240)], true, 30],
    ])('%s', (_what, polls, hasUnlisted, unlistedCount) => {
      const { failures, importOf } = ledger();
      const from = importOf();
      for (const poll of polls) failures.addListed(from, poll, 1);
      // Adding the same list again changes nothing.
      failures.addListed(from, polls.at(-1) ?? [], 2);
      expect(failures.list(everything, page)).toMatchObject({ hasUnlisted, unlistedCount });
      expect(failures.unlisted(from.importJob)).toEqual({ hasUnlisted, unlistedCount });
    });
  });

  it('lists the newest import first, then by relation and line, page by page', () => {
    const { failures, importOf } = ledger();
    const [older, newer] = [importOf('group/one'), importOf('group/two')];
    failures.addListed(older, [failureOf(1, { relation: 'labels', line: 3 })], 1);
    failures.addListed(
      newer,
      [
        failureOf(5, { relation: 'milestones', line: 0 }),
        failureOf(6, { line: 9 }),
        failureOf(7, { line: 2 }),
      ],
      1,
    );
    const places = (offset: number, limit: number) =>
      failures.list(everything, { offset, limit }).failures.map(({ relation, line }) => [relation, line]);
    expect([...places(0, 2), ...places(2, 2)]).toEqual([
      ['issues', 2],
      ['issues', 9],
      ['milestones', 0],
      ['labels', 3],
    ]);
  });

  it('finds the failures of a project by a part of its path', () => {
    const { failures, importOf } = ledger();
    failures.addListed(importOf('atlas/one'), range(1, 2), 1);
    failures.addListed(importOf('atlas/other'), range(3, 3), 1);
    expect(ids(failures.list({ ...everything, search: 'OTHER' }, page).failures)).toEqual([3]);
    expect(failures.list({ ...everything, search: 'atlas/' }, page).total).toBe(3);
  });

  it('groups all failures that match the filter without its relation and exception, and finds one by its title or whole iid', () => {
    const { failures, importOf } = ledger();
    const from = importOf();
    failures.addListed(from, [...range(1, 3), failureOf(4, { exceptionClass: 'NoMethodError' })], 1);
    failures.setRecordNames(from.importJob, new Map([[2, { iid: 12, title: 'Überfahrt' }]]));
    const [, { ref } = { ref: '' }] = failures.list(everything, page).failures;
    failures.setState([ref], 'accepted', 'as it is', 2);
    const found = failures.list({ ...everything, exceptionClass: 'NoMethodError' }, page);
    expect(found.total).toBe(1);
    expect(found.groups).toEqual([
      { relation: 'issues', exceptionClass: 'ActiveRecord::RecordInvalid', total: 3, open: 2 },
      { relation: 'issues', exceptionClass: 'NoMethodError', total: 1, open: 1 },
    ]);
    for (const search of ['überf', '12']) {
      expect(ids(failures.list({ ...everything, search }, page).failures)).toEqual([2]);
    }
    expect(failures.list({ ...everything, search: '1' }, page).total).toBe(0);
  });

  it('keeps the state of a failure that is listed again', () => {
    const { failures, importOf } = ledger();
    const from = importOf();
    failures.addListed(from, range(1, 2), 1);
    const [{ ref } = { ref: '' }] = failures.list(everything, page).failures;
    expect(failures.setState([ref], 'accepted', 'known', 5)).toBe(1);
    expect(failures.setState([ref], 'accepted', 'known', 6)).toBe(0);
    failures.addListed(from, range(1, 2), 7);
    expect(failures.get(ref)).toMatchObject({ state: 'accepted', note: 'known', changedAt: 5 });
    expect(failures.findByImport(from.importJob).map(({ state }) => state)).toEqual(['accepted', 'open']);
    expect(failures.setState([ref], 'open', null, 8)).toBe(1);
    expect(failures.get(ref)).toMatchObject({ state: 'open', note: null });
  });

  it('changes the state of all given failures or of none', () => {
    const { failures, importOf } = ledger();
    failures.addListed(importOf(), range(1, 1), 1);
    const [{ ref } = { ref: '' }] = failures.list(everything, page).failures;
    expect(() => failures.setState([ref, '999'], 'accepted', 'x', 2)).toThrow(
      expect.objectContaining({ code: 'failure-missing' }),
    );
    expect(failures.get(ref).state).toBe('open');
  });

  it('marks a retried failure as resolved if its record was found, as open if it was not, and leaves it if that is unknown', () => {
    const { failures, importOf } = ledger();
    const from = importOf();
    failures.addListed(from, [...range(1, 4), failureOf(5, { line: null, relation: null })], 1);
    failures.markRetried(from.importJob, 'issues', [1, 2, 3], 2);
    expect(failures.listOpen(from.importJob)).toHaveLength(5);
    failures.applyComparison(
      from.importJob,
      new Set(),
      (_relation, line) => (line === 1 ? true : line === 2 ? false : null),
      3,
    );
    expect(failures.findByImport(from.importJob).map(({ id, state }) => [id, state])).toEqual([
      [5, 'open'],
      [1, 'resolved'],
      [2, 'open'],
      [3, 'retried'],
      [4, 'open'],
    ]);
    expect(ids(failures.listOpen(from.importJob))).toEqual([2, 3, 4, 5]);
  });
});
