import { expect, test } from 'vitest';
import { render } from 'vitest-browser-svelte';
import type { ImportResult, Job } from '../../../../src-contract/runs/job.ts';
import type { Reconciliation } from '../../../../src-contract/transfers/import.ts';
import JobResult from '../../../../src-renderer/views/runs/JobResult.svelte';
import { exampleJob } from '../../support/examples.ts';
import { scriptWindow } from '../../support/window.ts';

function importJob(
  change: Partial<Reconciliation>,
  comparedLater = false,
  notTaken: ImportResult['notTaken'] = [],
  failures: ImportResult['failures'] = [],
): Job {
  const input = {
    ...{ source: { kind: 'file' as const }, archivePath: '/archives/a.tar.gz', archiveId: 'archive-1' },
    ...{ sha256: 'a'.repeat(64), sizeBytes: 5, namespace: 'mel', path: 'app', name: null },
    ...{ overwrite: false, overrideParams: {}, ...(comparedLater && { comparedLater }) },
  };
  const row = { relation: 'issues', source: 5, archive: 5, target: 5, verdict: 'equal' as const };
  const reconciliation: Reconciliation = {
    ...{ at: '2026-11-20T08:05:00.000Z', depth: 'numbers', reconciled: false, rows: [row], missing: [] },
    ...{ missingCount: 0, settings: [], declared: [], notCompared: [], ...change },
  };
  const result = {
    ...{ projectId: 7, fullPath: 'mel/app', webUrl: 'https://gitlab.example.com/mel/app' },
    ...{ correlationId: null, failures, reconciliation, notTaken },
  };
  return exampleJob({ kind: 'import', state: { status: 'succeeded', warnings: [] }, input, result });
}

test('an import whose contents were not compared is never shown as a success', async () => {
  scriptWindow({});
  const screen = await render(JobResult, { job: importJob({}) });
  const badgeOf = (text: string) => screen.container.querySelector(`.badge.${text}`)?.textContent.trim();
  expect(badgeOf('warn')).toBe('Arrived, contents not compared');
  // Older versions stored this.
  await screen.rerender({ job: importJob({ reconciled: true }) });
  expect(badgeOf('warn')).toBe('Arrived, contents not compared');
  await screen.rerender({ job: importJob({ reconciled: true, depth: 'contents' }) });
  expect(badgeOf('good')).toBe('Arrived');
});

test('an import of a migration names the comparison that follows, unless its own numbers show a loss', async () => {
  scriptWindow({});
  const screen = await render(JobResult, { job: importJob({}, true) });
  await screen.getByRole('button', { name: 'Compare source, archive and target…' }).click();
  await expect.element(screen.getByText(/The migration compares the project afterwards/)).toBeVisible();
  await expect.element(screen.getByText('Not yet compared by its migration').first()).toBeVisible();
  const lost = { relation: 'issues', source: 5, archive: 5, target: 4, verdict: 'lost-on-import' as const };
  await screen.rerender({ job: importJob({ rows: [lost] }, true) });
  await expect.element(screen.getByText('Not yet compared by its migration')).not.toBeInTheDocument();
  await expect.element(screen.getByText('Not everything arrived').first()).toBeVisible();
});

test('the badge of an import has the tone and title of its comparison', async () => {
  scriptWindow({});
  const part = { name: 'description', values: { expected: 'a', found: 'b' } };
  const changed = { relation: 'issues', iid: 1, title: 'A', line: 0, lost: 'on-import' as const, part };
  const screen = await render(JobResult, {
    job: importJob({ depth: 'contents', missing: [changed], missingCount: 1 }),
  });
  await screen.getByRole('button', { name: 'Compare source, archive and target…' }).click();
  const titleOf = (tone: string) => [
    screen.container.querySelector(`.badge.${tone}`)?.textContent.trim(),
    document.querySelector(`[role=dialog] .notice.${tone} strong`)?.textContent.trim(),
  ];
  expect(titleOf('bad')).toEqual(['Not everything arrived', 'Not everything arrived']);
  await screen.rerender({ job: importJob({ reconciled: true, depth: 'fields', unproven: ['issues'] }) });
  const inPart = 'Arrived, contents compared in part';
  expect(titleOf('warn')).toEqual([inPart, inPart]);
});

test('settings that were not applied or not checked never hide a loss behind the badge', async () => {
  scriptWindow({});
  const agrees = { depth: 'contents', reconciled: true } as const;
  const refused = [{ attribute: 'mirror', asked: 'true', is: false }];
  const screen = await render(JobResult, { job: importJob(agrees, false, refused) });
  const badge = (): string | undefined => screen.container.querySelector('.badge')?.textContent.trim();
  expect(badge()).toBe('Not every setting was applied');
  await screen.rerender({ job: importJob(agrees, false, null) });
  expect(badge()).toBe('The settings of the project could not be checked');
  const lost = { relation: 'issues', source: 5, archive: 5, target: 4, verdict: 'lost-on-import' as const };
  await screen.rerender({ job: importJob({ rows: [lost] }, false, refused) });
  expect(badge()).toBe('Not everything arrived');
});

const failure: ImportResult['failures'][number] = {
  failure: {
    ...{ id: 1, createdAt: '2026-11-20T08:00:00.000Z', exceptionClass: 'ArgumentError' },
    ...{ exceptionMessage: null, source: 'process_relation_item!', relation: 'issues', line: 1 },
  },
  record: null,
};

test('settings never hide failures, or a target that was not counted, behind the badge', async () => {
  scriptWindow({});
  const refused = [{ attribute: 'mirror', asked: 'true', is: false }];
  const screen = await render(JobResult, { job: importJob({}, true, refused) });
  const badge = (): string | undefined => screen.container.querySelector('.badge')?.textContent.trim();
  expect(badge()).toBe('Not every setting was applied');
  await screen.rerender({ job: importJob({}, false, refused, [failure]) });
  expect(badge()).toBe('Not proven');
  const uncounted = { relation: 'issues', source: 5, archive: 5, target: null, verdict: 'unknown' as const };
  await screen.rerender({ job: importJob({ rows: [uncounted] }, false, null) });
  expect(badge()).toBe('Not proven');
});
