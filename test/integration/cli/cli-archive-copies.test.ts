/** @file `archive …` for several archives with the same bytes, and for archives in a missing folder. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { openArchiveStore } from '../../../src-main/archive/store.ts';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { SettingsStore } from '../../../src-main/platform/settings.ts';
import type { ArchiveSummary, Finding } from '../../../src-contract/archives/archive.ts';
import { exportWith } from '../../support/archives/archive-builder.ts';
import { manifestFields, identity, receiveArchive } from '../../support/archives/archive-root.ts';
import { SteppedClock } from '../../support/clocks/stepped-clock.ts';
import { Cli } from '../../support/processes/cli.ts';

const drive = (cli: Cli): string => join(cli.folder, 'drive');

async function store(root: string, day: number, findings: Finding[] = []): Promise<void> {
  const at = Date.UTC(2026, 10, day, 2, 30);
  const pending = await receiveArchive(
    openArchiveStore({ root, clock: new SteppedClock(at) }),
    exportWith(),
    {
      ...identity,
      receivedAt: at,
    },
  );
  await pending.commit({ ...manifestFields, findings });
}

/** Stores the same bytes in the default folder and, with a newer time, in a folder on a drive. */
async function twoCopies(): Promise<{ cli: Cli; inside: ArchiveSummary; onDrive: ArchiveSummary }> {
  const cli = new Cli();
  mkdirSync(drive(cli));
  mkdirSync(cli.dataDir, { recursive: true });
  writeFileSync(join(drive(cli), '.packhorse-root'), '');
  await store(join(cli.dataDir, 'archives'), 18);
  await store(drive(cli), 19);
  const settings = new SettingsStore(join(cli.dataDir, 'settings.json'), systemClock);
  await settings.change((before) => ({ ...before, archiveRoots: [null, drive(cli)] }));
  expect((await cli.json(['archive', 'rescan'])).document).toMatchObject({ found: 2 });
  const { document } = await cli.json(['archive', 'list']);
  const [onDrive, inside] = (document as { archives: ArchiveSummary[] }).archives;
  if (onDrive === undefined || inside === undefined) throw new Error('too few');
  return { cli, inside, onDrive };
}

const unplug = (cli: Cli): void => {
  renameSync(drive(cli), `${drive(cli)}-aside`);
};

test('a command that changes one of several equal archives requires its path, and names all of them', async () => {
  const { cli, inside, onDrive } = await twoCopies();
  const digits = inside.sha256.slice(0, 12);
  const identify = ['--instance', 'work', '--project', 'group/app'];
  for (const command of [
    ['archive', 'pin', digits],
    ['archive', 'unpin', digits],
    ['archive', 'trash', 'add', digits],
    ['archive', 'identify', digits, ...identify],
  ]) {
    const { what } = await cli.fails(command, { code: 'archive-ambiguous', exit: 2, todo: /Give the path/ });
    expect(what).toContain(`The same bytes (SHA-256 ${digits}) are in 2 archives: `);
    for (const { absolutePath } of [inside, onDrive]) expect(what).toContain(absolutePath);
  }
  expect((await cli.run(['archive', 'pin', inside.absolutePath])).code).toBe(0);

  const { stdout } = await cli.run(['archive', 'list']);
  expect(stdout).toMatch(/VERDICT +PIN +FOLDER +SHA-256/);
  expect(stdout).toMatch(/2026-11-18 .* sound +pinned +archives /);
  expect(stdout).toMatch(/2026-11-19 .* sound +drive /);
});

test('each copy is verified, and a copy in a missing folder is not reported as sound and is named by a rescan', async () => {
  const { cli, inside, onDrive } = await twoCopies();
  const digits = inside.sha256.slice(0, 12);
  const both = await cli.run(['archive', 'verify', digits]);
  expect(both.code).toBe(0);
  for (const { absolutePath } of [inside, onDrive]) {
    expect(both.stdout).toContain(`L2: ${absolutePath} is as it was stored`);
  }
  expect((await cli.run(['archive', 'verify', onDrive.absolutePath])).stdout).not.toContain(inside.path);

  unplug(cli);
  const unplugged = await cli.run(['archive', 'verify', digits]);
  expect(unplugged.code).toBe(3);
  expect(unplugged.stdout).toContain(`L2: ${inside.absolutePath} is as it was stored`);
  expect(unplugged.stdout).toMatch(/NOT VERIFIED: \S*\/drive\/\S+: The archive folder .* is not available/);
  const listed = (await cli.run(['archive', 'list'])).stdout;
  expect(listed).toMatch(/2026-11-19 .* absent +sound when last read, 20\d\d-\d\d-\d\d /);

  const { code, document } = await cli.json(['archive', 'rescan']);
  expect({ code, document }).toMatchObject({
    code: 3,
    document: {
      missing: 1,
      missingArchives: [],
      absentFolders: [{ path: drive(cli), archives: [onDrive.absolutePath] }],
    },
  });
  const scanned = (await cli.run(['archive', 'rescan'])).stdout;
  expect(scanned).toMatch(/1 missing\.\nThe archive folder \S+\/drive is missing.*:\n {2}\S+\/drive\/\S+\n$/);
});

test('a rescan names the first ten missing archives, and the number of the others', async () => {
  const cli = new Cli();
  const root = join(cli.dataDir, 'archives');
  for (let day = 1; day <= 12; day += 1) await store(root, day);
  await cli.run(['archive', 'rescan']);
  renameSync(join(root, 'gitlab.example.com'), join(cli.folder, 'taken'));
  const { code, stdout } = await cli.run(['archive', 'rescan']);
  expect(code).toBe(3);
  expect(stdout.match(/^ {2}\S+_export\.tar\.gz$/gm)).toHaveLength(10);
  expect(stdout).toMatch(/12 archives missing from an archive folder that exists:\n[^]*\n {2}and 2 more\n$/);
});

test('equal archives in the trash are listed with their paths, and a path restores one of them', async () => {
  const { cli, inside, onDrive } = await twoCopies();
  for (const { absolutePath } of [inside, onDrive]) await cli.run(['archive', 'trash', 'add', absolutePath]);
  const { stdout } = await cli.run(['archive', 'trash', 'list']);
  for (const { path } of [inside, onDrive]) expect(stdout).toContain(path);
  const digits = inside.sha256.slice(0, 12);
  const restore = (name: string): string[] => ['archive', 'trash', 'restore', name];
  const several = { code: 'archive-ambiguous', exit: 2, todo: /Give the path/ };
  const { what } = await cli.fails(restore(digits), several);
  expect(what).toContain('are in 2 archives in the trash folder: ');
  const { document } = await cli.json(['archive', 'trash', 'list']);
  const places = (document as { archives: { absolutePath: string }[] }).archives;
  for (const { absolutePath } of places) expect(what).toContain(absolutePath);
  expect(await cli.json(restore(inside.path))).toMatchObject({
    code: 0,
    document: { summary: { id: inside.id } },
  });
  expect(await cli.json(restore(onDrive.absolutePath))).toMatchObject({
    code: 0,
    document: { summary: { id: onDrive.id } },
  });
  // A path that is relative to the working folder works too.
  await cli.run(['archive', 'unpin', onDrive.absolutePath]);
  await cli.run(['archive', 'trash', 'add', onDrive.absolutePath]);
  expect(await cli.json(restore(relative(cli.folder, onDrive.absolutePath)))).toMatchObject({
    code: 0,
    document: { summary: { id: onDrive.id } },
  });
  await cli.fails(restore(digits), { code: 'archive-missing', exit: 2, todo: /archive trash list/ });
});

test('a finding in many places is reported once', async () => {
  const cli = new Cli();
  const findings = [3, 7, 9].map((line) => ({
    code: 'record-broken',
    severity: 'error' as const,
    message: 'A record is no JSON',
    where: `issues:${line}`,
  }));
  await store(join(cli.dataDir, 'archives'), 18, findings);
  await cli.run(['archive', 'rescan']);
  const { document } = await cli.json(['archive', 'list']);
  const [stored] = (document as { archives: ArchiveSummary[] }).archives;
  const { stdout } = await cli.run(['archive', 'verify', stored?.path ?? '']);
  expect(stdout.split('\n').slice(1)).toEqual([
    '  error    record-broken  A record is no JSON (3 times, first at issues:3)',
    '',
  ]);
});
