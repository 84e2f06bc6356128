/** @file `archive …`: files of unknown origin without a data folder, and stored archives. */
import { createHash } from 'node:crypto';
import { globSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { exportMembers, exportWith, member } from '../../support/archives/archive-builder.ts';
import { manifestFields, identity, receiveArchive } from '../../support/archives/archive-root.ts';
import { Cli, tokenOption } from '../../support/processes/cli.ts';
import { SteppedClock } from '../../support/clocks/stepped-clock.ts';
import { openTestSandbox } from '../../support/world.ts';
import { openArchiveStore } from '../../../src-main/archive/store.ts';
import type { Finding } from '../../../src-contract/archives/archive.ts';

test('any export archive is inspected without a catalogue, and no data folder is created for it', async () => {
  const cli = new Cli();
  writeFileSync(join(cli.folder, 'any.tar.gz'), exportWith());
  const { code, document } = await cli.json(['archive', 'inspect', 'any.tar.gz']);
  expect(code).toBe(0);
  expect(document).toMatchObject({
    layout: 'ndjson',
    version: '0.2.4',
    gitlabVersion: '17.11.0',
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    sizeBytes: exportWith().length,
    unpackedBytes: expect.any(Number) as number,
    relations: { issues: 2, labels: 0, project_feature: 1, auto_devops: 0 },
    members: exportMembers().size,
    findings: [],
  });
  const record = await cli.json(['archive', 'record', 'any.tar.gz', 'issues', '1']);
  expect(record).toMatchObject({
    code: 0,
    document: { relation: 'issues', line: 1, value: { title: 'Two' } },
  });
  const absent = ['archive', 'record', 'any.tar.gz', 'issues', '9'];
  await cli.fails(absent, { code: 'record-missing', exit: 2, todo: /count from zero/ });
  const bananas = ['archive', 'record', 'any.tar.gz', 'bananas', '1'];
  const { what } = await cli.fails(bananas, { code: 'record-missing', exit: 2, todo: /relation/ });
  expect(what).toMatch(/has no relation "bananas"\. Its relations are .*issues.*project_feature/);
  expect(readdirSync(cli.dataDir)).toEqual([]);
  expect(readdirSync(cli.home)).toEqual([]);
});

test('the exit code of an inspection reflects the verdict, and each finding has its place', async () => {
  const cli = new Cli();
  const link = member({ name: './uploads/passwords', type: '2', linkName: '/etc/passwd' });
  writeFileSync(join(cli.folder, 'odd.tar.gz'), exportWith({ './uploads/passwords': link }));
  writeFileSync(join(cli.folder, 'cut.tar.gz'), exportWith().subarray(0, 400));
  const odd = await cli.json(['archive', 'inspect', 'odd.tar.gz']);
  expect(odd).toMatchObject({ code: 3, document: { verdict: 'suspicious' } });
  const { findings } = odd.document as { findings: Record<string, unknown>[] };
  expect(Object.keys(findings[0] ?? {}).sort()).toEqual(['code', 'message', 'severity', 'where']);
  expect(await cli.json(['archive', 'inspect', 'cut.tar.gz'])).toMatchObject({
    code: 1,
    document: { verdict: 'unusable' },
  });
});

test('a stored archive is found by path and by hash, verified, and reported as damaged once it is damaged', async () => {
  const cli = new Cli();
  const sandbox = await openTestSandbox({ projectCount: 1 });
  await cli.add('gl', sandbox);
  const as = tokenOption('gl', sandbox.tokens.maintainer);
  await cli.run(['backup', '--instance', 'gl', 'atlas/compass'], as);

  // From here on, neither the network nor a token is needed.
  await sandbox.close();
  const listed = (await cli.json(['archive', 'list'])).document as {
    archives: { sha256: string; path: string; absolutePath: string }[];
  };
  expect(listed).toMatchObject({
    archives: [{ fullPath: 'atlas/compass', proof: { level: 'L2' }, damaged: null }],
  });
  const [stored] = listed.archives;
  if (stored === undefined) throw new Error('Nothing is stored.');
  const prefix = stored.sha256.slice(0, 8);
  const references = [stored.absolutePath, stored.path, prefix.toUpperCase()];
  for (const shown of await Promise.all(references.map((name) => cli.json(['archive', 'show', name])))) {
    expect(shown).toMatchObject({ code: 0, document: { manifest: { sha256: stored.sha256 } } });
  }
  expect(await cli.json(['archive', 'inspect', prefix])).toMatchObject({
    code: 0,
    document: { sha256: stored.sha256, relations: { issues: 6 } },
  });
  expect((await cli.json(['archive', 'verify', prefix, '--level', 'L1'])).code).toBe(0);

  truncateSync(stored.absolutePath, 5000);
  const damaged = await cli.run(['archive', 'verify', prefix]);
  expect(damaged.code).toBe(1);
  expect(damaged.stdout).toMatch(/^DAMAGED: /);
  expect((await cli.json(['archive', 'list'])).document).toMatchObject({
    archives: [{ damaged: { reason: expect.any(String) as string } }],
  });
  const importing = ['import', 'file', prefix, '--instance', 'gl'];
  await cli.fails(importing, { code: 'archive-damaged', exit: 1, todo: /new backup/ }, as);

  // A file outside of the store is not a stored archive.
  const copy = join(cli.folder, basename(stored.path));
  writeFileSync(copy, exportWith());
  await cli.fails(['archive', 'show', copy], { code: 'archive-missing', exit: 2, todo: /archive list/ });
  expect(globSync('archives/**/*.part', { cwd: cli.dataDir })).toEqual([]);
});

/** Stores an archive of the project `group/app` of the instance `work` in the data folder. */
async function keepIn(cli: Cli, findings: Finding[] = []): Promise<void> {
  const store = openArchiveStore({ root: join(cli.dataDir, 'archives'), clock: new SteppedClock() });
  const pending = await receiveArchive(store, exportWith(), identity);
  await pending.commit({ ...manifestFields, findings });
  await cli.run(['archive', 'rescan']);
}

const incomplete: Finding = {
  code: 'export-incomplete',
  severity: 'error',
  message: 'The source had 3 issues, the archive holds 2',
  where: 'issues',
};

test('an archive that is known to lack records is reported as incomplete, and never as sound once it is damaged', async () => {
  const cli = new Cli();
  await keepIn(cli, [incomplete]);
  const [path = ''] = globSync('archives/**/*_export.tar.gz', { cwd: cli.dataDir });
  const file = join(cli.dataDir, path);
  const [inspected, verified, hashed, shown, listed] = await Promise.all([
    cli.run(['archive', 'inspect', file]),
    cli.run(['archive', 'verify', file]),
    cli.run(['archive', 'verify', file, '--level', 'L1']),
    cli.run(['archive', 'show', file]),
    cli.run(['archive', 'list']),
  ]);
  expect([inspected, verified, hashed, shown, listed].map(({ code }) => code)).toEqual([3, 3, 3, 0, 0]);
  for (const { stdout } of [inspected, verified, hashed, shown]) {
    expect(stdout.match(/export-incomplete {2}The source had 3 issues/g)).toHaveLength(1);
    expect(stdout).not.toContain('No findings');
  }
  for (const { stdout } of [inspected, shown, listed]) {
    expect(stdout).toContain('incomplete, 1 finding');
    expect(stdout).not.toContain('sound');
  }

  const bytes = readFileSync(file);
  const before = createHash('sha256').update(bytes).digest('hex');
  // The checksum does not cover the time in the gzip header.
  bytes.writeUInt32LE(1_234_567, 4);
  writeFileSync(file, bytes);
  const changed = await cli.run(['archive', 'inspect', file]);
  expect(changed.code).toBe(3);
  expect(changed.stdout).toContain('suspicious, 1 finding');
  for (const sha256 of [before, createHash('sha256').update(bytes).digest('hex')]) {
    expect(changed.stdout).toMatch(new RegExp(`content-changed .*${sha256}`));
  }
  expect((await cli.run(['archive', 'verify', file])).code).toBe(1);
  const damaged = await Promise.all([cli.run(['archive', 'list']), cli.run(['archive', 'show', file])]);
  expect(damaged.map(({ code }) => code)).toEqual([0, 1]);
  for (const { stdout } of damaged) {
    expect(stdout).not.toContain('sound');
    expect(stdout).toContain('damaged');
  }
});

test('a filter that matches nothing is named in the output, and an instance that was never known is an error', async () => {
  const cli = new Cli();
  const list = (...more: string[]): string[] => ['archive', 'list', ...more];
  await keepIn(cli);
  await cli.add('idle', { url: 'http://127.0.0.1:9' });
  // `work` is no longer registered, but its archives are still stored.
  const [kept, project, idle, both] = await Promise.all([
    cli.run(list('--instance', 'work')),
    cli.run(list('--project', 'nope')),
    cli.run(list('--instance', 'idle')),
    cli.run(list('--instance', 'work', '--project', '77')),
  ]);
  expect(kept.stdout).toContain('group/app');
  expect(project.stdout).toBe('No archive of the project "nope" is stored.\n');
  expect(idle.stdout).toBe('No archive of the instance "idle" is stored.\n');
  expect(both.stdout).toBe('No archive of the project "77" of the instance "work" is stored.\n');
  expect([kept, project, idle, both].map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  const { what } = await cli.fails(list('--instance', 'nope', '--project', 'group/app'), {
    code: 'instance-unknown',
    exit: 2,
    todo: /instance list/,
  });
  expect(what).toContain('"nope"');
});

test('a folder is not reported as a file', async () => {
  const cli = new Cli();
  const missing = { code: 'archive-missing', exit: 2, todo: /archive list/ };
  const empty = { code: 'invalid-input', exit: 2, todo: /nothing was changed/ };
  await cli.fails(['archive', 'inspect', ''], empty);
  const { what } = await cli.fails(['archive', 'show', '.'], missing);
  expect(what).not.toMatch(/is a file/);
});
