/** @file `archive prune`, `pin` and `trash`: the printed text, the exit codes, and the documents of `--json`. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openArchiveStore } from '../../../src-main/archive/store.ts';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { SettingsStore } from '../../../src-main/platform/settings.ts';
import { exportWith } from '../../support/archives/archive-builder.ts';
import { manifestFields, receiveArchive } from '../../support/archives/archive-root.ts';
import { Cli } from '../../support/processes/cli.ts';
import { instanceOf } from '../../support/jobs/plan-harness.ts';
import { storedPlan } from '../../support/jobs/plan-draft.ts';
import { SteppedClock } from '../../support/clocks/stepped-clock.ts';

const instanceUrl = 'https://gitlab.example';

/** Creates a data folder with a plan that keeps one archive of each project, and two archives of one project. */
async function filled(): Promise<Cli> {
  const cli = new Cli();
  for (const date of [18, 19]) {
    const at = Date.UTC(2026, 10, date, 2, 30);
    const archives = openArchiveStore({ root: join(cli.dataDir, 'archives'), clock: new SteppedClock(at) });
    const pending = await receiveArchive(archives, exportWith(), {
      instanceUrl,
      fullPath: 'group/app',
      projectId: 12,
      receivedAt: at,
    });
    await pending.commit({
      ...manifestFields,
      instance: { name: 'work', url: instanceUrl, username: 'ada' },
    });
    const proof = { level: 'L2', at: new Date(at).toISOString(), detail: null } as const;
    await archives.updateState(pending.path, (state) => ({ ...state, proofs: [proof] }));
  }
  const settings = new SettingsStore(join(cli.dataDir, 'settings.json'), systemClock);
  await settings.change((before) => ({
    ...before,
    instances: [instanceOf('work')],
    plans: [storedPlan({ name: 'Nightly', keepLast: 1 })],
  }));
  expect((await cli.json(['archive', 'rescan'])).code).toBe(0);
  return cli;
}

test('an archive that a plan would remove is listed with the reason, is removed after a confirmation, and is restored', async () => {
  const cli = await filled();
  const listed = await cli.run(['archive', 'prune', '--plan', 'nightly', '--dry-run']);
  expect(listed.code).toBe(0);
  expect(listed.stdout).toMatch(/^group\/app\n +STORED.*PROOF.*WHY/);
  expect(listed.stdout).toMatch(/2026-11-19 .* kept +one of the newest/);
  expect(listed.stdout).toMatch(/2026-11-18 .* removed +no limit keeps it/);
  expect(listed.stdout).toMatch(/1 of 2 archives \(.*\) would be moved to the trash folder\.\n$/);

  await cli.fails(['archive', 'prune', '--plan', 'nightly'], {
    code: 'invalid-input',
    exit: 2,
    todo: /nothing was changed/,
  });
  const pruned = await cli.json(['archive', 'prune', '--plan', 'nightly', '--yes']);
  expect(pruned).toMatchObject({ code: 0, document: { removedCount: 1, movedCount: 1, failed: [] } });

  const trash = await cli.json(['archive', 'trash', 'list']);
  const { archives } = trash.document as { archives: { path: string; sha256: string }[] };
  expect(archives).toHaveLength(1);
  const restored = await cli.run(['archive', 'trash', 'restore', archives[0]?.sha256.slice(0, 12) ?? '']);
  expect(restored.stdout).toMatch(/ is restored, and pinned so that no plan removes it again/);

  const again = await cli.run(['archive', 'prune', '--plan', 'Nightly', '--yes']);
  expect([again.code, again.stdout]).toEqual([0, 'Nothing was moved.\n']);
});

test('an archive is pinned with a note and unpinned, and the trash is emptied after a confirmation', async () => {
  const cli = await filled();
  const { document } = await cli.json(['archive', 'list']);
  const [newest, oldest] = (document as { archives: { path: string }[] }).archives.map(({ path }) => path);
  expect(newest).toContain('20261119');
  const pinned = await cli.json(['archive', 'pin', oldest ?? '', '--note', 'for the audit']);
  expect(pinned).toMatchObject({ code: 0, document: { state: { pinned: true, note: 'for the audit' } } });
  expect((await cli.run(['archive', 'show', oldest ?? ''])).stdout).toMatch(/pinned +yes: for the audit/);
  expect((await cli.json(['archive', 'unpin', oldest ?? ''])).document).toMatchObject({
    state: { pinned: false },
  });
  const pinnedNow = newest ?? '';
  await cli.run(['archive', 'pin', pinnedNow]);
  await cli.fails(['archive', 'trash', 'add', pinnedNow], {
    code: 'invalid-input',
    exit: 2,
    todo: /nothing was changed/,
  });
  await cli.run(['archive', 'unpin', pinnedNow]);
  const added = await cli.run(['archive', 'trash', 'add', pinnedNow]);
  expect(added.stdout).toMatch(/ was moved to the trash folder; until 20\d\d-\d\d-\d\d .* restores it\.$/m);
  expect((await cli.json(['archive', 'trash', 'list'])).document).toMatchObject({
    archives: [{ path: newest, trashed: { reason: 'Moved here by hand' } }],
  });
  await cli.fails(['archive', 'trash', 'empty'], {
    code: 'invalid-input',
    exit: 2,
    todo: /nothing was changed/,
  });
  const emptied = await cli.run(['archive', 'trash', 'empty', '--yes']);
  expect([emptied.code, emptied.stderr]).toEqual([
    0,
    expect.stringMatching(/everything in the trash folder/),
  ]);
  expect((await cli.run(['archive', 'trash', 'list'])).stdout).toBe('The trash folder is empty.\n');
});
