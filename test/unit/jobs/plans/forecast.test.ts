import { describe, expect, it } from 'vitest';
import { presetPaces } from '../../../../src-contract/instances/instance.ts';
import { forecastOf } from '../../../../src-main/jobs/plans/forecast.ts';

const at = Date.UTC(2026, 10, 21, 1, 30);
const projects = (count: number) => Array.from({ length: count }, (_, index) => ({ project: `g/P${index}` }));

describe('what is expected of a run', () => {
  it('is nothing where nothing was stored before, or nothing would be', () => {
    expect(forecastOf(projects(3), new Map(), presetPaces.gitlab, at)).toBeNull();
    expect(forecastOf([], new Map([['g/p0', 1000]]), presetPaces.gitlab, at)).toBeNull();
  });

  it('begins as the limit of exports allows, and ends when the slowest is stored', () => {
    const took = new Map([
      ['g/p0', 600_000],
      ['g/p7', 30_000],
    ]);
    const expected = forecastOf(projects(8), took, presetPaces.gitlab, at);
    expect(expected?.projects.map(({ startsAt }) => startsAt.slice(11, 16))).toEqual([
      ...Array.from({ length: 6 }, () => '01:30'),
      ...['01:31', '01:31'],
    ]);
    expect(expected).toMatchObject({ known: 2, startsAt: '2026-11-21T01:30:00.000Z' });
    // Unknown projects take the median of the others, which for two is the longer.
    expect(expected?.endsAt).toBe('2026-11-21T01:41:00.000Z');
    expect(expected?.projects[7]?.endsAt).toBe('2026-11-21T01:31:30.000Z');
  });

  it('begins at once where the instance has no limit', () => {
    const expected = forecastOf(projects(100), new Map([['other/one', 5_000]]), presetPaces.sandbox, at);
    expect(expected).toMatchObject({ known: 0, endsAt: '2026-11-21T01:30:05.000Z' });
  });

  it('of a thousand projects is what the limit takes', () => {
    const expected = forecastOf(projects(1000), new Map([['g/p0', 60_000]]), presetPaces.gitlab, at);
    expect((Date.parse(expected?.endsAt ?? '') - at) / 60_000).toBe(167);
    expect(expected?.projects).toHaveLength(500);
  });
});
