/** @file Failures of records that arrived nevertheless: the comparison resolves those that GitLab listed, and no others. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { passportIndexSchema, passportSchema } from '../../../src-contract/migrations/passport-schema.ts';
import { archiveFilter } from '../../support/requests.ts';
import { readCsv } from '../../../src-main/services/migrations/placement/csv.ts';
import { exportArchive, lines } from '../../support/archives/export-archive.ts';
import { openMigrationScene, storedReconciliations } from '../../support/migrations/migration-scene.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const project = 'archives/wagon';

const issueOf = (iid: number) => ({
  ...{ iid, title: `Issue ${iid}`, state: 'opened', issue_type: 'issue', author_id: 1, notes: [] },
  ...{ created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-02T00:00:00.000Z' },
});

/** Migrates a project of complete issues, whose import lists a failure for these lines, and writes its passports. */
async function migrated(issueCount: number, failedLines: readonly number[]) {
  const folder = temporaryFolder();
  const file = join(folder, 'wagon.tar.gz');
  const issues = Array.from({ length: issueCount }, (_, line) => issueOf(line + 1));
  writeFileSync(file, await exportArchive({ 'tree/project/issues.ndjson': lines(...issues) }));
  const scene = await openMigrationScene(folder, { source: { seedArchives: [file] } });
  onTestFinished(() => scene.close());
  scene.target.faults.add({
    match: { method: 'POST', path: '/projects/import$' },
    action: { kind: 'list-failures', relation: 'issues', lines: [...failedLines] },
  });
  const { id } = await scene.migration([project]);
  await scene.start(id);
  await scene.until(id, ({ status }) => status === 'ended');
  const [migrating] = await scene.projects(id);
  const reconciliation = storedReconciliations(scene.dataDir).get(project);
  const { archives } = await scene.client.call('archive.list', archiveFilter());
  const proofs = archives.map(({ proof }) => proof?.level);
  const saved = await scene.client.call('migration.passport', {
    ...{ migration: id, project: null, to: temporaryFolder() },
  });
  const read = (name: string): string => readFileSync(join(saved.folder, name), 'utf8');
  const index = passportIndexSchema.parse(JSON.parse(read('index.json')));
  const [row] = index.projects;
  if (row === undefined) throw new Error('The index has no project.');
  const passport = passportSchema.parse(JSON.parse(read(row.json)));
  const header =
    read('index.csv')
      .replace(/^\uFEFF/, '')
      .split('\r\n')[0]
      ?.split(',') ?? [];
  const csv = readCsv(read('index.csv'), header)[0]?.cells;
  return {
    proofs,
    migrating,
    reconciliation,
    row,
    passport,
    page: read(row.html),
    indexPage: read('index.html'),
    csv,
  };
}

/** Returns the tone and the text of the verdict of a page. */
function verdictOf(page: string): { tone: string | undefined; text: string } {
  const [, tone, text = ''] = /<div class="verdict (\w+)">([\s\S]*?)<\/div>/.exec(page) ?? [];
  return { tone, text: text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ') };
}

it('a project whose only failure was resolved by its first comparison arrived without an accepted loss', async () => {
  const { proofs, migrating, reconciliation, passport, page, indexPage, csv } = await migrated(2, [1]);
  expect(migrating).toMatchObject({ state: 'arrived', accepted: 0, failures: { open: 0, total: 1 } });
  expect(reconciliation?.reconciled).toBe(true);
  expect(proofs).toEqual(['L3']);
  expect(passport).toMatchObject({ accepted: [], outcome: 'arrived' });
  expect(verdictOf(page).text).not.toContain('accepted each loss');
  expect(verdictOf(indexPage)).toMatchObject({ tone: 'good' });
  expect(csv).toMatchObject({
    state: 'arrived',
    reconciled: 'yes',
    accepted: '0',
  });
});

it('a project with possibly unlisted failures has not all contents compared, and no passport calls it good', async () => {
  const all = Array.from({ length: 150 }, (_, line) => line);
  const { proofs, migrating, reconciliation, row, passport, page, indexPage, csv } = await migrated(150, all);
  expect(migrating?.failures).toEqual({ open: 0, total: 100, hasUnlisted: true });
  const sentence = expect.stringMatching(/^GitLab lists at most 100 failures .* not known/) as string;
  expect(reconciliation).toMatchObject({
    depth: 'fields',
    gaps: expect.arrayContaining([sentence]) as unknown,
  });
  expect(reconciliation?.declared).toContainEqual(sentence);
  expect(proofs).toEqual(['L2']);
  expect([row.hasUnlistedFailures, row.unlistedFailureCount]).toEqual([true, null]);
  expect(passport.failures).toMatchObject({ hasUnlisted: true, unlistedCount: null });
  expect(verdictOf(page)).toMatchObject({
    tone: 'warn',
    text: expect.stringContaining('at most 100') as string,
  });
  expect(page.split('GitLab lists at most 100 failures')).toHaveLength(2);
  expect(verdictOf(indexPage)).toMatchObject({
    ...{ tone: 'warn', text: expect.stringContaining('may not have listed all failures') as string },
  });
  expect(csv).toMatchObject({ failures: '100', failures_unlisted: 'unknown' });
});
