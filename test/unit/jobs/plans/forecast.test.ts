import { describe, expect, it } from 'vitest';
import { presetPaces } from '../../../../src-contract/instances/instance.ts';
import { forecastOf } from '../../../../src-main/jobs/plans/forecast.ts';

const at = Date.UTC(2026, 10, 21, 1, 30);
const projects = (count: number) => Array.from({ length: count }, (_, index) => ({ project: `g/P${index}` }));

describe('the forecast of a run', () => {
  it('is null if nothing was stored before or nothing would be stored', () => {
    expect(forecastOf(projects(3), new Map(), presetPaces.gitlab, at)).toBeNull();
    expect(forecastOf([], new Map([['g/p0', 1000]]), presetPaces.gitlab, at)).toBeNull();
  });

  it('starts exports as their limit allows, and ends when the slowest one is stored', () => {
    const durations = new Map([
      ['g/p0', 600_000],
      ['g/p7', 30_000],
    ]);
    const forecast = forecastOf(projects(8), durations, presetPaces.gitlab, at);
    expect(forecast?.projects.map(({ startsAt }) => startsAt.slice(11, 16))).toEqual([
      ...Array.from({ length: 6 }, () => '01:30'),
      ...['01:31', '01:31'],
    ]);
    expect(forecast).toMatchObject({ known: 2, startsAt: '2026-11-21T01:30:00.000Z' });
    // Unknown projects take the median of the known durations, which for two is the longer one.
    expect(forecast?.endsAt).toBe('2026-11-21T01:41:00.000Z');
    expect(forecast?.projects[7]?.endsAt).toBe('2026-11-21T01:31:30.000Z');
  });

  it('starts all exports immediately if the instance has no limit', () => {
    const forecast = forecastOf(projects(100), new Map([['other/one', 5_000]]), presetPaces.sandbox, at);
    expect(forecast).toMatchObject({ known: 0, endsAt: '2026-11-21T01:30:05.000Z' });
  });

  it('of a thousand projects lasts as long as the limit requires, and lists the first 500', () => {
    const forecast = forecastOf(projects(1000), new Map([['g/p0', 60_000]]), presetPaces.gitlab, at);
    expect((Date.parse(forecast?.endsAt ?? '') - at) / 60_000).toBe(167);
    expect(forecast?.projects).toHaveLength(500);
  });
});
