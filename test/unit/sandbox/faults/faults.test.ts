import { expect, test } from 'vitest';
import type { FaultMatch } from '../../../../src-main/sandbox/faults/fault-kinds.ts';
import { FaultRegistry, type FaultSubject } from '../../../../src-main/sandbox/faults/faults.ts';

const subject: FaultSubject = {
  method: 'POST',
  path: '/api/v4/projects/atlas%2Fcompass/export',
  project: 'atlas/compass',
  user: 'maintainer',
};

function actsOn(match: FaultMatch, attempts: number): boolean[] {
  const book = new FaultRegistry();
  book.add({ match, action: { kind: 'reset' } });
  return Array.from({ length: attempts }, () => book.take(subject, ['reset']).length === 1);
}

test.each<[FaultMatch, boolean]>([
  [{}, true],
  [{ method: 'post' }, true],
  [{ method: 'GET' }, false],
  [{ path: '/export$' }, true],
  [{ path: '/import$' }, false],
  [{ project: 'atlas/compass' }, true],
  [{ project: 'atlas/ferry' }, false],
  [{ user: 'root' }, false],
  [{ method: 'POST', path: 'export', user: 'maintainer' }, true],
])('%o acts: %s', (match, acts) => {
  expect(actsOn(match, 1)).toEqual([acts]);
});

test('without nth and times a fault always acts', () => {
  expect(actsOn({}, 3)).toEqual([true, true, true]);
});

test('nth acts once, on that request', () => {
  expect(actsOn({ nth: 2 }, 3)).toEqual([false, true, false]);
});

test('times limits how often', () => {
  expect(actsOn({ times: 2 }, 3)).toEqual([true, true, false]);
  expect(actsOn({ nth: 2, times: 2 }, 4)).toEqual([false, true, true, false]);
});

test('a request that another kind is asked for does not count', () => {
  const book = new FaultRegistry();
  book.add({ match: { nth: 1 }, action: { kind: 'lose-reply' } });

  expect(book.take(subject, ['reset', 'delay'])).toEqual([]);
  expect(book.take(subject, ['lose-reply'])).toEqual([{ kind: 'lose-reply' }]);
});
