import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { atMostEvery } from '../../../src-renderer/views/shared/at-most-every.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('the first request is answered at once, the others together after the rest', () => {
  let done = 0;
  const work = atMostEvery(500, () => (done += 1));
  for (let request = 0; request < 1000; request += 1) work.ask();
  expect(done).toBe(1);
  vi.advanceTimersByTime(499);
  expect(done).toBe(1);
  vi.advanceTimersByTime(1);
  expect(done).toBe(2);
  vi.advanceTimersByTime(10_000);
  expect(done).toBe(2);
});

test('requests that never pause do not put the work off', () => {
  let done = 0;
  const work = atMostEvery(500, () => (done += 1));
  for (let ms = 0; ms < 5000; ms += 10) {
    work.ask();
    vi.advanceTimersByTime(10);
  }
  expect(done).toBe(11);
});

test('after its end nothing is done any more', () => {
  let done = 0;
  const work = atMostEvery(500, () => (done += 1));
  work.ask();
  work.ask();
  work.end();
  vi.advanceTimersByTime(10_000);
  expect(done).toBe(1);
});
