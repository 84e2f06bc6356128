/** @file `archive lint`, `migration check` and `migration override` as a user types them. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Lint } from '../../../src-contract/archives/lint-schema.ts';
import type { MigratingProject, MigrationCheck } from '../../../src-contract/migrations/migration.ts';
import { exportWith, member } from '../../support/archives/archive-builder.ts';
import { openMigrationCli } from '../../support/migrations/migration-command-line.ts';
import { Cli } from '../../support/processes/cli.ts';

const issues = (...records: object[]): Buffer =>
  member({
    name: './tree/project/issues.ndjson',
    content: records.map((record) => `${JSON.stringify(record)}\n`).join(''),
  });

const found = (document: unknown): string[] =>
  (document as Lint).findings
    .filter(({ severity }) => severity !== 'info')
    .map(({ code, place }) => `${code} ${place ?? ''}`.trim());

test('an archive is linted without a data folder, and each record that GitLab refuses is reported with its line', async () => {
  const cli = new Cli();
  const bad = issues(
    { iid: 1, title: 'One', author_id: 1, state: 'opened' },
    { iid: 2, title: null, author_id: 1, state: 'opened' },
    { iid: 1, title: 'x'.repeat(256), author_id: 1, state: 'opened' },
  );
  writeFileSync(join(cli.folder, 'bad.tar.gz'), exportWith({ './tree/project/issues.ndjson': bad }));
  const { code, document } = await cli.json(['archive', 'lint', 'bad.tar.gz']);
  expect(code).toBe(3);
  expect(found(document)).toEqual(
    expect.arrayContaining(['title-missing issues:1', 'title-too-long issues:2', 'duplicate-iid issues:2']),
  );
  expect(readdirSync(cli.dataDir)).toEqual([]);
});

test('a problem that ends the whole import is a blocker: a link, a line that is not JSON, or a truncated archive', async () => {
  const cli = new Cli();
  const link = member({ name: './uploads/passwords', type: '2', linkName: '/etc/passwd' });
  const malformed = member({ name: './tree/project/issues.ndjson', content: '{"iid":1\n' });
  const archives = {
    'link uploads/passwords': exportWith({ './uploads/passwords': link }),
    'record-malformed issues:0': exportWith({ './tree/project/issues.ndjson': malformed }),
    'gzip-cut': exportWith().subarray(0, 400),
  };
  for (const [wanted, bytes] of Object.entries(archives)) {
    writeFileSync(join(cli.folder, 'odd.tar.gz'), bytes);
    const { code, document } = await cli.json(['archive', 'lint', 'odd.tar.gz']);
    expect({ wanted, code }).toEqual({ wanted, code: 1 });
    const blockers = (document as Lint).findings.filter(({ severity }) => severity === 'blocker');
    expect(blockers.map((finding) => `${finding.code} ${finding.place ?? ''}`.trim()).join('\n')).toContain(
      wanted.split(' ')[0],
    );
  }
});

test('the check of a migration exits with 1 while a blocker exists, until a user overrides the blocker with a note', async () => {
  const { cli, source, tokens } = await openMigrationCli({ projectCount: 1, targetProjectCount: 1 });
  const [project = ''] = source.state.paths;
  await cli.json(
    ['migration', 'create', 'Move', '--from', 'source', '--to', 'target', '--project', project],
    tokens,
  );
  const blocked = await cli.json(['migration', 'check', 'Move'], tokens);
  const taken = `target-taken:${project}`;
  expect(blocked.code).toBe(1);
  expect((blocked.document as MigrationCheck).findings.map(({ id }) => id)).toContain(taken);
  const refused = await cli.json(['migration', 'run', 'Move'], tokens);
  expect(refused.code).toBe(1);
  const override = ['migration', 'override', 'Move', taken, '--note', 'It is moved away by then.'];
  expect((await cli.run(override, tokens)).stdout).toMatch(/GitLab still refuses the import/);
  expect((await cli.run(['migration', 'show', 'Move'], tokens)).stdout).toMatch(
    /Nothing else blocks it: 1 blocker was overridden\./,
  );
  const overridden = await cli.run(['migration', 'check', 'Move', '--writes'], tokens);
  expect(overridden.code).not.toBe(1);
  expect(overridden.stdout).toContain('It is moved away by then.');
  expect(overridden.stdout).toContain('POST /projects/import');
});

test('a project that answers 500 is named, and stops neither the check nor the run of the others', async () => {
  const { cli, source, tokens } = await openMigrationCli({ projectCount: 3 });
  const create = ['migration', 'create', 'Move', '--from', 'source', '--to', 'target'];
  const broken = 'atlas/compass';
  source.faults.add({ match: { project: broken }, action: { kind: 'respond', status: 500 } });
  const unnamed = await cli.run([...create, '--project', broken], tokens);
  expect(unnamed.stderr).toContain(`The instance failed with HTTP 500 for ${broken}.`);
  await cli.run([...create, '--all'], tokens);
  const check = await cli.run(['migration', 'check', 'Move'], tokens);
  expect(check.code).toBe(3);
  expect(check.stdout).toContain(`blocker  source-unreadable:${broken}\n`);
  expect(check.stdout).toContain(`The source cannot show ${broken}: The instance failed with HTTP 500.`);
  expect(check.stdout).toContain('Nothing prevents the migration; 1 project will not move until GitLab');
  const run = await cli.json(['migration', 'run', 'Move', '--create-groups'], tokens);
  expect(run.code).toBe(3);
  const { projects } = run.document as { projects: MigratingProject[] };
  expect(projects.map(({ sourcePath, state, error }) => [sourcePath, state, error?.code ?? null])).toEqual([
    [broken, 'failed', 'server-error'],
    ['atlas/tools/ferry', 'arrived', null],
    ['borealis/lighthouse', 'arrived', null],
  ]);
  const status = await cli.run(['migration', 'status', 'Move'], tokens);
  expect(status.code).toBe(3);
  expect(status.stdout).toMatch(
    /atlas\/compass .* failed .*The instance failed with HTTP 500 for atlas\/compass/,
  );
  source.faults.clear();
  expect((await cli.run(['migration', 'again', 'Move'], tokens)).code).toBe(0);
});

test('a run without an earlier check names the project that it cannot read, and moves the others', async () => {
  const { cli, source, tokens } = await openMigrationCli({ projectCount: 2 });
  await cli.run(['migration', 'create', 'Move', '--from', 'source', '--to', 'target', '--all'], tokens);
  source.faults.add({ match: { project: 'atlas/compass' }, action: { kind: 'respond', status: 500 } });
  const { code, stdout, stderr } = await cli.run(['migration', 'run', 'Move', '--create-groups'], tokens);
  expect(code).toBe(3);
  expect(stderr).toContain('The source cannot show atlas/compass: The instance failed with HTTP 500.');
  expect(stdout).toMatch(/\nProjects: 1 arrived.*; 1 failed\n/);
});

test('the check and the refusal of a migration name the groups that the target lacks, and the option that creates them', async () => {
  const { cli, tokens } = await openMigrationCli({ projectCount: 1 });
  const create = ['migration', 'create', 'Move', '--from', 'source', '--to', 'target', '--all'];
  await cli.run([...create, '--rule', '=moved'], tokens);
  const check = await cli.run(['migration', 'check', 'Move'], tokens);
  expect(check.stdout).toMatch(/Nothing prevents the migration except (a|\d+) missing groups?;/);
  expect(check.stdout).toMatch(/Missing groups: moved[^\n]*--create-groups/);
  const { what } = await cli.fails(
    ['migration', 'run', 'Move'],
    { code: 'migration-blocked', exit: 1, todo: /--create-groups/ },
    tokens,
  );
  expect(what).toContain('The target lacks the group moved,');
});
