import { describe, expect, test } from 'vitest';
import { limitPresets } from '../../../src-main/sandbox/requests/limits.ts';
import { at, Conformance, type Account } from '../../support/conformance.ts';
import { ShiftedClock } from '../../support/clocks/shifted-clock.ts';

const clock = new ShiftedClock(Date.UTC(2026, 2, 1, 12));
const harness = Conformance.ofFile({
  clock,
  limits: {
    ...limitPresets.none,
    listsPerTenMinutes: 3,
    anonymousListsPerTenMinutes: 2,
    projectsPerMinute: 3,
    userProjectsPerMinute: 3,
    contributedProjectsPerMinute: 2,
    starredProjectsPerMinute: 2,
  },
});

const minute = 60_000;

describe('the rate limits for reading projects', () => {
  test('have the default values of GitLab in the preset "gitlab"', () => {
    expect(limitPresets.gitlab).toMatchObject({
      listsPerTenMinutes: 2000,
      anonymousListsPerTenMinutes: 400,
      projectsPerMinute: 400,
      userProjectsPerMinute: 300,
      contributedProjectsPerMinute: 100,
      starredProjectsPerMinute: 100,
    });
  });

  test.each<[rule: string, who: Account, path: string, limit: number, window: number]>([
    ['list-projects (per user and ten minutes)', 'maintainer', '/projects', 3, 10 * minute],
    ['list-projects (per address without a token and ten minutes)', 'anonymous', '/projects', 2, 10 * minute],
    ['get-project (per user and minute)', 'maintainer', at('atlas/compass'), 3, minute],
    ['list-user-projects (per minute)', 'maintainer', '/users/root/projects', 3, minute],
    ['list-contributed-projects (per minute)', 'maintainer', '/users/root/contributed_projects', 2, minute],
    ['list-starred-projects (per minute)', 'maintainer', '/users/root/starred_projects', 2, minute],
  ])(
    '%s returns 429 beyond the limit, and 200 again in the next window',
    async (_rule, who, path, limit, window) => {
      for (let count = 0; count < limit; count += 1) expect((await harness.send(who, path)).status).toBe(200);
      const { status, body, headers } = await harness.send(who, path);

      expect(status).toBe(429);
      expect(body).toEqual({
        message: { error: 'This endpoint has been requested too many times. Try again later.' },
      });
      expect(headers.get('retry-after')).toBe('60');
      clock.step(window);
      expect((await harness.send(who, path)).status).toBe(200);
    },
  );
});
