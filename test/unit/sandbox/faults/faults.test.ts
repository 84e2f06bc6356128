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
  const registry = new FaultRegistry();
  registry.add({ match, action: { kind: 'reset' } });
  return Array.from({ length: attempts }, () => registry.take(subject, ['reset']).length === 1);
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
])('a fault with the match %o acts on the request: %s', (match, acts) => {
  expect(actsOn(match, 1)).toEqual([acts]);
});

test('a fault without nth and times always acts', () => {
  expect(actsOn({}, 3)).toEqual([true, true, true]);
});

test('a fault with nth acts once, on the request of that number', () => {
  expect(actsOn({ nth: 2 }, 3)).toEqual([false, true, false]);
});

test('times limits how often a fault acts', () => {
  expect(actsOn({ times: 2 }, 3)).toEqual([true, true, false]);
  expect(actsOn({ nth: 2, times: 2 }, 4)).toEqual([false, true, true, false]);
});

test('a request for which another kind of fault is looked up does not count', () => {
  const registry = new FaultRegistry();
  registry.add({ match: { nth: 1 }, action: { kind: 'lose-reply' } });

  expect(registry.take(subject, ['reset', 'delay'])).toEqual([]);
  expect(registry.take(subject, ['lose-reply'])).toEqual([{ kind: 'lose-reply' }]);
});
