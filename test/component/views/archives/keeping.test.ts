/** @file Pins and the trash, which keep or remove an archive, and the time of its last proof. */
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { CallReply } from '../../../../src-contract/calls.ts';
import ToastArea from '../../../../src-renderer/shell/ToastArea.svelte';
import { expectAccessible, fails } from '../../support/window.ts';
import { archive, described } from './archives.ts';
import { chosen, detail, dialog, openArchives } from './open-archives.ts';

const day = 86_400_000;
const ago = (days: number): string => new Date(Date.now() - days * day).toISOString();
async function more(entry: string): Promise<void> {
  await detail.getByRole('button', { name: 'More about this archive' }).click();
  await page.getByRole('menuitem', { name: entry }).click();
}

test('every archive in a list shows when it was last proven, and how', async () => {
  const proof = (level: 'L1' | 'L2' | 'L3', at: string) => ({ level, at, detail: null });
  const kept = archive(7, { id: 'kept' });
  await openArchives({}, chosen, [
    archive(1, { id: 'whole', proof: proof('L2', ago(0)) }),
    archive(2, { id: 'matched', proof: proof('L1', ago(1)) }),
    archive(3, { id: 'long-ago', proof: proof('L2', '2019-03-04T12:00:00.000Z') }),
    archive(4, { id: 'damaged', damaged: { at: ago(0), reason: 'Its size changed' } }),
    archive(5, { id: 'unproven', proof: null }),
    archive(6, { id: 'imported', proof: proof('L3', ago(0)) }),
    { ...kept, proof: proof('L2', kept.storedAt) },
  ]);
  const options = page.getByRole('option');
  for (const [at, words] of [
    'Read completely today',
    'Checksum matched yesterday',
    'Read completely on 4 Mar 2019',
    'Damaged since today',
    'Never checked since it was stored',
    'Imported and compared today',
    'Checked when it was stored',
  ].entries()) {
    await expect.element(options.nth(at).getByText(words, { exact: true })).toBeInTheDocument();
  }
  await expect.element(page.getByRole('grid').getByText('Read completely today')).toBeVisible();
  await expect.element(detail.getByText('Read completely today')).toBeVisible();
  await expectAccessible();
});

test('an archive is pinned with a note, which is shown and can be changed, and is unpinned again', async () => {
  let pinned = false;
  let note: string | null = null;
  const summary = () => archive(1, { pinned });
  const bridge = await openArchives({
    'archive.list': () => ({ archives: [summary()], next: null }),
    'archive.show': () => {
      const shown = described(summary());
      return { ...shown, state: { ...shown.state, pinned, note } };
    },
    'archive.setPinned': (request) => {
      ({ pinned } = request);
      note = request.note ?? note;
      const shown = described(summary());
      return { summary: summary(), state: { ...shown.state, pinned, note } };
    },
  });
  await more('Pin…');
  await expect.element(dialog).toHaveAccessibleName('Pin this archive');
  await expectAccessible();
  await dialog.getByLabelText('Note').fill('Before the migration');
  await expect.element(dialog.getByText(/archive pin .*--note 'Before the migration'/)).toBeInTheDocument();
  await dialog.getByRole('button', { name: 'Pin', exact: true }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  bridge.emit('archive.changed', { archiveId: 'archive-1', revision: 1 });
  await expect.element(detail.getByText(/Before the migration/)).toBeVisible();
  await expect.element(page.getByRole('option').getByRole('img', { name: 'Pinned' })).toBeVisible();
  await expectAccessible();

  // Not even a user can remove a pinned archive before unpinning it.
  await detail.getByRole('button', { name: 'More about this archive' }).click();
  await expect
    .element(page.getByRole('menuitem', { name: /^Move to the trash/ }))
    .toHaveAttribute('aria-disabled', 'true');
  await page.getByRole('menuitem', { name: 'Change the note…' }).click();
  await expect.element(dialog.getByLabelText('Note')).toHaveValue('Before the migration');
  await dialog.getByLabelText('Note').fill('After the migration');
  await dialog.getByRole('button', { name: 'Save the note' }).click();
  await expect.element(detail.getByText(/After the migration/)).toBeVisible();
  await more('Unpin');
  await expect.element(detail.getByText(/After the migration/)).not.toBeInTheDocument();
  expect(bridge.asked('archive.setPinned')).toEqual([
    { archive: 'archive-1', pinned: true, note: 'Before the migration' },
    { archive: 'archive-1', pinned: true, note: 'After the migration' },
    { archive: 'archive-1', pinned: false, note: null },
  ]);
});

test('moving an archive to the trash is explained first, and can be undone at once', async () => {
  const until = new Date(Date.now() + 7 * day).toISOString();
  const bridge = await openArchives({
    'archive.moveToTrash': { path: 'host/group/app/1_export.tar.gz', until },
    'archive.restore': { summary: archive(1, { pinned: true }) },
  });
  const area = document.createElement('div');
  document.body.append(area);
  const { mount } = await import('svelte');
  mount(ToastArea, { target: area });
  await more('Move to the trash…');
  await expect.element(dialog.getByText(/can be restored until .*, for seven days/)).toBeVisible();
  await expect.element(dialog.getByText(/newest archive of the project/)).toBeVisible();
  await expectAccessible();
  await dialog.getByRole('button', { name: 'Move to the trash' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => bridge.asked('archive.restore')).toEqual([{ trashed: archive(1).absolutePath }]);
  expect(bridge.asked('archive.moveToTrash')).toEqual([{ archive: 'archive-1' }]);
});

test('an archive that cannot be moved to the trash shows the reason and stays', async () => {
  await openArchives({
    'archive.moveToTrash': fails('job-busy', 'A job that has not ended needs the archive'),
  });
  await page.getByRole('option').nth(1).click();
  await more('Move to the trash…');
  await expect.element(dialog.getByText(/newest archive/)).not.toBeInTheDocument();
  await dialog.getByRole('button', { name: 'Move to the trash' }).click();
  await expect
    .element(dialog.getByRole('alert'))
    .toMatchTextContent(/A job that has not ended needs the archive/);
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(detail).toBeVisible();
  expect(page.getByRole('option').elements()).toHaveLength(2);
});

const trashed = (
  change: Partial<CallReply<'archive.trash'>['archives'][number]> = {},
): CallReply<'archive.trash'>['archives'][number] => ({
  path: 'host/group/app/1_export.tar.gz',
  absolutePath: '/backups/.trash/host/group/app/1_export.tar.gz',
  instanceName: 'work',
  fullPath: 'group/app',
  sha256: archive(1).sha256,
  sizeBytes: 1_000_000,
  storedAt: '2026-11-19T08:00:00.000Z',
  trashed: {
    at: ago(2),
    reason: 'Outside the limits that the plan sets for each project: the newest 3',
    until: new Date(Date.now() + 5.5 * day).toISOString(),
  },
  ...change,
});

test('the trash shows why it holds each archive and for how long, and restores one', async () => {
  const entries = [
    trashed(),
    trashed({ path: 'x', absolutePath: '/x', fullPath: 'group/odd', trashed: null }),
  ];
  const bridge = await openArchives(
    {
      'archive.trash': () => ({ archives: entries, bytes: 3_000_000 }),
      'archive.restore': () => {
        entries.shift();
        return { summary: archive(1, { pinned: true }) };
      },
    },
    { trash: '1' },
  );
  const row = page.getByRole('row', { name: /^group\/app/ });
  await expect.element(row).toMatchTextContent(/the newest 3.*5 more days/);
  await expect
    .element(page.getByRole('row', { name: /^group\/odd/ }))
    .toMatchTextContent(/Until the trash is emptied/);
  await expectAccessible();
  await row.getByRole('button', { name: 'Restore' }).click();
  await expect.element(row).not.toBeInTheDocument();
  expect(bridge.asked('archive.restore')).toEqual([
    { trashed: '/backups/.trash/host/group/app/1_export.tar.gz' },
  ]);
  await page.getByRole('button', { name: 'Back to the archives' }).click();
  await expect.element(page.getByRole('grid', { name: 'Projects with archives' })).toBeVisible();
});

test('the trash is emptied after its contents are named, and then states that it is empty', async () => {
  let bytes = 3_000_000;
  const bridge = await openArchives(
    {
      'archive.trash': () => ({ archives: bytes === 0 ? [] : [trashed()], bytes }),
      'host.confirm': {
        confirmation: 'word',
        destroys: [{ what: 'trash', name: '', count: 3_000_000 }],
        deletion: null,
      },
      'archive.emptyTrash': () => {
        bytes = 0;
        return { bytes: 3_000_000 };
      },
    },
    { trash: '1' },
  );
  await page.getByRole('button', { name: 'Empty the trash…' }).click();
  await expect.element(dialog.getByText('Everything in the trash folder (3 MB)')).toBeVisible();
  await dialog.getByRole('button', { name: 'Delete permanently' }).click();
  await expect.element(page.getByText('The trash is empty')).toBeVisible();
  expect(bridge.asked('archive.emptyTrash')).toEqual([{ confirmation: 'word' }]);
  await expectAccessible();
});

test('an archive names the other archives with the same content', async () => {
  const other = archive(2, { id: 'twin', fullPath: 'group/copy' });
  await openArchives({ 'archive.show': { ...described(archive(1)), alike: [other] } });
  await expect.element(detail.getByText('One other archive is identical:')).toBeVisible();
  await expect
    .element(detail.getByRole('link', { name: /^group\/copy/ }))
    .toHaveAttribute('href', '#/archives?archive=twin');
});
