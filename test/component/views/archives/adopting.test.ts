/** @file Archives from elsewhere are adopted into the store, and their unknown projects are set. */
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { CallReply } from '../../../../src-contract/calls.ts';
import { router } from '../../../../src-renderer/data/places/router.svelte.ts';
import { exampleCapabilities } from '../../support/overview-examples.ts';
import { expectAccessible, fails } from '../../support/window.ts';
import { archive, described } from './archives.ts';
import { chosen, detail, dialog, openArchives } from './open-archives.ts';

test('files are adopted with a project each, and an unknown project is shown as a state of the archive', async () => {
  const unknown = archive(1, { id: 'unknown', projectId: null, fullPath: 'gone/app' });
  const bridge = await openArchives({
    'host.choosePath': ({ what }) => ({ path: what === 'folder' ? '/exports' : '/downloads/one.tar.gz' }),
    'archive.exportsIn': { files: ['/exports/two.tar.gz', '/exports/three.tar.gz'] },
    'archive.adopt': {
      projects: [
        { fullPath: 'group/app', projectId: 7, why: null },
        {
          fullPath: 'gone/app',
          projectId: null,
          why: { code: 'project-missing', message: 'no', retry: 'never', details: { project: 'gone/app' } },
        },
      ],
      files: [
        {
          file: '/downloads/one.tar.gz',
          outcome: 'adopted',
          archive: archive(1),
          datedBy: 'members',
          proven: false,
          findings: [],
          error: null,
        },
        {
          file: '/exports/two.tar.gz',
          outcome: 'adopted',
          archive: unknown,
          datedBy: 'file',
          proven: false,
          findings: [],
          error: null,
        },
        {
          file: '/exports/three.tar.gz',
          outcome: 'refused',
          archive: null,
          datedBy: null,
          proven: false,
          findings: [],
          error: { code: 'archive-corrupt', message: 'It is cut', retry: 'never', details: {} },
        },
      ],
    },
  });
  await page.getByRole('button', { name: 'Adopt files…' }).click();
  await expect.element(dialog.getByRole('button', { name: 'Adopt', exact: true })).toBeDisabled();
  await expectAccessible();
  await dialog.getByRole('button', { name: 'Choose a file…' }).click();
  await dialog.getByRole('button', { name: 'Add a whole folder…' }).click();
  // The project in view is suggested, and a wrong path is reported at its field.
  const of = (file: string) => dialog.getByLabelText(`Full path of the project of ${file}`);
  await expect.element(of('three.tar.gz')).toHaveValue('group/app');
  await of('two.tar.gz').fill('gone');
  await dialog.getByRole('button', { name: 'Adopt 3 files' }).click();
  await expect.element(dialog.getByText('Enter a full path such as group/app.')).toBeVisible();
  expect(bridge.asked('archive.adopt')).toEqual([]);
  await of('two.tar.gz').fill('gone/app');
  await expectAccessible();
  await dialog.getByRole('button', { name: 'Adopt 3 files' }).click();
  const outcome = (name: string) => dialog.getByRole('listitem').filter({ hasText: name });
  await expect
    .element(outcome('two.tar.gz'))
    .toMatchTextContent(/Adopted.*Project unknown.*set its project later/);
  await expect.element(outcome('three.tar.gz')).toMatchTextContent(/Refused.*It is cut/);
  expect(bridge.asked('archive.exportsIn')).toEqual([{ folder: '/exports' }]);
  expect(bridge.asked('archive.adopt')).toEqual([
    {
      instance: 'work',
      files: [
        { file: '/downloads/one.tar.gz', fullPath: 'group/app' },
        { file: '/exports/two.tar.gz', fullPath: 'gone/app' },
        { file: '/exports/three.tar.gz', fullPath: 'group/app' },
      ],
      prove: false,
    },
  ]);
  await expectAccessible();
  await outcome('two.tar.gz').getByRole('link', { name: 'Show it' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(router.parameter('archive')).toBe('unknown');
});

test('without a file dialog of the system, a file is dropped or chosen in the page, and no folder is offered', async () => {
  const bridge = await openArchives({
    'host.capabilities': exampleCapabilities({ host: 'browser', choosePath: false }),
  });
  await page.getByRole('button', { name: 'Adopt files…' }).click();
  await expect.element(dialog.getByRole('button', { name: 'Add a whole folder…' })).not.toBeInTheDocument();
  const input = dialog.element().querySelector('input[type=file]');
  await userEvent.upload(input as HTMLInputElement, new File(['x'], 'app_export.tar.gz'));
  await expect.element(dialog.getByText('app_export.tar.gz', { exact: true })).toBeVisible();
  expect(bridge.dropped.map(({ name }) => name)).toEqual(['app_export.tar.gz']);
});

test('an unknown project is a state of the archive, and can be set where it is shown', async () => {
  const before = archive(1, { projectId: null });
  const after = archive(1, { projectId: 7 });
  let settled = false;
  const bridge = await openArchives(
    {
      'archive.show': () => described(settled ? after : before),
      'archive.identify': ({ fullPath }) => {
        if (fullPath === 'group/none') return fails('project-missing', 'none', { project: fullPath });
        settled = true;
        return { summary: after, state: described(after).state };
      },
    },
    chosen,
    [before],
  );
  await expect.element(detail.getByText('The project of this archive is unknown')).toBeVisible();
  await expectAccessible();
  await detail.getByRole('button', { name: 'Set its project…' }).click();
  await dialog.getByLabelText('Full path of the project').fill('group/none');
  await dialog.getByRole('button', { name: 'Set the project' }).click();
  await expect.element(dialog.getByRole('alert')).toMatchTextContent(/no project "group\/none"/);
  await expectAccessible();
  await dialog.getByLabelText('Full path of the project').fill('group/app');
  await dialog.getByRole('button', { name: 'Set the project' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  bridge.emit('archive.changed', { archiveId: 'archive-1', revision: 1 });
  await expect.element(detail.getByText('The project of this archive is unknown')).not.toBeInTheDocument();
  expect(bridge.asked('archive.identify').at(-1)).toEqual({
    archive: 'archive-1',
    instance: 'work',
    fullPath: 'group/app',
  });
});

test('a rescan shows its progress and offers to adopt archives without a manifest', async () => {
  const answered = Promise.withResolvers<CallReply<'archive.rescan'>>();
  await openArchives({
    'archive.rescan': (_request, { progress }) => {
      progress({ step: 'rescan', unit: 'records', done: 12, total: null });
      return answered.promise;
    },
  });
  await page.getByRole('button', { name: 'Rescan the store' }).click();
  await expect.element(page.getByText('Reading the store')).toBeVisible();
  await expect.element(page.getByText(/\b12\b/)).toBeVisible();
  const untrackedFile = '/backups/old_export.tar.gz';
  answered.resolve({
    found: 2,
    added: 0,
    missing: 0,
    missingArchives: [],
    absentFolders: [],
    unreadable: [],
    withoutManifest: [untrackedFile],
  });
  await expect.element(page.getByText(untrackedFile)).toBeVisible();
  await expectAccessible();
  await page.getByRole('button', { name: 'Adopt them…' }).click();
  await expect.element(dialog.getByText('old_export.tar.gz', { exact: true })).toBeVisible();
});
