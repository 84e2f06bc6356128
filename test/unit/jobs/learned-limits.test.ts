import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { paceForVersion, presetPaces } from '../../../src-contract/instances/instance.ts';
import { createRateLimiter } from '../../../src-main/jobs/running/rate-limiter.ts';

const minuteMs = 60_000;

/** Sends requests of all projects until an instance that accepts `perMinute` requests in each minute has accepted them. */
function serve(perMinute: number, projects: number, pace = presetPaces.gitlab) {
  let now = 0;
  const limiter = createRateLimiter(() => now);
  let inWindow = { start: 0, count: 0 };
  let rejections = 0;
  const due = new Map(Array.from({ length: projects }, (_, index) => [`g/p${index}`, 0]));
  while (due.size > 0) {
    now = Math.min(...due.values());
    for (const [project, at] of due) {
      if (at > now) continue;
      const wait = limiter.reserve('i', pace, 'export', project);
      const start = now - (now % minuteMs);
      if (inWindow.start !== start) inWindow = { start, count: 0 };
      if (wait > 0) {
        due.set(project, now + wait);
        continue;
      }
      expect(limiter.trySend('i', pace, 'export', project)).toBe(0);
      if (inWindow.count < perMinute) {
        inWindow.count += 1;
        due.delete(project);
      } else {
        rejections += 1;
        const remainingMs = start + minuteMs - now;
        limiter.onRateLimited('i', pace, 'export', project, remainingMs);
        due.set(project, now + remainingMs);
      }
      limiter.release('i', pace, 'export', project);
    }
  }
  return { rejections, minutes: now / minuteMs };
}

describe('an instance with a lower limit than expected', () => {
  it('rejects one request, and then receives no more requests than it accepts', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 60 }), (perMinute, projects) => {
        const { rejections, minutes } = serve(perMinute, projects);
        expect(rejections).toBeLessThanOrEqual(projects > perMinute ? 1 : 0);
        expect(minutes).toBeLessThanOrEqual(Math.ceil(projects / perMinute) + 1);
      }),
    );
  });

  it('teaches a limit even if no limit was expected', () => {
    const { rejections, minutes } = serve(4, 40, presetPaces.sandbox);
    expect(rejections).toBe(1);
    expect(minutes).toBeLessThanOrEqual(11);
  });

  it('receives no request of the same kind before the time that it asked for', () => {
    let now = 0;
    const limiter = createRateLimiter(() => now);
    expect(limiter.reserve('i', presetPaces.gitlab, 'import', 'g/a')).toBe(0);
    expect(limiter.trySend('i', presetPaces.gitlab, 'import', 'g/a')).toBe(0);
    limiter.release('i', presetPaces.gitlab, 'import', 'g/a');
    limiter.onRateLimited('i', presetPaces.gitlab, 'import', 'g/a', 240_000);
    expect(limiter.reserve('i', presetPaces.gitlab, 'import', 'g/b')).toBe(240_000);
    expect(limiter.reserve('i', presetPaces.gitlab, 'export', 'g/b')).toBe(0);
    now = 240_000;
    expect(limiter.reserve('i', presetPaces.gitlab, 'import', 'g/b')).toBe(0);
  });

  it('receives requests up to the ordinary limit again after an hour', () => {
    let now = 0;
    const limiter = createRateLimiter(() => now);
    const reserveSix = () =>
      Array.from({ length: 6 }, (_, at) => {
        const wait = limiter.reserve('i', presetPaces.gitlab, 'export', `g/${at}`);
        if (wait === 0) {
          expect(limiter.trySend('i', presetPaces.gitlab, 'export', `g/${at}`)).toBe(0);
          limiter.release('i', presetPaces.gitlab, 'export', `g/${at}`);
        }
        return wait;
      });
    expect(reserveSix().filter((wait) => wait === 0)).toHaveLength(6);
    limiter.onRateLimited('i', presetPaces.gitlab, 'export', 'g/5', 0);
    now = 2 * minuteMs;
    expect(reserveSix().filter((wait) => wait === 0)).toHaveLength(5);
    now = 63 * minuteMs;
    expect(reserveSix().filter((wait) => wait === 0)).toHaveLength(6);
  });
});

describe('an instance that counts downloads by namespace', () => {
  it('is recognized by its version, from 14.10 to before 17.10', () => {
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

  it('is recognized by one 429 for a project whose sibling was downloaded', () => {
    let now = 0;
    const limiter = createRateLimiter(() => now);
    const send = (project: string): void => {
      expect(limiter.reserve('i', presetPaces.gitlab, 'download', project)).toBe(0);
      expect(limiter.trySend('i', presetPaces.gitlab, 'download', project)).toBe(0);
      limiter.release('i', presetPaces.gitlab, 'download', project);
    };
    send('g/a');
    now += 1_000;
    send('g/b');
    limiter.onRateLimited('i', presetPaces.gitlab, 'download', 'g/b', minuteMs);
    // No other project of that group is tried for nothing; other groups continue.
    expect(limiter.reserve('i', presetPaces.gitlab, 'download', 'g/c')).toBe(minuteMs);
    send('h/a');
    expect(limiter.reserve('i', presetPaces.gitlab, 'download', 'h/b')).toBe(minuteMs);
    expect(limiter.reserve('other', presetPaces.gitlab, 'download', 'h/b')).toBe(0);
  });

  it('is not assumed if the project itself was downloaded just before', () => {
    let now = 0;
    const limiter = createRateLimiter(() => now);
    const lifted = { ...presetPaces.gitlab, downloadsPerMinute: 0 };
    for (const project of ['g/a', 'g/b', 'g/b']) {
      expect(limiter.reserve('i', lifted, 'download', project)).toBe(0);
      expect(limiter.trySend('i', lifted, 'download', project)).toBe(0);
      limiter.release('i', lifted, 'download', project);
      now += 100;
    }
    limiter.onRateLimited('i', lifted, 'download', 'g/b', minuteMs);
    expect(limiter.reserve('i', lifted, 'download', 'g/c')).toBe(0);
  });
});
