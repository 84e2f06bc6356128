import { expect, test } from 'vitest';
import { Rate } from '../../../../src-renderer/kit/feedback/rate.ts';

function sampled(...samples: [at: number, done: number][]): Rate {
  const rate = new Rate(10_000);
  for (const [at, done] of samples) rate.sample(at, done);
  return rate;
}

test('the speed is unknown before half a second has passed', () => {
  expect(sampled([0, 0], [400, 1000]).perSecond()).toBeNull();
  expect(sampled([0, 0], [500, 1000]).perSecond()).toBe(2000);
});

test('the remaining time is calculated from the speed of the last seconds', () => {
  const rate = sampled([0, 0], [1000, 100], [20_000, 200], [25_000, 10_200], [30_000, 20_200]);
  expect(rate.perSecond()).toBe(2000);
  expect(rate.msLeft(30_200)).toBe(5000);
  expect(rate.msLeft(null)).toBeNull();
});

test('the remaining time is unknown while nothing moves', () => {
  expect(sampled([0, 50], [5000, 50]).msLeft(100)).toBeNull();
});

test('a step that begins again is measured from its new beginning', () => {
  const rate = sampled([0, 0], [1000, 5000], [2000, 0]);
  expect(rate.perSecond()).toBeNull();
  rate.sample(3000, 100);
  expect(rate.perSecond()).toBe(100);
});

test('the speed of a long transfer is that of its last samples only', () => {
  const rate = new Rate(1000);
  for (let at = 0; at < 100_000; at += 10) rate.sample(at, Math.max(0, at - 98_000));
  expect(rate.perSecond()).toBe(1000);
});
