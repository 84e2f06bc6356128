/** @file The app reads a record of a stored archive from its index, which it writes, rewrites and deletes. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import {
  readTrailer,
  trailerBytes,
  type IndexDirectory,
} from '../../../src-main/archive/records/index-format.ts';
import { createRecordAccess } from '../../../src-main/services/archives/record-access.ts';
import { recordViewText } from '../../../src-main/hosts/cli/archives/record-text.ts';
import { openArchiveStore } from '../../../src-main/archive/store.ts';
import { exportWith, lines, member } from '../../support/archives/archive-builder.ts';
import { manifestFields, receiveArchive } from '../../support/archives/archive-root.ts';
import { Cli } from '../../support/processes/cli.ts';
import { SteppedClock } from '../../support/clocks/stepped-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { openWorld, type World } from '../../support/world.ts';

const instanceUrl = 'https://gitlab.example';
const name = './tree/project/issues.ndjson';
const content = lines(
  { iid: 7, title: 'First', author_id: 1, state: 'opened' },
  { iid: 8, title: null, author_id: 1, state: 'opened' },
  { iid: 7, title: 'Third', author_id: 1, state: 'opened' },
);
const threeIssues = exportWith({ [name]: member({ name, content }) });

interface Scene {
  world: World;
  path: string;
  indexes: string;
  index: string;
}

/** Stores an archive of an earlier version, without an index. */
async function stored(bytes = threeIssues): Promise<Scene> {
  const dataDir = temporaryFolder();
  const archives = openArchiveStore({ root: join(dataDir, 'archives'), clock: new SteppedClock() });
  const identity = { instanceUrl, fullPath: 'a/b', projectId: 5, receivedAt: Date.UTC(2026, 10, 20) };
  const pending = await receiveArchive(archives, bytes, identity);
  const { sha256 } = await pending.commit({
    ...manifestFields,
    instance: { name: 'work', url: instanceUrl, username: 'ada' },
    project: { id: 5, fullPath: 'a/b', name: 'b' },
  });
  const indexes = join(dataDir, 'record-indexes');
  mkdirSync(indexes);
  writeFileSync(join(indexes, `${'0'.repeat(64)}.records`), 'of an archive that is gone');
  const world = await openWorld({ dataDir });
  await world.client.call('archive.rescan', {});
  const index = join(indexes, `${sha256}.records`);
  return { world, path: sha256, indexes, index };
}

const read = ({ world, path }: Scene, line: number) =>
  world.client.call('archive.record', { archive: path, relation: 'issues', line });

test('a record is shown with its neighbours, its suspicions and the URL of its original', async () => {
  const scene = await stored();
  expect(await read(scene, 1)).toMatchObject({
    line: 1,
    value: { iid: 8, title: null },
    previous: { line: 0, iid: 7, title: 'First' },
    next: { line: 2, iid: 7, title: 'Third' },
    suspicions: [{ code: 'title-missing', severity: 'will-be-refused', path: 'title' }],
    notLookedFor: [],
    url: `${instanceUrl}/a/b/-/issues/8`,
  });
  expect(await read(scene, 2)).toMatchObject({
    next: null,
    suspicions: [{ code: 'duplicate-iid', severity: 'will-be-refused', path: 'iid' }],
  });
  await expect(read(scene, 3)).rejects.toThrow(/no line 3 in issues/);
});

test('a record view reports a relation that is too long to compare, and a list of labels that is too long to check references', async () => {
  const many = 20_001;
  const each = (line: (at: number) => string) => Array.from({ length: many }, (_, at) => line(at)).join('\n');
  const relation = (of: string, text: string) => {
    const path = `./tree/project/${of}.ndjson`;
    return { [path]: member({ name: path, content: `${text}\n` }) };
  };
  const bytes = exportWith({
    ...relation(
      'ci_pipelines',
      each((at) => `{"iid":${at === 1 ? 1 : at + 1}}`),
    ),
    ...relation(
      'labels',
      each((at) => `{"title":"label ${at}"}`),
    ),
    ...relation('issues', '{"iid":1,"title":"One","author_id":1,"label_links":[{"label":{"title":"gone"}}]}'),
  });
  const scene = await stored(bytes);
  const findingsOf = async (of: string) => {
    const place = { archive: scene.path, relation: of, line: 0 };
    const view = await scene.world.client.call('archive.record', place);
    const text = recordViewText(view).split('\n');
    expect(text.filter((line) => line.startsWith('The archive has'))).toEqual(view.notLookedFor);
    return { codes: view.suspicions.map(({ code }) => code), notLookedFor: view.notLookedFor };
  };
  expect(await findingsOf('ci_pipelines')).toEqual({
    codes: [],
    notLookedFor: [
      'The archive has 20001 ci_pipelines; duplicates are not searched above 20000. A lint of the archive compares more.',
    ],
  });
  expect(await findingsOf('issues')).toEqual({
    codes: [],
    notLookedFor: ['The archive has 20001 labels; references are not checked above 20000.'],
  });
  const { findings } = await scene.world.client.call('archive.lint', { archive: scene.path, target: null });
  expect(findings.map(({ code, place }) => `${code} ${place ?? ''}`)).toEqual(
    expect.arrayContaining(['references-not-looked-for issues', 'duplicate-iid ci_pipelines:0']),
  );
});

test('the index of a stored archive is built when a record is read, and rebuilt if it is damaged', async () => {
  const scene = await stored();
  expect(existsSync(scene.index)).toBe(false);
  const view = await read(scene, 0);
  const built = readFileSync(scene.index);
  const directory = directoryOf(built);
  const [records] = directory.relations.find((relation) => relation.name === 'issues')?.blocks ?? [];
  for (const place of [records?.[0] ?? NaN, built.length - 60]) {
    const flipped = Buffer.from(built);
    flipped[place] = (flipped[place] ?? 0) ^ 1;
    writeFileSync(scene.index, flipped);
    expect(await read(scene, 0)).toMatchObject({ value: view.value });
    expect((await read(scene, 0)).suspicions).toEqual(view.suspicions);
    expect(directoryOf(readFileSync(scene.index)).sha256).toBe(directory.sha256);
    expect(readFileSync(scene.index).equals(flipped)).toBe(false);
  }
});

function directoryOf(index: Buffer): IndexDirectory {
  const place = readTrailer(index.subarray(-trailerBytes), index.length);
  expect(place).not.toBeNull();
  const { offset = 0, length = 0 } = place ?? {};
  return JSON.parse(zstdDecompressSync(index.subarray(offset, offset + length)).toString()) as IndexDirectory;
}

test('an index is deleted with its archive, unless another archive has the same bytes', async () => {
  const { indexes, index, ...scene } = await stored();
  await read({ ...scene, indexes, index }, 0);
  const inUse = { value: true };
  const access = createRecordAccess({
    indexFolder: indexes,
    findByAbsolutePath: () => null,
    manifest: () => {
      throw new Error('Not asked for');
    },
    hasArchive: () => inUse.value,
  });
  await access.forget(scene.path);
  expect(existsSync(index)).toBe(true);
  inUse.value = false;
  await access.forget(scene.path);
  expect(existsSync(index)).toBe(false);
});

test('a separate NDJSON file is read in the same way', async () => {
  const cli = new Cli();
  writeFileSync(join(cli.folder, 'issues.ndjson'), content);
  expect(await cli.json(['archive', 'record', 'issues.ndjson', 'issues', '1'])).toMatchObject({
    code: 0,
    document: {
      previous: { iid: 7 },
      next: { iid: 7 },
      suspicions: [{ code: 'title-missing', path: 'title' }],
      notLookedFor: [expect.stringContaining('not compared with other records')],
      url: null,
    },
  });
  await cli.fails(['archive', 'record', 'issues.ndjson', 'issues', '3'], {
    code: 'record-missing',
    exit: 2,
    todo: /count from zero/,
  });
});

test('a record is shown without the iid of its neighbour if that iid fits no column', async () => {
  const odd = member({ name, content: '{"iid":1e10000000,"title":"First"}\n{"iid":2,"title":"Second"}\n' });
  const { world, path } = await stored(exportWith({ [name]: odd }));
  const place = { archive: path, relation: 'issues' };
  expect(await world.client.call('archive.record', { ...place, line: 1 })).toMatchObject({
    previous: { line: 0, iid: null, title: 'First' },
  });
  expect(await world.client.call('archive.record', { ...place, line: 0 })).toMatchObject({
    text: '{"iid":1e10000000,"title":"First"}',
  });
});
