/** @file Losses without a listed failure of GitLab, accepted on the command line, and their record in the catalogue and passports. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { createDataPaths } from '../../../src-main/platform/paths.ts';
import { passportIndexSchema, passportSchema } from '../../../src-contract/migrations/passport-schema.ts';
import { Cli } from '../../support/processes/cli.ts';
import { openMigrationScene, storedReconciliations } from '../../support/migrations/migration-scene.ts';

const matching = (pattern: RegExp): string => expect.stringMatching(pattern) as string;

test('losses without a listed failure are accepted with a note, reported as accepted, and reopened', async () => {
  const cli = new Cli();
  const scene = await openMigrationScene(cli.folder, { source: { projectCount: 1 } });
  onTestFinished(() => Promise.all([scene.source.close(), scene.target.close()]).then(() => undefined));
  const [project = ''] = scene.source.state.paths;
  const match = { method: 'POST', path: '/projects/import$', project };
  scene.target.faults.add({ match, action: { kind: 'drop-notes', relation: 'issues', count: 1 } });
  scene.target.faults.add({ match, action: { kind: 'drop-records', relation: 'labels', count: 1 } });
  const { id } = await scene.migration([project]);
  await scene.start(id);
  await scene.until(id, ({ status }) => status === 'ended');
  const attention = async () =>
    (await scene.client.call('overview.show', {})).attention.filter(({ kind }) => kind === 'job-warnings');
  expect(await attention()).toMatchObject([{ jobKind: 'import' }]);

  const env = {
    PACKHORSE_TOKEN_SOURCE: scene.source.tokens.administrator,
    PACKHORSE_TOKEN_TARGET: scene.target.tokens.administrator,
  };
  const migration = (...args: string[]) => cli.run(['migration', ...args], { env });
  const compared = await migration('reconcile', 'Move', project);
  expect(compared.code).toBe(3);
  const refs = [...compared.stdout.matchAll(/^ {2}(\d+-[0-9a-f]{10}) {2}(labels|issues)/gm)].map(
    ([, ref = '']) => ref,
  );
  expect(refs).toHaveLength(2);
  expect(compared.stdout).toMatch(
    /issues line \d+: #\d+ .*, notes: \d+ of \d+; missing: "[^"]+" \(lost on import\)/,
  );
  const kinds = async (...conditions: string[]) => {
    const { stdout } = await migration('show', 'Move', project, ...conditions, '--json');
    return (JSON.parse(stdout) as { differences: { kind: string }[] }).differences.map(({ kind }) => kind);
  };
  expect(await kinds()).toHaveLength(2);
  expect(await kinds('--kind', 'record', '--side', 'on-import')).toEqual(['record']);
  expect(await kinds('--side', 'on-export')).toEqual([]);
  expect(await kinds('--grave')).toEqual([]);
  const parts = await migration('reconcile', 'Move', project, '--kind', 'part', '--relation', 'issues');
  expect([parts.code, parts.stdout]).toEqual([
    3,
    matching(/Missing or changed, 1 of 2 differences:\n\nIssues \(1\)\n {2}\d+-[0-9a-f]{10} {2}issues/),
  ]);

  const catalogue = new Database(createDataPaths(scene.dataDir).catalogue, { readonly: true });
  onTestFinished(() => {
    catalogue.close();
  });
  const stored = () =>
    catalogue
      .prepare('SELECT difference, missing, note FROM migration_acceptances ORDER BY difference')
      .all() as { difference: string; missing: number; note: string }[];
  const projectStates = async () =>
    (await scene.projects(id)).map(({ state, accepted }) => [state, accepted]);

  const note = '=Agreed with the team';
  const [first = '', second = ''] = refs;
  expect(await migration('accept', first, '9-0123456789', '--note', note)).toMatchObject({
    code: 2,
    stderr: matching(/no difference 9-0123456789/),
  });
  expect([stored(), await projectStates()]).toEqual([[], [['differs', 0]]]);
  await scene.client.call('failure.settle', { failures: [first], state: 'accepted', note });
  expect(await projectStates()).toEqual([['differs', 1]]);
  expect(await attention()).toHaveLength(1);
  expect(await migration('accept', ...refs, '--note', note)).toMatchObject({ stdout: '1 loss accepted.\n' });
  expect(await projectStates()).toEqual([['arrived', 2]]);
  expect(stored()).toEqual([
    { difference: matching(/^\["issues","on-import","notes",\d+,null\]$/), missing: 1, note },
    { difference: matching(/^\["labels","on-import",null,null,".+"\]$/), missing: 1, note },
  ]);
  expect(await attention()).toEqual([]);
  expect((await migration('show', 'Move')).stdout).toContain('\nProjects: 1 arrived; 2 losses accepted\n');
  const again = await migration('reconcile', 'Move', project);
  expect(again.code).toBe(0);
  expect(again.stdout).toMatch(
    /accepted: =Agreed with the team[^]*Arrived, with losses that were accepted\./,
  );

  const report = await migration('report', 'Move', '--to', join(cli.folder, 'evidence'), '--json');
  const { folder } = JSON.parse(report.stdout) as { folder: string };
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const [row] = passportIndexSchema.parse(JSON.parse(read('index.json'))).projects;
  const passport = passportSchema.parse(JSON.parse(read(row?.json ?? '')));
  expect(passport).toMatchObject({ state: 'arrived', reconciliation: { reconciled: false } });
  const at = matching(/^\d{4}-.*Z$/);
  const accepted = { lost: 'on-import', accepted: 1, missing: 1, note, at, failure: null };
  expect(passport.accepted).toMatchObject([
    { ...accepted, relation: 'issues', what: matching(/, notes: \d+ of \d+; missing: "[^"]+"$/) },
    { ...accepted, relation: 'labels' },
  ]);
  expect(row?.accepted).toEqual(passport.accepted);
  for (const page of [read(row?.html ?? ''), read('index.html')]) {
    expect(page).toContain('arrived, with losses that were accepted');
  }
  expect(read(row?.html ?? '')).toMatch(/Accepted losses \(2\)[^]*=Agreed with the team[^]*none was listed/);
  expect(read('index.csv')).toMatch(
    /,2,"?issues line \d+: .*\(=Agreed with the team, \d{4}-[^"]*; labels line/,
  );

  expect(await migration('reopen', second)).toMatchObject({ stdout: '1 loss open.\n' });
  expect(stored()).toHaveLength(1);
  expect(await projectStates()).toEqual([['differs', 1]]);
  expect(await attention()).toHaveLength(1);
  await scene.app.close();
});

test('an override that the target of a migration ignores is named, and the comparison exits with 3', async () => {
  const cli = new Cli();
  const scene = await openMigrationScene(cli.folder, { source: { projectCount: 1 } });
  onTestFinished(() => Promise.all([scene.source.close(), scene.target.close()]).then(() => undefined));
  const [project = ''] = scene.source.state.paths;
  // The tier of the target has no such setting.
  const ignored = 'only_allow_merge_if_all_status_checks_passed';
  const { id } = await scene.migration([project], { overrideParams: { [ignored]: 'true' } });
  await scene.start(id);
  await scene.until(id, ({ status }) => status === 'ended');
  expect(storedReconciliations(scene.dataDir).get(project)).toMatchObject({
    ...{ reconciled: false, missing: [] },
    settings: [{ attribute: ignored, expected: 'true', found: '', lost: 'on-import' }],
  });
  await scene.assertVerified();
  const env = {
    PACKHORSE_TOKEN_SOURCE: scene.source.tokens.administrator,
    PACKHORSE_TOKEN_TARGET: scene.target.tokens.administrator,
  };
  const compared = await cli.run(['migration', 'reconcile', 'Move', project], { env });
  expect(compared, compared.stderr).toMatchObject({ code: 3 });
  expect(compared.stdout).toContain(ignored);
});
