/** @file A migration proves an archive if all contents of the project were compared and nothing is missing. */
import { rmSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { importResultSchema } from '../../../src-contract/runs/job-schema.ts';
import { numbersAgree } from '../../../src-contract/transfers/import.ts';
import { openMigrationScene } from '../../support/migrations/migration-scene.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { archiveFilter } from '../../support/requests.ts';

it('an archive counts as proven if all contents were compared, and no archive does whose project lacks a file, though the counts agree', async () => {
  const scene = await openMigrationScene(temporaryFolder(), { source: { projectCount: 12 } });
  onTestFinished(() => scene.close());
  const [complete = ''] = scene.source.state.paths;
  const incomplete = scene.source.state.paths.find((path) => path.endsWith('/almanac')) ?? '';
  scene.source.faults.add({
    match: { method: 'POST', project: incomplete, path: '/export$' },
    action: { kind: 'drop-files', of: 'uploads', count: 1 },
  });
  const { id } = await scene.migration([complete, incomplete]);
  await scene.start(id);
  await scene.until(id, ({ status }) => status === 'ended');
  const projects = await scene.projects(id);
  expect(new Map(projects.map(({ sourcePath, state }) => [sourcePath, state]))).toEqual(
    new Map([
      [complete, 'arrived'],
      [incomplete, 'differs'],
    ]),
  );
  // The counts of an import job agree for both, which alone reconciles nothing.
  for (const { importJob } of projects) {
    const { state, result } = await scene.client.call('job.show', { job: importJob ?? '' });
    expect(state).toMatchObject({ status: 'succeeded', warnings: [] });
    const { reconciliation } = importResultSchema.parse(result);
    expect(numbersAgree(reconciliation.rows)).toBe(true);
    expect(reconciliation).toMatchObject({ depth: 'numbers', reconciled: false });
  }
  const { archives } = await scene.client.call('archive.list', archiveFilter({ limit: 10 }));
  const levels = new Map(archives.map(({ fullPath, proof }) => [fullPath, proof?.level]));
  expect(levels).toEqual(
    new Map([
      [complete, 'L3'],
      [incomplete, 'L2'],
    ]),
  );

  const proven = archives.find(({ fullPath }) => fullPath === complete)?.absolutePath ?? '';
  await scene.client.call('archive.setPinned', { archive: proven, pinned: true, note: null });
  rmSync(`${proven}.state.json`);
  await scene.client.call('migration.reconcile', { migration: id, project: complete });
  await scene.client.call('archive.rescan', {});
  const shown = await scene.client.call('archive.show', { archive: proven });
  expect(shown).toMatchObject({ summary: { pinned: true, proof: { level: 'L3' } } });
});
