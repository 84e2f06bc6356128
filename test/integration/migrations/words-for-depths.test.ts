/**
 * @file A migration of a project that is compared completely and of one that is compared in part: the command line, the
 * passports and their index say so for each, and no sum says more than its projects.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { passportIndexSchema, passportSchema } from '../../../src-contract/migrations/passport-schema.ts';
import { openMigrationCli } from '../../support/migrations/migration-command-line.ts';

const words = { complete: 'arrived', inPart: 'arrived, contents compared in part' };
const sum = 'arrived, 1 of them with contents compared in part';
const heading = 'Why contents were compared only in part';

it('each project says how far its contents were compared, and why only in part', async () => {
  const { cli, source, tokens } = await openMigrationCli({ projectCount: 12 });
  const [complete, inPart] = ['compass', 'museum'].map(
    (name) => source.state.paths.find((path) => path.endsWith(`/${name}`)) ?? '',
  ) as [string, string];
  source.faults.add({
    match: { method: 'GET', project: inPart, path: '/boards\\?' },
    action: { kind: 'respond', status: 403, body: { message: '403 Forbidden' } },
  });
  const run = (...parts: string[]) => cli.run(['migration', ...parts], tokens);
  await run('create', 'Move', '--from', 'source', '--to', 'target', '--project', complete, inPart);
  await run('check', 'Move');
  /** Returns the state of each project in a table of the command line. */
  const statesIn = (table: string): (string | undefined)[] =>
    [complete, inPart].map((path) => new RegExp(`^${path} .* 1  (\\S.*?) {2,}`, 'm').exec(table)?.[1]);

  const ran = await run('run', 'Move', '--create-groups');
  expect(ran.code).toBe(0);
  expect(statesIn(ran.stdout)).toEqual([words.complete, words.inPart]);
  expect(ran.stderr).toContain(`${inPart}: ${words.inPart}\n`);
  expect(ran.stderr).toContain(`${complete}: ${words.complete}\n`);
  for (const command of ['status', 'show']) expect((await run(command, 'Move')).stdout).toContain(`2 ${sum}`);
  expect((await run('list')).stdout).toContain(`2 ${sum}`);
  expect(statesIn((await run('projects', 'Move', '--state', 'arrived')).stdout)).toEqual([
    words.complete,
    words.inPart,
  ]);
  const reason =
    'could not be counted or listed on the source, so losses in the export are not known: boards.';
  for (const command of ['show', 'reconcile']) {
    const { stdout } = await run(command, 'Move', inPart);
    expect(stdout).toContain('\nArrived, contents compared in part: ');
    expect(stdout.split(reason), command).toHaveLength(2);
    expect(stdout.indexOf(reason)).toBeGreaterThan(stdout.indexOf(`${heading}:\n  `));
    const all = (await run(command, 'Move', complete)).stdout;
    expect(all).toContain('\nArrived: ');
    expect(all).not.toContain('in part');
  }

  const folder = join(cli.folder, 'passports');
  const { document } = await cli.json(['migration', 'report', 'Move', '--to', folder], tokens);
  const saved = document as { folder: string };
  const read = (name: string): string => readFileSync(join(saved.folder, name), 'utf8');
  const index = passportIndexSchema.parse(JSON.parse(read('index.json')));
  expect(index.migration).toMatchObject({ projects: { arrived: 2 }, comparedInPart: 1 });
  expect(index.projects.map(({ sourcePath, depth, outcome }) => [sourcePath, depth, outcome])).toEqual([
    [complete, 'contents', words.complete],
    [inPart, 'fields', words.inPart],
  ]);
  const page = read('index.html');
  expect(page).toMatch(new RegExp(`<div class="verdict good">\\s*Every project ${sum}\\s*<p>`));
  const tags = [...page.matchAll(/<span class="tag good"\s*>([^<]*)<\/span\s*>/g)].map(([, word]) => word);
  expect(tags).toEqual([words.complete, words.inPart]);
  expect(read('index.csv')).toMatch(
    new RegExp(`,${complete},${words.complete},1,.*\r\n.*,"${words.inPart}",1,`),
  );
  const [completePassport, partPassport] = index.projects.map(({ html, json }) => ({
    page: read(html),
    passport: passportSchema.parse(JSON.parse(read(json))),
  }));
  expect(completePassport?.passport.reconciliation?.gaps).toBeUndefined();
  expect(completePassport?.page).not.toContain('in part');
  expect(completePassport?.page).toContain('Contents were compared, as far as GitLab’s API shows them.');
  expect(partPassport?.passport.reconciliation?.gaps?.join()).toContain(reason);
  expect(partPassport?.page).toContain(`<h3>${heading}</h3>`);
  expect(partPassport?.page.split(reason)).toHaveLength(2);
}, 60_000);
