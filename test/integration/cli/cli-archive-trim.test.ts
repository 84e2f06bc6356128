import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exportWith } from '../../support/archives/archive-builder.ts';
import { Cli } from '../../support/processes/cli.ts';

test('chosen records become a separate archive, with a file that gives the original line of each record', async () => {
  const cli = new Cli();
  writeFileSync(join(cli.folder, 'any.tar.gz'), exportWith());
  const trim = [
    'archive',
    'trim',
    'any.tar.gz',
    '--relation',
    'issues',
    '--lines',
    '1',
    '--to',
    'one.tar.gz',
  ];
  const { code, document } = await cli.json(trim);
  expect(code).toBe(0);
  expect(document).toMatchObject({ relations: [{ relation: 'issues', records: 1 }] });
  expect(JSON.parse(readFileSync(join(cli.folder, 'one.tar.gz.lines.json'), 'utf8'))).toMatchObject({
    relations: { issues: [1] },
  });
  // The records may belong to projects that not every user may read.
  for (const file of ['one.tar.gz', 'one.tar.gz.lines.json']) {
    expect(statSync(join(cli.folder, file)).mode & 0o777).toBe(0o600);
  }
  const record = await cli.json(['archive', 'record', 'one.tar.gz', 'issues', '0']);
  expect(record).toMatchObject({ code: 0, document: { value: { title: 'Two' } } });
  expect(readdirSync(cli.dataDir)).toEqual([]);

  await cli.fails(trim, { code: 'already-exists', exit: 2, todo: /another name/ });
  const beyond = [
    'archive',
    'trim',
    'any.tar.gz',
    '--relation',
    'issues',
    '--lines',
    '0-2',
    '--to',
    'two.tar.gz',
  ];
  await cli.fails(beyond, { code: 'record-missing', exit: 2, todo: /count from zero/ });
  writeFileSync(join(cli.folder, 'three.tar.gz.lines.json'), 'mine');
  const besideMine = ['archive', 'trim', 'any.tar.gz', '--relation', 'issues', '--to', 'three.tar.gz'];
  await cli.fails(besideMine, { code: 'already-exists', exit: 2, todo: /another name/ });
  expect(existsSync(join(cli.folder, 'two.tar.gz'))).toBe(false);
  expect(existsSync(join(cli.folder, 'three.tar.gz'))).toBe(false);
});
