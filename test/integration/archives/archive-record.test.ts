/** @file One record of a stored archive through the app: from its index, which is made, made anew and cleared away. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createRecordAccess } from '../../../src-main/app/archives/record-access.ts';
import { openArchiveStore } from '../../../src-main/archive/store.ts';
import { exportWith, lines, member } from '../../support/archives/archive-builder.ts';
import { fields, received } from '../../support/archives/archive-root.ts';
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
const bytes = exportWith({ [name]: member({ name, content }) });

interface Scene {
  world: World;
  path: string;
  indexes: string;
  index: string;
}

/** An archive that an earlier version stored: it has no index. */
async function stored(): Promise<Scene> {
  const dataDir = temporaryFolder();
  const archives = openArchiveStore({ root: join(dataDir, 'archives'), clock: new SteppedClock() });
  const identity = { instanceUrl, fullPath: 'a/b', projectId: 5, at: Date.UTC(2026, 10, 20) };
  const pending = await received(archives, bytes, identity);
  const { sha256 } = await pending.commit({
    ...fields,
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

test('a record is shown with its neighbours, what looks wrong with it, and where its original stands', async () => {
  const scene = await stored();
  expect(await read(scene, 1)).toMatchObject({
    line: 1,
    value: { iid: 8, title: null },
    previous: { line: 0, iid: 7, title: 'First' },
    next: { line: 2, iid: 7, title: 'Third' },
    suspicions: [{ code: 'title-missing', severity: 'will-be-refused', path: 'title' }],
    url: `${instanceUrl}/a/b/-/issues/8`,
  });
  expect(await read(scene, 2)).toMatchObject({
    next: null,
    suspicions: [{ code: 'duplicate-iid', severity: 'will-be-refused', path: 'iid' }],
  });
  await expect(read(scene, 3)).rejects.toThrow(/no line 3 in issues/);
});

test('the index of a stored archive is made when a record is read, and made anew when it is damaged', async () => {
  const scene = await stored();
  expect(existsSync(scene.index)).toBe(false);
  const view = await read(scene, 0);
  const whole = readFileSync(scene.index);
  for (const place of [0, whole.length - 60]) {
    const flipped = Buffer.from(whole);
    flipped[place] = (flipped[place] ?? 0) ^ 1;
    writeFileSync(scene.index, flipped);
    expect(await read(scene, 0)).toMatchObject({ value: view.value });
    expect((await read(scene, 0)).suspicions).toEqual(view.suspicions);
    expect(readFileSync(scene.index)).toHaveLength(whole.length);
  }
});

test('an index goes with its archive, unless another archive has the same bytes', async () => {
  const { indexes, index, ...scene } = await stored();
  await read({ ...scene, indexes, index }, 0);
  const held = { value: true };
  const access = createRecordAccess({
    indexes,
    storedAt: () => null,
    manifest: () => {
      throw new Error('Not asked for');
    },
    isHeld: () => held.value,
  });
  await access.forget(scene.path);
  expect(existsSync(index)).toBe(true);
  held.value = false;
  await access.forget(scene.path);
  expect(existsSync(index)).toBe(false);
});

test('a file of NDJSON that stands alone is read in the same way', async () => {
  const cli = new Cli();
  writeFileSync(join(cli.folder, 'issues.ndjson'), content);
  expect(await cli.json(['archive', 'record', 'issues.ndjson', 'issues', '1'])).toMatchObject({
    code: 0,
    document: {
      previous: { iid: 7 },
      next: { iid: 7 },
      suspicions: [{ code: 'title-missing', path: 'title' }],
      url: null,
    },
  });
  await cli.fails(['archive', 'record', 'issues.ndjson', 'issues', '3'], {
    code: 'record-missing',
    exit: 1,
    todo: /count from zero/,
  });
});
