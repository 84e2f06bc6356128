import type { Finding } from '../../../../../src-contract/archives/archive.ts';
import type { JobState } from '../../../../../src-contract/runs/job.ts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import type { Change } from '../../../../../src-contract/projects/change.ts';
import type { CallReply } from '../../../../../src-contract/calls.ts';
import { exampleJob } from '../../../support/examples.ts';
import { expectAccessible, fails } from '../../../support/window.ts';
import { changeJob, details, dialog, panel, project, showPart, started, upload } from './panel.ts';

const succeeded: JobState = { status: 'succeeded', warnings: [] };

test('a dropped file is uploaded, and its Markdown link is shown', async () => {
  const change: Change = { kind: 'upload', file: '/dropped/plan.txt', sizeBytes: 5 };
  const bridge = await showPart('files', {
    script: {
      'project.change': started,
      'job.show': changeJob(change, succeeded, {
        uploaded: { id: 3, name: 'plan.txt', url: '/uploads/x/plan.txt', markdown: '[plan](/uploads/x)' },
      }),
    },
  });
  await expect.element(panel.getByText('map.png')).toBeVisible();
  bridge.answer('project.uploads', { uploads: [upload(3, 'plan.txt')], next: null });
  const input = document.querySelector<HTMLInputElement>('aside input[type=file]');
  if (input === null) throw new Error('There is no place to drop a file.');
  await userEvent.upload(input, new File(['hello'], 'plan.txt'));
  await expect.element(panel.getByText('plan.txt was uploaded')).toBeVisible();
  await expect.element(panel.getByText('[plan](/uploads/x)')).toBeVisible();
  expect(bridge.asked('project.change')).toMatchObject([{ project: '1', change }]);
  await expect.element(panel.getByRole('button', { name: 'Save plan.txt' })).toBeVisible();
  await expectAccessible();
});

test('a role below Maintainer may upload files but not list them', async () => {
  await showPart('files', {
    script: { 'project.details': details({ project: project({ accessLevel: 30 }) }) },
    row: { accessLevel: 30 },
  });
  await expect
    .element(panel.getByText('This needs the role Maintainer; the account is Developer here.').first())
    .toBeVisible();
  await expect.element(panel.getByText('Drop a file here to upload it to the project')).toBeVisible();
});

test('an export is sent to an address whose field hides it, and warnings about the address are shown', async () => {
  const change: Change = {
    kind: 'export',
    description: null,
    pushTo: { address: 'https://s3.example.com/b/a.tar.gz', method: 'PUT' },
  };
  const bridge = await showPart('files', {
    script: {
      'export.start': { ...started, warnings: ['The address has expired already.'] },
      'job.show': changeJob(change, succeeded),
    },
  });
  await panel.getByRole('button', { name: 'Start an export on GitLab…' }).click();
  await dialog.getByLabelText('GitLab uploads it to an address').click();
  const address = dialog.getByLabelText('Address', { exact: true });
  await expect.element(address).toHaveAttribute('type', 'password');
  await address.fill('https://s3.example.com/b/a.tar.gz?X-Amz-Signature=secret');
  await dialog.getByText('Equivalent command').click();
  await expect
    .element(dialog.getByText(/export start group\/project-00001 .*--upload-url-stdin --upload-method PUT/))
    .toBeVisible();
  await expectAccessible();
  await dialog.getByRole('button', { name: 'Start the export' }).click();
  await expect.element(panel.getByText('The address has expired already.')).toBeVisible();
  await expect.element(panel.getByText(/GitLab does not report whether the upload worked/)).toBeVisible();
  expect(bridge.asked('export.start')).toEqual([
    {
      instance: 'work',
      project: '1',
      description: null,
      push: { url: 'https://s3.example.com/b/a.tar.gz?X-Amz-Signature=secret', method: 'PUT' },
    },
  ]);
  expect(document.body.innerHTML).not.toContain('X-Amz-Signature');
});

test('an export on the instance is polled until it is finished, even without an event', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const state = (word: string) => ({ project: 'group/project-00001', state: word });
  const bridge = await showPart('files', { script: { 'export.status': state('queued') } });
  await expect.element(panel.getByText('An export is queued on the instance.')).toBeVisible();
  bridge.answer('export.status', state('started'));
  vi.advanceTimersByTime(5_000);
  await expect.element(panel.getByText('The instance is exporting it.')).toBeVisible();
  bridge.answer('export.status', state('finished'));
  vi.advanceTimersByTime(5_000);
  await expect.element(panel.getByText('A finished export is stored on the instance.')).toBeVisible();
  const polls = bridge.asked('export.status').length;
  vi.advanceTimersByTime(60_000);
  expect(bridge.asked('export.status')).toHaveLength(polls);
});

const archive = (id: string, fullPath: string): CallReply<'archive.list'>['archives'][number] => ({
  id,
  path: `${fullPath}.tar.gz`,
  absolutePath: `/archives/${fullPath}.tar.gz`,
  absent: false,
  instanceName: 'old',
  instanceUrl: 'https://old.example.com',
  projectId: 5,
  fullPath,
  sha256: 'a'.repeat(64),
  sizeBytes: 2_500_000,
  storedAt: '2026-11-19T09:00:00.000Z',
  verdict: 'sound',
  condition: 'complete',
  proof: null,
  damaged: null,
  findings: 0,
  pinned: false,
});

test('a part is imported from the archive of the project with the same name, and counted at the end', async () => {
  const bridge = await showPart('files', {
    script: {
      'archive.list': {
        archives: [archive('a-1', 'atlas/other'), archive('a-2', 'atlas/project-00001')],
        next: null,
      },
      'import.relation': started,
      'job.show': exampleJob({
        id: 'job-1',
        kind: 'relation-import',
        step: null,
        state: succeeded,
        result: {
          id: 2,
          relation: 'merge_requests',
          fullPath: 'group/project-00001',
          inArchive: 12,
          before: 9,
          after: 12,
          missingIids: [],
        },
      }),
    },
  });
  await expect.element(panel.getByText('Finished')).toBeVisible();
  await panel.getByRole('button', { name: 'Import a part…' }).click();
  await dialog.getByLabelText('Merge requests').click();
  await expect.element(dialog.getByLabelText('Archive', { exact: true })).toHaveValue('a-2');
  await expectAccessible();
  await dialog.getByRole('button', { name: 'Import this part' }).click();
  await expect.element(panel.getByText('Merge requests were imported')).toBeVisible();
  await expect
    .element(panel.getByText('12 in the archive; in the project 9 before and 12 now.'))
    .toBeVisible();
  expect(bridge.asked('import.relation')).toEqual([
    { instance: 'work', project: '1', archive: 'a-2', relation: 'merge_requests', removeMembers: false },
  ]);
});

/** Returns a finished import of twelve issues with these warnings and counts. */
const importedIssues = (
  warnings: Finding[],
  counts: { before: number; after: number | null; missingIids: number[] | null },
) =>
  exampleJob({
    ...{ id: 'job-1', kind: 'relation-import', step: null },
    state: { status: 'succeeded', warnings },
    result: {
      ...{ id: 2, relation: 'issues', fullPath: 'group/project-00001' },
      ...{ inArchive: 12, ...counts },
    },
  });

test('a part whose import left out records is never shown as imported completely', async () => {
  const message = 'issues: the project still lacks these records of the archive: #3.';
  await showPart('files', {
    script: {
      'archive.list': { archives: [archive('a-2', 'atlas/project-00001')], next: null },
      'import.relation': started,
      'job.show': importedIssues(
        [{ code: 'lost-on-import', severity: 'warning', message, where: 'issues' }],
        {
          ...{ before: 12, after: 12, missingIids: [3] },
        },
      ),
    },
  });
  await panel.getByRole('button', { name: 'Import a part…' }).click();
  await dialog.getByRole('button', { name: 'Import this part' }).click();
  await expect.element(panel.getByText('Issues were imported, but not all of them')).toBeVisible();
  await expect.element(panel.getByText(message)).toBeVisible();
});

test('a part whose records were not looked up is not shown as checked', async () => {
  await showPart('files', {
    script: {
      'archive.list': { archives: [archive('a-2', 'atlas/project-00001')], next: null },
      'import.relation': started,
      'job.show': importedIssues([], { before: 9, after: 12, missingIids: null }),
    },
  });
  await panel.getByRole('button', { name: 'Import a part…' }).click();
  await dialog.getByRole('button', { name: 'Import this part' }).click();
  const title = panel.getByText(
    'Issues were imported: the numbers agree, but the records were not looked up',
  );
  await expect.element(title).toBeVisible();
});

test('a part whose result could not be checked is not said to have changed something else', async () => {
  const unchecked = (code: string, message: string) =>
    ({ code, severity: 'warning', message, where: null }) as const;
  await showPart('files', {
    script: {
      'archive.list': { archives: [archive('a-2', 'atlas/project-00001')], next: null },
      'import.relation': started,
      'job.show': importedIssues(
        [
          unchecked('not-counted', 'issues: the target could not be counted.'),
          unchecked('effects-not-compared', 'The target could not be read.'),
        ],
        { before: 9, after: null, missingIids: null },
      ),
    },
  });
  await panel.getByRole('button', { name: 'Import a part…' }).click();
  await dialog.getByRole('button', { name: 'Import this part' }).click();
  await expect
    .element(panel.getByText('Issues were imported, but the result could not be checked'))
    .toBeVisible();
  await expect.element(panel.getByText('The target could not be read.')).toBeVisible();
});

test('a part whose import removes members is imported only if that is ticked, and the removed members are named', async () => {
  const message = 'Importing as me removes the only direct member of group/app: dora (30).';
  const bridge = await showPart('files', {
    script: {
      'archive.list': { archives: [archive('a-2', 'atlas/project-00001')], next: null },
      'import.relation': fails('members-at-risk', message, { members: 'dora (30)' }),
      'job.show': exampleJob({
        id: 'job-1',
        kind: 'relation-import',
        step: null,
        state: {
          status: 'succeeded',
          warnings: [
            {
              code: 'member-removed',
              severity: 'warning',
              message: 'These are no longer direct members: dora (30).',
              where: null,
            },
          ],
        },
        result: {
          ...{ id: 2, relation: 'issues', fullPath: 'group/project-00001' },
          ...{ inArchive: 12, before: 9, after: 12, missingIids: [] },
        },
      }),
    },
  });
  await panel.getByRole('button', { name: 'Import a part…' }).click();
  await dialog.getByRole('button', { name: 'Import this part' }).click();
  await expect.element(dialog.getByText(message)).toBeVisible();
  bridge.answer('import.relation', started);
  await dialog.getByLabelText('Import it anyway: these members may be removed').click();
  await dialog.getByRole('button', { name: 'Import this part' }).click();
  await expect.element(panel.getByText('These are no longer direct members: dora (30).')).toBeVisible();
  expect(bridge.asked('import.relation')).toHaveLength(2);
});
