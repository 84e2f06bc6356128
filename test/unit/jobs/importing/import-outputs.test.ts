import { describe, expect, it } from 'vitest';
import { importEnd } from '../../../../src-main/jobs/importing/import-outputs.ts';

const sentAt = Date.UTC(2026, 0, 1, 12);

describe('the end of an import', () => {
  const imported = (wait: object) => ({
    prepare: { watermark: 1, userId: 1, clockSkewMs: 60_000, inspection: null, replaces: null },
    send: { projectId: 1, at: sentAt },
    wait: { correlationId: null, fullPath: 'a/b', failures: [], ...wait },
  });

  it('is after the last time at which it was not finished, by the clock of the target', () => {
    expect(importEnd(imported({ unfinishedAt: sentAt + 5_000 }))).toBe(sentAt + 65_000);
  });

  it('is after the request if no such time is stored', () => {
    expect(importEnd(imported({}))).toBe(sentAt + 60_000);
  });
});
