import { describe, expect, it } from 'vitest';
import { comparisonForecastText } from '../../../src-contract/words/depths.ts';
import {
  comparisonForecast,
  comparisonRequests,
  importForecast,
  type ForecastNumbers,
} from '../../../src-contract/transfers/comparison-forecast.ts';

const numbersOf = (change: Partial<ForecastNumbers> = {}): ForecastNumbers => ({
  issues: { total: 0, historiesPerRecord: 0 },
  mergeRequests: { total: 0, historiesPerRecord: 0 },
  ...{ pipelines: 0, branches: 0, tags: 0, snippets: 0, uploads: 0 },
  ...change,
});
const requests = (depth: 'counts' | 'keys' | 'contents', change: Partial<ForecastNumbers> = {}) =>
  comparisonRequests(depth, numbersOf(change));
/** Returns how many more requests the records take than an empty project. */
function added(depth: 'counts' | 'keys' | 'contents', change: Partial<ForecastNumbers>): number[] {
  const [empty, filled] = [requests(depth), requests(depth, change)];
  return [filled.source - empty.source, filled.target - empty.target];
}

describe('a forecast of requests', () => {
  it('has a request for each page of a list', () => {
    const issues = { total: 950, historiesPerRecord: 0 };
    expect(added('keys', { issues })).toEqual([9, 9]);
    expect(added('keys', { tags: 101 })).toEqual([1, 1]);
    expect(added('keys', { tags: 100 })).toEqual([0, 0]);
  });

  it('by counts reads only both ends of most lists, and no list of the source', () => {
    expect(requests('counts').source).toBe(1);
    expect(added('counts', { tags: 5000 })).toEqual([0, 1]);
    expect(added('counts', { issues: { total: 950, historiesPerRecord: 0 } })).toEqual([0, 9]);
  });

  it('by contents reads the notes of each record, and on the source its histories and reactions', () => {
    const list = { total: 80, historiesPerRecord: 0 };
    expect(added('contents', { issues: list })).toEqual([80 + 4 * 80, 80]);
    expect(added('contents', { snippets: 7 })).toEqual([3 * 7, 2 * 7]);
    expect(added('contents', { uploads: 7 })).toEqual([7, 7]);
  });

  it('by contents reads the changes of each merge request with two requests, and on the source its approvals', () => {
    const list = { total: 80, historiesPerRecord: 0 };
    expect(added('contents', { mergeRequests: list })).toEqual([8 * 80, 3 * 80]);
  });

  it('by contents has a request on the target for each history of a record', () => {
    const issues = { total: 80, historiesPerRecord: 1.5 };
    expect(added('contents', { issues })).toEqual([400, 80 + 120]);
    expect(added('keys', { issues })).toEqual([0, 0]);
  });

  it('keeps within the limits of records that are read one by one', () => {
    const issues = { total: 9000, historiesPerRecord: 0 };
    expect(added('contents', { issues })).toEqual([5 * 2000 + 89, 2000 + 89]);
    expect(added('contents', { pipelines: 900 })).toEqual([500 + 8, 500 + 8]);
  });

  it('is too small if a number is not known, or a project could not be counted, and says so', () => {
    const forecast = (...projects: (ForecastNumbers | null)[]) =>
      comparisonForecast('keys', projects, { source: 100, target: 50 });
    expect(forecast(numbersOf())).toMatchObject({ isAtLeast: false });
    expect(forecast(numbersOf({ uploads: null }))).toMatchObject({ isAtLeast: true });
    expect(forecast(numbersOf({ issues: { total: null, historiesPerRecord: 0 } }))).toMatchObject({
      isAtLeast: true,
    });
    expect(forecast(numbersOf(), null)).toMatchObject({ isAtLeast: true });
    expect(forecast(null)).toMatchObject({ requests: null });
  });

  it('of an import by contents says that more requests may follow, also without issues', () => {
    const archive = { bundles: [], notes: {}, relations: {}, uploads: 0 };
    expect(importForecast('contents', archive).isAtLeast).toBe(true);
    expect(importForecast('keys', archive).isAtLeast).toBe(false);
  });

  it('takes as long as the instances needed for a request', () => {
    const { source, target } = requests('keys');
    const ms = { source: 100, target: 50 };
    expect(comparisonForecast('keys', [numbersOf()], ms)).toEqual({
      ...{ depth: 'keys', requests: source + target, isAtLeast: false, ms: source * 100 + target * 50 },
    });
    expect(comparisonForecast('keys', [numbersOf()], { ...ms, source: null }).ms).toBeNull();
  });
});

it.each([
  [{}, 'The comparison takes about 1,240 requests, about 124 s at 10 requests per second.'],
  [
    { isAtLeast: true },
    'The comparison takes at least 1,240 requests, at least 124 s at 10 requests per second.',
  ],
  [{ ms: null }, 'The comparison takes about 1,240 requests.'],
  [{ requests: null }, 'How many requests the comparison takes is not known.'],
])('the forecast %o is a sentence', (change, sentence) => {
  const forecast = { depth: 'contents', requests: 1240, isAtLeast: false, ms: 124_000, ...change } as const;
  expect(comparisonForecastText(forecast, (ms) => `${ms / 1000} s`)).toBe(sentence);
});
