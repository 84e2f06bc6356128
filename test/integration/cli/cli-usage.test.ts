/** @file Rules for every command: one document with `--json`, readable help, and wrong usage reported as such. */
import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { attributesFor } from '../../../src-contract/projects/project-attributes.ts';
import { openWorld } from '../../support/world.ts';
import { Cli } from '../../support/processes/cli.ts';

test.each([
  [[], /command is missing/],
  [['nonsense'], /unknown command 'nonsense'/i],
  [['backup'], /--instance/],
  [['backup', '--intance', 'x'], /unknown option '--intance' \(did you mean --instance\?\)/i],
  [['plan', 'add', '--instance', 'x', '--dialy', '02:30'], /unknown option '--dialy' \(.*--daily/i],
  [['plan', 'add', '--instance', 'x'], /required option '--daily/i],
  [['archive', 'list', '--data-dir', ''], /name a folder/i],
  [['archive', 'show', ''], /the reference is empty/i],
  [['import', 'status', '1', '--archive', ' '], /the reference is empty/i],
  [['job', 'cancel', '--run', ''], /the option '--run <run>' is empty: nothing was given/i],
  [['job', 'cancel', ' '], /the argument 'job' is empty/i],
  [['plan', 'show', ''], /the argument 'plan' is empty/i],
  [['migration', 'show', ''], /the argument 'migration' is empty/i],
  [['backup', '--instance', '', '--all'], /the option '--instance <name>' is empty/i],
  [['backup', '--instance', 'x', 'group/app', ''], /the argument 'project' is empty/i],
  [['archive', 'list', '--limit', 'ten'], /whole number from 1/],
  [['archive', 'record', 'x', 'issues', '-1'], /-1/],
  [['job', 'list', '--status', 'lost'], /queued, running/],
  [['instance', 'add', 'a', 'b', '--pace', 'fast'], /gitlab, sandbox/],
  [['instance', 'change', 'a', '--token-file', 'b'], /no option says what to change/i],
  [['plan', 'edit', 'a'], /no option says what to change/i],
  [['migration', 'edit', 'a'], /no option says what to change/i],
  [['settings', 'change'], /no option says what to change/i],
])(
  '%j is wrong usage: it exits with 2, is reported in a document, and creates no file',
  async (args, what) => {
    const cli = new Cli();
    const json = await cli.run([...args, '--json']);
    expect(json).toMatchObject({ code: 2, stderr: '' });
    expect(JSON.parse(json.stdout)).toMatchObject({
      error: { code: 'invalid-input', what: expect.stringMatching(what) as string },
    });
    expect(readdirSync(cli.dataDir)).toEqual([]);
  },
);

test.each([
  [[], /^Usage: packhorse/],
  [['plan', 'add', '--instance', 'x', '--dialy', '02:30'], /'--dialy'[^]*--help for the options/],
  [['archive', 'show', ''], /the reference is empty[^]*--help for the options/i],
  [['plan', 'edit', 'a'], /no option says what to change[^]*--help for the options/],
])(
  '%j is wrong usage: without --json it is reported on stderr, with a hint at the help',
  async (args, what) => {
    const cli = new Cli();
    const plain = await cli.run(args);
    expect(plain).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(what) as string });
    expect(readdirSync(cli.dataDir)).toEqual([]);
  },
);

test('help and version succeed, with and without --json', async () => {
  const cli = new Cli();
  const [help, jsonHelp, version, jsonVersion, sub, plan] = await Promise.all([
    cli.run(['--help']),
    cli.json(['backup', '--help']),
    cli.run(['--version']),
    cli.json(['--version']),
    cli.run(['import', 'file', '--help']),
    cli.run(['plan', 'add', '--help']),
  ]);
  expect(help).toMatchObject({ code: 0, stderr: '' });
  for (const text of ['instance', 'backup', 'PACKHORSE_TOKEN_<NAME>', '130 interrupted']) {
    expect(help.stdout).toContain(text);
  }
  expect(Math.max(...help.stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
  expect(plan.stdout).toMatch(/--keep[^]*without\s+any\s+limit\s+all\s+are\s+kept/);
  expect(sub.stdout).toMatch(/--allow-suspicious[^]*--token-stdin[^]*Global Options:[^]*--json/);
  expect(jsonHelp).toMatchObject({ code: 0, document: { help: expect.stringContaining('--all') as string } });
  expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(jsonVersion).toEqual({ code: 0, document: { version: version.stdout.trim() } });
  expect(readdirSync(cli.dataDir)).toEqual([]);
});

test('the help of a project change names every attribute that --set accepts, including the deprecated ones', async () => {
  for (const [command, use] of [
    ['create', 'create'],
    ['edit', 'edit'],
  ] as const) {
    const { stdout } = await new Cli().run(['project', command, '--help']);
    const missing = attributesFor(use).filter(({ name }) => !new RegExp(`^  ${name}(=|$)`, 'm').test(stdout));
    expect(missing.map(({ name }) => name)).toEqual([]);
  }
});

test('in a new data folder every list is an empty document, and its text shows the next step', async () => {
  const cli = new Cli();
  const documents = {
    'instance list': { instances: [] },
    'archive list': { archives: [], next: null },
    'archive rescan': {
      found: 0,
      added: 0,
      missing: 0,
      missingArchives: [],
      absentFolders: [],
      unreadable: [],
      withoutManifest: [],
    },
    'job list': { jobs: [], next: null },
  };
  for (const [command, document] of Object.entries(documents)) {
    expect(await cli.json(command.split(' ')), command).toEqual({ code: 0, document });
  }
  expect((await cli.run(['instance', 'list'])).stdout).toMatch(/instance add NAME URL/);
  const noJob = { code: 'job-missing', exit: 2, todo: /job list/ };
  expect(await cli.fails(['job', 'show', 'zzz'], noJob)).toMatchObject({ what: 'There is no job "zzz".' });
  expect(readdirSync(cli.home)).toEqual([]);
});

test('the doctor names a missing part and exits with 3, also with --json', async () => {
  const cli = new Cli();
  const [text, { code, document }] = await Promise.all([cli.run(['doctor']), cli.json(['doctor'])]);
  const { checks } = document as { checks: { name: string; ok: boolean; todo: string | null }[] };
  expect(checks.map((check) => check.name)).toEqual(
    expect.arrayContaining(['versions', 'keychain', 'clock']),
  );
  // Without a session bus there is no keychain. All other checks pass.
  expect(checks.filter((check) => !check.ok)).toMatchObject([
    { name: 'keychain', todo: expect.stringMatching(/PACKHORSE_TOKEN_<NAME>/) as string },
  ]);
  expect({ code, text: text.code }).toEqual({ code: 3, text: 3 });
  expect(text.stdout).toMatch(/PROBLEM +keychain/);
});

test('a data folder that another process uses can be read', async () => {
  const cli = new Cli();
  const world = await openWorld({ dataDir: cli.dataDir });
  await world.client.call('instance.list', {});
  const [jobs, archives] = await Promise.all([cli.json(['job', 'list']), cli.json(['archive', 'list'])]);
  expect([jobs.code, archives.code]).toEqual([0, 0]);
});

test('an unusable data folder is an error with its path, not a crash', async () => {
  const cli = new Cli();
  rmdirSync(cli.dataDir);
  writeFileSync(cli.dataDir, 'a file stands here');
  const { details } = await cli.fails(['job', 'list'], { code: 'disk-denied', exit: 1, todo: /permissions/ });
  expect(details['path']).toBe(cli.dataDir);
});

test('unreadable settings are not changed, and are reported with their path', async () => {
  const cli = new Cli();
  mkdirSync(cli.dataDir, { recursive: true });
  const path = join(cli.dataDir, 'settings.json');
  writeFileSync(path, '{');
  const expected = { code: 'settings-unreadable', exit: 1, todo: /not overwritten/ };
  for (const command of ['instance list', 'settings change --no-proxy', 'instance remove gl']) {
    const { what } = await cli.fails(command.split(' '), expected);
    expect(what).toContain(path);
    expect(readFileSync(path, 'utf8')).toBe('{');
  }
});

test('the command does not crash if its reader closes the output early', async () => {
  const cli = new Cli();
  const running = cli.start(['--help']);
  running.process.stdout?.destroy();
  const { code, stderr } = await running.ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});
