import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { paceForVersion, presetPaces } from '../../../src-contract/instances/instance.ts';
import { createRateLimiter } from '../../../src-main/jobs/running/rate-limiter.ts';

const minuteMs = 60_000;

/**
 * Projects that each ask until they are served by an instance that accepts `perMinute` requests in windows of a minute.
 */
function serve(perMinute: number, projects: number, pace = presetPaces.gitlab) {
  let now = 0;
  const keeper = createRateLimiter(() => now);
  let inWindow = { start: 0, count: 0 };
  let refusals = 0;
  const due = new Map(Array.from({ length: projects }, (_, index) => [`g/p${index}`, 0]));
  while (due.size > 0) {
    now = Math.min(...due.values());
    for (const [project, at] of due) {
      if (at > now) continue;
      const wait = keeper.reserve('i', pace, 'export', project);
      const start = now - (now % minuteMs);
      if (inWindow.start !== start) inWindow = { start, count: 0 };
      if (wait > 0) {
        due.set(project, now + wait);
        continue;
      }
      expect(keeper.waitToSend('i', pace, 'export', project)).toBe(0);
      if (inWindow.count < perMinute) {
        inWindow.count += 1;
        due.delete(project);
      } else {
        refusals += 1;
        const left = start + minuteMs - now;
        keeper.onRateLimited('i', pace, 'export', project, left);
        due.set(project, now + left);
      }
      keeper.release('i', pace, 'export', project);
    }
  }
  return { refusals, minutes: now / minuteMs };
}

describe('an instance that takes less than was believed', () => {
  it('refuses once, and is not asked for more than it takes from then on', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 60 }), (perMinute, projects) => {
        const { refusals, minutes } = serve(perMinute, projects);
        expect(refusals).toBeLessThanOrEqual(projects > perMinute ? 1 : 0);
        expect(minutes).toBeLessThanOrEqual(Math.ceil(projects / perMinute) + 1);
      }),
    );
  });

  it('teaches a limit also where none was believed in', () => {
    const { refusals, minutes } = serve(4, 40, presetPaces.sandbox);
    expect(refusals).toBe(1);
    expect(minutes).toBeLessThanOrEqual(11);
  });

  it('gives no turn to anybody before the time that it asked for', () => {
    let now = 0;
    const keeper = createRateLimiter(() => now);
    expect(keeper.reserve('i', presetPaces.gitlab, 'import', 'g/a')).toBe(0);
    expect(keeper.waitToSend('i', presetPaces.gitlab, 'import', 'g/a')).toBe(0);
    keeper.release('i', presetPaces.gitlab, 'import', 'g/a');
    keeper.onRateLimited('i', presetPaces.gitlab, 'import', 'g/a', 240_000);
    expect(keeper.reserve('i', presetPaces.gitlab, 'import', 'g/b')).toBe(240_000);
    expect(keeper.reserve('i', presetPaces.gitlab, 'export', 'g/b')).toBe(0);
    now = 240_000;
    expect(keeper.reserve('i', presetPaces.gitlab, 'import', 'g/b')).toBe(0);
  });

  it('is tried with the ordinary limit again after an hour', () => {
    let now = 0;
    const keeper = createRateLimiter(() => now);
    const ask = () =>
      Array.from({ length: 6 }, (_, at) => {
        const wait = keeper.reserve('i', presetPaces.gitlab, 'export', `g/${at}`);
        if (wait === 0) {
          expect(keeper.waitToSend('i', presetPaces.gitlab, 'export', `g/${at}`)).toBe(0);
          keeper.release('i', presetPaces.gitlab, 'export', `g/${at}`);
        }
        return wait;
      });
    expect(ask().filter((wait) => wait === 0)).toHaveLength(6);
    keeper.onRateLimited('i', presetPaces.gitlab, 'export', 'g/5', 0);
    now = 2 * minuteMs;
    expect(ask().filter((wait) => wait === 0)).toHaveLength(5);
    now = 63 * minuteMs;
    expect(ask().filter((wait) => wait === 0)).toHaveLength(6);
  });
});

describe('an instance that counts downloads by namespace', () => {
  it('is known by its version, from 14.10 to before 17.10', () => {
    const scopes = ['14.9.5', '14.10.0-ee', '17.5.0-ee', '17.9.8', '17.10.0', '18.5.1-ee', null].map(
      (version) => paceForVersion(presetPaces.gitlab, version).downloadScope,
    );
    expect(scopes).toEqual([
      'project',
      'namespace',
      'namespace',
      'namespace',
      'project',
      'project',
      'project',
    ]);
  });

  it('is learned from one refusal of a project whose sibling was downloaded', () => {
    let now = 0;
    const keeper = createRateLimiter(() => now);
    const sent = (project: string): void => {
      expect(keeper.reserve('i', presetPaces.gitlab, 'download', project)).toBe(0);
      expect(keeper.waitToSend('i', presetPaces.gitlab, 'download', project)).toBe(0);
      keeper.release('i', presetPaces.gitlab, 'download', project);
    };
    sent('g/a');
    now += 1_000;
    sent('g/b');
    keeper.onRateLimited('i', presetPaces.gitlab, 'download', 'g/b', minuteMs);
    // No other project of that group is tried for nothing; other groups continue.
    expect(keeper.reserve('i', presetPaces.gitlab, 'download', 'g/c')).toBe(minuteMs);
    sent('h/a');
    expect(keeper.reserve('i', presetPaces.gitlab, 'download', 'h/b')).toBe(minuteMs);
    expect(keeper.reserve('other', presetPaces.gitlab, 'download', 'h/b')).toBe(0);
  });

  it('is not learned where the project itself was downloaded just before', () => {
    let now = 0;
    const keeper = createRateLimiter(() => now);
    const lifted = { ...presetPaces.gitlab, downloadsPerMinute: 0 };
    for (const project of ['g/a', 'g/b', 'g/b']) {
      expect(keeper.reserve('i', lifted, 'download', project)).toBe(0);
      expect(keeper.waitToSend('i', lifted, 'download', project)).toBe(0);
      keeper.release('i', lifted, 'download', project);
      now += 100;
    }
    keeper.onRateLimited('i', lifted, 'download', 'g/b', minuteMs);
    expect(keeper.reserve('i', lifted, 'download', 'g/c')).toBe(0);
  });
});
