import { copyFileSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { inspectFile } from '../../../src-main/archive/inspect.ts';
import { readRecords } from '../../../src-main/archive/read.ts';
import {
  hasRecordIndex,
  indexFile,
  sweepRecordIndexes,
} from '../../../src-main/archive/records/index-files.ts';
import {
  IndexDamaged,
  openRecordIndex,
  type RecordIndex,
} from '../../../src-main/archive/records/record-index.ts';
import { repositoryRefsEntry, type KeyRow } from '../../../src-main/archive/records/record-keys.ts';
import { archive, bundle, exportWith, lines, member } from '../../support/archives/archive-builder.ts';
import { realArchives, withoutRealArchives } from '../../support/archives/real-archives.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { walkRecords } from '../../support/archives/walked-records.ts';

const opened: RecordIndex[] = [];
afterEach(async () => {
  for (const index of opened.splice(0)) await index.close();
});

interface Indexed {
  path: string;
  folder: string;
  sha256: string;
}

async function indexed(content: Buffer): Promise<Indexed> {
  const at = temporaryFolder();
  const path = join(at, 'some_export.tar.gz');
  writeFileSync(path, content);
  const folder = join(at, 'indexes');
  const { sha256 } = await inspectFile(path, { indexFolder: folder });
  return { path, folder, sha256 };
}

async function open({ folder, sha256 }: Pick<Indexed, 'folder' | 'sha256'>): Promise<RecordIndex | null> {
  const index = await openRecordIndex(folder, sha256);
  if (index !== null) opened.push(index);
  return index;
}

async function requireIndex(indexed: Pick<Indexed, 'folder' | 'sha256'>): Promise<RecordIndex> {
  const index = await open(indexed);
  if (index === null) throw new Error('There is no index');
  return index;
}

const issuesMember = './tree/project/issues.ndjson';
const withIssues = (content: string | Buffer): Buffer =>
  exportWith({ [issuesMember]: member({ name: issuesMember, content }) });

async function rowsOf(index: RecordIndex, relation: string): Promise<KeyRow[]> {
  const rows: KeyRow[] = [];
  for await (const row of index.keys(relation)) rows.push(row);
  return rows;
}

async function keysOf(record: unknown): Promise<unknown> {
  const index = await requireIndex(await indexed(withIssues(lines(record))));
  return (await index.row('issues', 0))?.keys;
}

/** Computes the expected keys of a parsed record in a different way from the index. */
function expectedKeys(value: unknown): Record<string, unknown> {
  const record = value as Record<string, unknown>;
  const keys: Record<string, unknown> = {};
  for (const name of ['iid', 'title', 'state', 'author_id', 'created_at', 'due_date', 'name', 'sha', 'ref']) {
    const field = record[name];
    if (field === undefined || (typeof field === 'object' && field !== null)) continue;
    keys[name] = typeof field === 'string' ? Array.from(field).slice(0, 255).join('') : field;
  }
  const links = (record['label_links'] ?? []) as { label?: { title?: string } }[];
  const labels = links.flatMap(({ label }) => (label?.title === undefined ? [] : [label.title]));
  if (labels.length > 0) keys['labels'] = labels;
  const milestone = record['milestone'] as { title?: string } | null | undefined;
  if (typeof milestone?.title === 'string') keys['milestone'] = milestone.title;
  const notes = (record['notes'] ?? []) as { system?: boolean }[];
  const diff = record['merge_request_diff'] as Record<string, unknown[]> | null | undefined;
  const counts = {
    notes: notes.filter(({ system }) => system !== true).length,
    system_notes: notes.filter(({ system }) => system === true).length,
    events: ((record['events'] ?? []) as unknown[]).length,
    label_links: links.length,
    award_emoji: ((record['award_emoji'] ?? []) as unknown[]).length,
    merge_request_diff_commits: (diff?.['merge_request_diff_commits'] ?? []).length,
    merge_request_diff_files: (diff?.['merge_request_diff_files'] ?? []).length,
  };
  for (const [name, count] of Object.entries(counts)) {
    if (count > 0) keys['counts'] = { ...(keys['counts'] as object | undefined), [name]: count };
  }
  return keys;
}

async function expectSameAsWalking(path: string): Promise<number> {
  const folder = join(temporaryFolder(), 'indexes');
  const inspection = await inspectFile(path, { indexFolder: folder });
  expect(inspection).toEqual(await inspectFile(path));
  const index = await requireIndex({ folder, sha256: inspection.sha256 });
  const walked = await walkRecords(path);
  expect(Object.fromEntries(index.relations().map(({ name, records }) => [name, records]))).toEqual(
    inspection.relations,
  );
  for (const [relation, records] of walked) {
    const rows = await rowsOf(index, relation);
    expect(rows.map(({ line }) => line)).toEqual(rows.map((_, line) => line));
    expect(rows).toHaveLength(records.length);
    for (const record of records) {
      expect(await index.record(relation, record.line)).toEqual(record);
      const row = rows[record.line];
      expect(row?.length).toBe(Buffer.byteLength(record.text));
      const isSingle = inspection.layout === 'legacy' && records.length === 1;
      if (record.value === null || isSingle) continue;
      expect({ relation, line: record.line, ...row?.keys }).toMatchObject(expectedKeys(record.value));
    }
    expect(await index.record(relation, records.length)).toBeNull();
  }
  return [...walked.values()].reduce((sum, records) => sum + records.length, 0);
}

describe.skipIf(withoutRealArchives)('the record index of a real archive', () => {
  const names = readdirSync(realArchives === '' ? '.' : realArchives).filter((name) =>
    name.endsWith('_export.tar.gz'),
  );

  it.each(names)('has every record and every key that a walk finds: %s', async (name) => {
    await expectSameAsWalking(join(realArchives, name));
  });
});

describe('the record index of an archive', () => {
  it('counts blank lines, keeps their content, and ends with the relation', async () => {
    const { path } = await indexed(withIssues('{"iid":1}\n\n  \n{"iid":3}\r\n{"iid":5}'));
    expect(await expectSameAsWalking(path)).toBe(7);
  });

  it('finds records that are longer than a block, and the records around them', async () => {
    const long = (size: number, iid: number): unknown => ({
      iid,
      description: 'x€'.repeat(size),
      title: 'T',
    });
    const content = lines({ iid: 1 }, long(500_000, 2), { iid: 3 }, long(900_000, 4), { iid: 5 });
    const at = await indexed(withIssues(content));
    const index = await requireIndex(at);
    expect((await rowsOf(index, 'issues')).map(({ keys }) => keys?.iid)).toEqual([1, 2, 3, 4, 5]);
    const bytes = await Promise.all([0, 1, 2, 3, 4].map((line) => index.bytes('issues', line)));
    expect(bytes.map(String).join('\n') + '\n').toBe(content);
    expect(await index.record('issues', 3)).toEqual(
      (await readRecords(at.path, [{ relation: 'issues', line: 3 }]))[0],
    );
  });

  it('keeps thousands of rows in order', async () => {
    const records = Array.from({ length: 20_000 }, (_, at) => ({ iid: at + 1, title: `Issue ${at}` }));
    const index = await requireIndex(await indexed(withIssues(lines(...records))));
    const rows = await rowsOf(index, 'issues');
    expect(rows.map(({ keys }) => keys)).toEqual(records);
    expect(await index.record('issues', 12_345)).toMatchObject({ value: records[12_345] });
  });

  it('uses the first of two members of one relation, like a read without the index', async () => {
    const second = member({ name: issuesMember, content: lines({ iid: 9 }) });
    const plain = exportWith({ again: second });
    const { path } = await indexed(plain);
    const folder = join(temporaryFolder(), 'indexes');
    const { sha256 } = await inspectFile(path, { indexFolder: folder });
    const index = await requireIndex({ folder, sha256 });
    const [walked] = await readRecords(path, [{ relation: 'issues', line: 0 }]);
    expect(await index.record('issues', 0)).toEqual(walked);
  });

  it('indexes the legacy layout, in which a single object is line 0', async () => {
    const document = {
      description: 'Old',
      labels: [{ title: 'bug' }, 5, { title: 'ux' }],
      project_feature: { a: { b: 1 } },
    };
    const at = await indexed(
      archive(
        member({ name: './VERSION', content: '0.2.4' }),
        member({ name: './project.json', content: JSON.stringify(document) }),
      ),
    );
    const index = await requireIndex(at);
    expect(index.layout).toBe('legacy');
    const places = [0, 1, 2, 3].map((line) => ({ relation: 'labels', line }));
    const all = [
      ...places,
      { relation: 'project_feature', line: 0 },
      { relation: 'project_feature', line: 1 },
    ];
    const walked = await readRecords(at.path, all);
    expect(await Promise.all(all.map(({ relation, line }) => index.record(relation, line)))).toEqual(walked);
    expect(walked.map((record) => record?.value)).toEqual([
      { title: 'bug' },
      undefined,
      { title: 'ux' },
      undefined,
      { a: { b: 1 } },
      undefined,
    ]);
    expect((await rowsOf(index, 'labels')).map(({ keys }) => keys)).toEqual([
      { title: 'bug' },
      null,
      { title: 'ux' },
    ]);
  });
});

describe('the keys of a record', () => {
  it('contain the last of duplicate fields, like JSON.parse, and nothing that only looks like a field', async () => {
    const text =
      '{"title":"a","iid":1,"milestone":{"iid":7,"title":"M"},"notes":[{"title":"n"}],"title":"b","__proto__":{"iid":9}}';
    const index = await requireIndex(await indexed(withIssues(`${text}\n`)));
    const row = await index.row('issues', 0);
    expect(row?.keys).toEqual({ title: 'b', iid: 1, milestone: 'M', counts: { notes: 1 } });
    expect(({} as Record<string, unknown>)['iid']).toBeUndefined();
  });

  it('are cut at 255 characters, between characters and between escapes', async () => {
    const cases = [
      'x'.repeat(300),
      '😀'.repeat(300),
      '\\'.repeat(9_000),
      '\u0001'.repeat(9_000),
      `${'"'.repeat(5_000)}é`,
      'é'.repeat(6_000),
    ];
    for (const title of cases) {
      const keys = (await keysOf({ iid: 1, title, state: 'opened' })) as { title: string };
      expect(title.startsWith(keys.title)).toBe(true);
      expect(Array.from(keys.title)).toHaveLength(255);
      expect(keys).toMatchObject({ iid: 1, state: 'opened' });
    }
  });

  it('contain a title of the maximum length in GitLab uncut, however many bytes its characters take', async () => {
    for (const title of ['x'.repeat(255), '🚀'.repeat(255), `${'🚀'.repeat(130)}é`]) {
      expect(await keysOf({ iid: 1, title })).toEqual({ iid: 1, title });
    }
  });

  it('contain the complete name of a ref', async () => {
    const names = [`refs/heads/${'b'.repeat(255)}`, `refs/tags/${'long/'.repeat(200)}🚀"`];
    const at = await indexed(
      exportWith({ './project.bundle': member({ name: './project.bundle', content: bundle(names) }) }),
    );
    const rows = await rowsOf(await requireIndex(at), repositoryRefsEntry);
    expect(rows.map(({ keys }) => keys?.name)).toEqual(names);
  });

  it('contain labels, milestone, author and counts of nested lists', async () => {
    const record = {
      iid: 3,
      author: { name: 'Ada', id: 4 },
      milestone: { title: 'v1', labels: [] },
      label_links: [
        { label: { title: 'a' } },
        { label: null },
        { label: { title: 'b', priorities: [{ title: 'no' }] } },
      ],
      notes: [{ system: true }, { system: false }, {}, { author: { system: true } }],
      award_emoji: [],
      merge_request_diff: { merge_request_diff_commits: [{}, {}], merge_request_diff_files: [{}] },
    };
    expect(await keysOf(record)).toEqual({
      iid: 3,
      author: 'Ada',
      milestone: 'v1',
      labels: ['a', 'b'],
      counts: {
        label_links: 3,
        notes: 3,
        system_notes: 1,
        merge_request_diff_commits: 2,
        merge_request_diff_files: 1,
      },
    });
  });

  it('are empty for a line that is a list, a text or a number, and null is not a record', async () => {
    const index = await requireIndex(await indexed(withIssues('[{"iid":1}]\n"iid"\n12\nnull\n')));
    expect((await rowsOf(index, 'issues')).map(({ keys }) => keys)).toEqual([{}, {}, {}, null]);
    expect(index.relation('issues')).toMatchObject({ records: 3, lines: 4 });
  });
});

describe('an unreliable index', () => {
  const content = withIssues(lines({ iid: 1, title: 'One' }, { iid: 2, title: 'Two' }));

  async function expectRebuilt(at: Indexed): Promise<void> {
    expect(await open(at)).toBeNull();
    expect(await hasRecordIndex(at.folder, at.sha256)).toBe(false);
    await inspectFile(at.path, { indexFolder: at.folder });
    expect(await (await requireIndex(at)).record('issues', 1)).toMatchObject({
      value: { iid: 2, title: 'Two' },
    });
  }

  it('is deleted and rebuilt if it was cut at any place', async () => {
    const at = await indexed(content);
    const file = indexFile(at.folder, at.sha256);
    const places = [0, 1, 55, 56, (size: number) => size >> 1, (size: number) => size - 1];
    for (const place of places) {
      // The present size counts, because a rebuilt index can have another size.
      truncateSync(file, typeof place === 'number' ? place : place(statSync(file).size));
      await expectRebuilt(at);
    }
  });

  it('never returns a wrong record or key, whichever byte was changed', async () => {
    const at = await indexed(content);
    const file = indexFile(at.folder, at.sha256);
    const bytes = readFileSync(file);
    const good = await requireIndex(at);
    const contents = async (index: RecordIndex): Promise<unknown> => [
      await rowsOf(index, 'issues'),
      await index.record('issues', 0),
      await index.record('issues', 1),
      await index.record('project_feature', 0),
    ];
    const expected = await contents(good);
    let noticed = 0;
    for (let place = 0; place < bytes.length; place++) {
      const changed = Buffer.from(bytes);
      changed[place] = (changed[place] ?? 0) ^ (1 << (place % 8));
      writeFileSync(file, changed);
      const index = await openRecordIndex(at.folder, at.sha256);
      const found = index && (await contents(index).catch((error: unknown) => error));
      await index?.close();
      if (found === null || found instanceof IndexDamaged) noticed++;
      else expect(found).toEqual(expected);
    }
    expect(noticed).toBeGreaterThan(bytes.length / 2);
  });

  it('is deleted if it belongs to another archive, or is longer than before', async () => {
    const at = await indexed(content);
    const other = await indexed(withIssues(lines({ iid: 7 })));
    copyFileSync(indexFile(other.folder, other.sha256), indexFile(at.folder, at.sha256));
    await expectRebuilt(at);
    writeFileSync(indexFile(at.folder, at.sha256), 'x', { flag: 'a' });
    await expectRebuilt(at);
  });

  it('is deleted if another version wrote it', async () => {
    const at = await indexed(content);
    const file = indexFile(at.folder, at.sha256);
    const bytes = readFileSync(file);
    bytes.writeUInt32LE(bytes.readUInt32LE(bytes.length - 44) + 1, bytes.length - 44);
    writeFileSync(file, bytes);
    await expectRebuilt(at);
  });
});

describe('the index folder', () => {
  it('gets no index of an unusable archive, and no partial file', async () => {
    const cut = exportWith({ x: member({ name: './x', content: 'y' }) });
    const { folder } = await indexed(cut.subarray(0, cut.length - 20));
    expect(readdirSync(folder)).toEqual([]);
  });

  it('gets no index if the reading was aborted', async () => {
    const at = temporaryFolder();
    const path = join(at, 'some_export.tar.gz');
    writeFileSync(path, exportWith());
    const folder = join(at, 'indexes');
    const stop = new AbortController();
    const reading = inspectFile(path, {
      indexFolder: folder,
      signal: stop.signal,
      onProgress: () => {
        stop.abort();
      },
    });
    await expect(reading).rejects.toThrow();
    expect(await sweepRecordIndexes(folder, () => true)).toEqual([]);
  });

  it('can be a file, and the archive is still read', async () => {
    const at = temporaryFolder();
    writeFileSync(join(at, 'some_export.tar.gz'), exportWith());
    writeFileSync(join(at, 'indexes'), 'a file');
    const path = join(at, 'some_export.tar.gz');
    expect(await inspectFile(path, { indexFolder: join(at, 'indexes') })).toEqual(await inspectFile(path));
  });

  it('is cleared only of indexes without an archive and of partial indexes', async () => {
    const at = await indexed(exportWith());
    const kept = `${at.sha256}.records`;
    const orphan = `${'0'.repeat(64)}.records`;
    for (const name of [orphan, '0123456789abcdef.part', 'notes.txt'])
      writeFileSync(join(at.folder, name), '');
    const removed = await sweepRecordIndexes(at.folder, (sha256) => sha256 === at.sha256);
    expect(removed.sort()).toEqual([orphan, '0123456789abcdef.part'].sort());
    expect(readdirSync(at.folder).sort()).toEqual([kept, 'notes.txt'].sort());
  });
});
