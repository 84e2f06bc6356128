import { expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { CallReply } from '../../../../../src-contract/calls.ts';
import { importInputSchema } from '../../../../../src-contract/runs/job-schema.ts';
import { host } from '../../../../../src-renderer/data/host.svelte.ts';
import type { RouteParameters } from '../../../../../src-renderer/data/places/router.svelte.ts';
import InspectView from '../../../../../src-renderer/views/transfers/inspect/InspectView.svelte';
import { exampleJob } from '../../../support/examples.ts';
import { exampleCapabilities } from '../../../support/overview-examples.ts';
import {
  expectAccessible,
  fails,
  pending,
  scriptWindow,
  type Script,
  type ScriptedWindow,
} from '../../../support/window.ts';
import { archive, described } from '../../archives/archives.ts';
import { showView } from '../../show-view.ts';

type Status = CallReply<'import.status'>;
const payload = '<img src=x onerror="document.title=\'ran\'">';
const url = 'https://gitlab.example.com/group/app';

function reply(change: Partial<Status['status']> = {}, rest: Partial<Status> = {}): Status {
  return {
    instance: 'work',
    status: {
      projectId: 7,
      fullPath: 'group/app',
      state: 'finished',
      importType: 'gitlab_project',
      error: null,
      correlationId: 'c0rr',
      failures: [],
      stats: null,
      ...change,
    },
    failures: [],
    reconciliation: null,
    ...rest,
  };
}

const failure: Status['failures'][number]['failure'] = {
  id: 1,
  createdAt: '2026-11-20T08:00:00.000Z',
  exceptionClass: 'ActiveRecord::RecordInvalid',
  exceptionMessage: null,
  source: 'process_relation_item!',
  relation: 'issues',
  line: 3,
};
const value = { iid: 12, title: `The record ${payload}`, author_id: 7 };
const record = { relation: 'issues', line: 3, text: JSON.stringify(value), truncated: false, value };

/** Scripts a window without jobs of the app. */
const checkWindow = (script: Script): ScriptedWindow =>
  scriptWindow({ 'job.list': { jobs: [], next: null }, ...script });

const show = (parameters: RouteParameters = {}): Promise<void> =>
  showView(InspectView, 'check', { parameters });
const field = page.getByRole('textbox', { name: 'Address of the project’s page' });
const begin = page.getByRole('button', { name: 'Check', exact: true });

test('the view first requests an address, and refuses an invalid one at the field', async () => {
  const bridge = checkWindow({});
  await show();
  await expect.element(page.getByText('Paste the address of a project to start')).toBeVisible();
  await field.fill('group/app');
  await begin.click();
  await expect.element(page.getByText('Paste the whole address, beginning with https://')).toBeVisible();
  await expect.element(field).toHaveAttribute('aria-invalid', 'true');
  await expectAccessible();
  expect(bridge.asked('import.status')).toEqual([]);
});

test('an import of any origin is found by its address', async () => {
  const bridge = checkWindow({
    'import.status': reply({ state: 'failed', error: `The import broke ${payload}` }),
  });
  await show();
  await field.fill(` ${url} `);
  await begin.click();
  await expect.element(page.getByText(`The import broke ${payload}`)).toBeVisible();
  await expect.element(page.getByText('c0rr')).toBeVisible();
  await expect.element(page.getByText('No failed record is listed')).toBeVisible();
  await expectAccessible();
  expect(bridge.asked('import.status')).toEqual([{ instance: null, project: url, archive: null }]);
  expect(document.title).not.toBe('ran');

  // The result belongs to the previous address, so it must not be shown under another one.
  const result = page.getByText('group/app').first();
  await expect.element(result).toBeVisible();
  await field.fill('nothing');
  await begin.click();
  await expect.element(page.getByText('Paste the whole address, beginning with https://')).toBeVisible();
  await expect.element(result).not.toBeInTheDocument();
});

test('a dropped archive shows the record of a failure, and what arrived', async () => {
  const bridge = checkWindow({
    'import.status': ({ archive }) =>
      reply(
        {},
        {
          failures: [{ failure, record: archive === null ? null : record }],
          reconciliation:
            archive === null
              ? null
              : {
                  at: '2026-11-20T08:05:00.000Z',
                  depth: 'fields',
                  reconciled: false,
                  rows: [
                    { relation: 'issues', source: null, archive: 4, target: 3, verdict: 'lost-on-import' },
                  ],
                  missing: [],
                  missingCount: 0,
                  settings: [],
                  declared: [],
                  notCompared: [],
                },
        },
      ),
  });
  await show({ url });
  const failedRecord = page.getByRole('region', { name: 'The failed record' });
  await expect.element(failedRecord.getByText(/can be read once the archive/)).toBeVisible();

  const input = document.querySelector<HTMLInputElement>('input[type=file]');
  const files = new DataTransfer();
  files.items.add(new File(['x'], 'app_export.tar.gz'));
  if (input === null) throw new Error('there is no file field');
  input.files = files.files;
  input.dispatchEvent(new Event('change', { bubbles: true }));

  await expect.element(page.getByText('Records are read from app_export.tar.gz')).toBeVisible();
  await expect
    .element(failedRecord.getByRole('heading', { name: `#12 The record ${payload}` }))
    .toBeVisible();
  await expect.element(page.getByText('Not everything arrived')).toBeVisible();
  await expectAccessible();
  expect(bridge.asked('import.status').map(({ archive }) => archive)).toEqual([
    null,
    '/dropped/app_export.tar.gz',
  ]);

  await page.getByRole('button', { name: 'Check without an archive' }).click();
  await expect.poll(() => bridge.asked('import.status').at(-1)?.archive).toBe(null);
});

test('an import whose comparison is not proven, or was not made, is no success', async () => {
  const reconciliation: Status['reconciliation'] = {
    ...{ at: '2026-11-20T08:05:00.000Z', depth: 'fields', reconciled: false, rows: [] },
    ...{ missing: [], missingCount: 0, settings: [], declared: [], notCompared: [] },
  };
  let answer = reply({}, { reconciliation });
  checkWindow({
    'job.list': jobsOfApp,
    'archive.show': described(stored),
    'import.status': ({ archive: archiveId }) =>
      archiveId === null ? { ...answer, reconciliation: null } : answer,
  });
  await show({ url });
  const badge = page.getByTitle(/^GitLab has finished the import/);
  await expect.element(badge).toHaveClass(/\bwarn\b/);
  answer = reply({}, { reconciliation: { ...reconciliation, reconciled: true } });
  await page.getByRole('button', { name: 'Check again' }).click();
  await expect.element(badge).toHaveClass(/\bgood\b/);
  answer = reply({ state: 'none' });
  await page.getByRole('button', { name: 'Check again' }).click();
  await expect
    .element(
      page.getByText('Not compared with the archive, because GitLab reports no import of this project.'),
    )
    .toBeVisible();
});

test('a running import is polled until it ends; its archive is read only by the first and the last request', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const states: Status['status']['state'][] = ['started', 'started', 'finished', 'finished'];
  const bridge = checkWindow({
    'archive.show': fails('archive-missing'),
    'import.status': ({ archive }) =>
      reply(
        { state: states[bridge.asked('import.status').length - 1] ?? 'finished' },
        { failures: [{ failure, record: archive === null ? null : record }] },
      ),
  });
  await show({ url, archive: 'archive-1' });
  const failedRecord = page.getByRole('region', { name: 'The failed record' });
  await expect.element(page.getByText(/updated every few seconds/)).toBeVisible();
  await expect.element(failedRecord.getByRole('heading', { name: /#12/ })).toBeVisible();
  await vi.advanceTimersByTimeAsync(5_000);
  await expect.poll(() => bridge.asked('import.status').length).toBe(2);
  await expect.element(failedRecord.getByRole('heading', { name: /#12/ })).toBeVisible();
  await vi.advanceTimersByTimeAsync(5_000);
  await expect.poll(() => bridge.asked('import.status').length).toBe(4);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(bridge.asked('import.status').map(({ archive }) => archive)).toEqual([
    'archive-1',
    null,
    null,
    'archive-1',
  ]);
});

test('the view offers to add an unknown instance', async () => {
  checkWindow({
    'import.status': fails('instance-unknown', 'no such instance', { name: 'gitlab.example.com' }),
  });
  await show({ url });
  await expect.element(page.getByRole('alert')).toBeVisible();
  await expectAccessible();
  await page.getByRole('button', { name: 'Add the instance' }).click();
  expect(window.location.hash).toBe('#/instances?add=1');
});

test('reading the archive shows its progress and can be stopped', async () => {
  let cancelled = false;
  checkWindow({
    'archive.show': fails('archive-missing'),
    'import.status': (_request, { progress, signal }) => {
      signal.addEventListener('abort', () => (cancelled = true));
      progress({ step: 'read', unit: 'bytes', done: 30_000_000, total: 60_000_000 });
      return pending;
    },
  });
  await show({ url, archive: 'archive-1' });
  await expect.element(page.getByText('30 MB of 60 MB')).toBeVisible();
  await page.getByRole('button', { name: 'Stop checking' }).click();
  await expect.element(begin).toBeEnabled();
  expect(cancelled).toBe(true);
});

test('failures can be saved if the page may save files, otherwise they can only be copied', async () => {
  checkWindow({ 'import.status': reply({}, { failures: [{ failure, record: null }] }) });
  host.capabilities = exampleCapabilities({ host: 'desktop' });
  await show({ url });
  const menu = page.getByRole('button', { name: 'Copy or save the failures' });
  await menu.click();
  await expect.element(page.getByRole('menuitem', { name: 'Copy as CSV' })).toBeVisible();
  expect(page.getByRole('menuitem', { name: 'Save as CSV' }).query()).toBeNull();
  host.capabilities = exampleCapabilities({ host: 'browser' });
  await expect.element(page.getByRole('menuitem', { name: 'Save as CSV' })).toBeVisible();
  await expectAccessible();
});

const stored = archive(1);
const jobsOfApp: CallReply<'job.list'> = {
  jobs: [
    exampleJob({ id: 'b', kind: 'export' }),
    exampleJob({
      id: 'a',
      kind: 'import',
      state: { status: 'succeeded', warnings: [] },
      input: importInputSchema.parse({
        archivePath: stored.absolutePath,
        archiveId: stored.id,
        sha256: stored.sha256,
        sizeBytes: stored.sizeBytes,
        namespace: 'group',
        path: 'app',
        name: null,
        overwrite: false,
        overrideParams: {},
      }),
    }),
  ],
  next: null,
};

test('the archive of an import by this app is used automatically unless the user rejects it', async () => {
  const bridge = checkWindow({
    'job.list': jobsOfApp,
    'archive.show': described(stored),
    'import.status': ({ archive: archiveId }) =>
      reply({}, { failures: archiveId === null ? [] : [{ failure, record }] }),
  });
  await show({ url });
  await expect.element(page.getByText(/^Records are read from group\/app, /)).toBeVisible();
  await expect.element(page.getByText('Packhorse imported the project from this archive.')).toBeVisible();
  await expect
    .poll(() => bridge.asked('import.status').map(({ archive: archiveId }) => archiveId))
    .toEqual([null, stored.id]);
  expect(bridge.asked('job.list')).toEqual([
    { runId: null, status: 'succeeded', instance: 'work', project: 'group/app', before: null, limit: 50 },
  ]);
  await expectAccessible();
  await page.getByRole('button', { name: 'Check without an archive' }).click();
  await expect.poll(() => bridge.asked('import.status').at(-1)?.archive).toBeNull();
  await expect.element(page.getByRole('group', { name: /Drop the imported archive/ })).toBeVisible();
  expect(bridge.asked('job.list')).toHaveLength(1);
});

test('an archive that no longer exists is not used', async () => {
  const bridge = checkWindow({
    'import.status': reply(),
    'job.list': jobsOfApp,
    'archive.show': fails('archive-missing'),
  });
  await show({ url });
  await expect.element(page.getByText('No failed record is listed')).toBeVisible();
  await expect.poll(() => bridge.asked('archive.show')).toEqual([{ archive: stored.id }]);
  await expect.element(page.getByRole('group', { name: /Drop the imported archive/ })).toBeVisible();
  await begin.click();
  await expect
    .poll(() => bridge.asked('import.status').map(({ archive: archiveId }) => archiveId))
    .toEqual([null, null]);
});
