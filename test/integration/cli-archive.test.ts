/** @file `archive …`: files of unknown origin without a data folder, and stored archives. */
import { existsSync, globSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { exportMembers, exportWith, member } from '../support/archive-builder.ts';
import { Cli, tokenOf } from '../support/cli.ts';
import { openTestSandbox } from '../support/world.ts';

test('any export archive is inspected without a catalogue, and no data folder is made for it', async () => {
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
  await cli.fails(absent, { code: 'record-missing', exit: 1, todo: /count from zero/ });
  expect(existsSync(cli.dataDir)).toBe(false);
  expect(readdirSync(cli.home)).toEqual([]);
});

test('the exit code of inspecting says the verdict, and each finding says its place', async () => {
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

test('a stored archive is found by path and by hash, proven, and called damaged when it is', async () => {
  const cli = new Cli();
  const sandbox = await openTestSandbox({ projects: 1 });
  await cli.add('gl', sandbox);
  const as = tokenOf('gl', sandbox.tokens.maintainer);
  await cli.run(['backup', '--instance', 'gl', 'atlas/compass'], as);

  // From here on the network is not needed, and no token either.
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
    document: { sha256: stored.sha256, relations: { issues: 24 } },
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
  await cli.fails(importing, { code: 'archive-damaged', exit: 1, todo: /fresh backup/ }, as);

  // A file with a manifest of its own elsewhere is not a stored one.
  const copy = join(cli.folder, basename(stored.path));
  writeFileSync(copy, exportWith());
  await cli.fails(['archive', 'show', copy], { code: 'archive-missing', exit: 1, todo: /archive list/ });
  expect(globSync('archives/**/*.part', { cwd: cli.dataDir })).toEqual([]);
});
