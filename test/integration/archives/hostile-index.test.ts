/**
 * @file Damaged and hostile archives are read with a record index. The index agrees with a walk through the archive, or
 * no index is stored.
 */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { inspectFile, type InspectionOptions } from '../../../src-main/archive/inspect.ts';
import { readRecords } from '../../../src-main/archive/read.ts';
import { hasRecordIndex } from '../../../src-main/archive/records/index-files.ts';
import { openRecordIndex } from '../../../src-main/archive/records/record-index.ts';
import { exportWith, lines, member, seeded } from '../../support/archives/archive-builder.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const relation = (name: string, content: string | Buffer): Record<string, Buffer> => {
  const stored = `./tree/project/${name}.ndjson`;
  return { [stored]: member({ name: stored, content }) };
};

/** Inspects the bytes with and without an index, and compares the index with a walk through the archive. */
async function compared(
  bytes: Buffer,
  options: InspectionOptions = {},
): Promise<{ verdict: string; files: string[]; hasIndex: boolean }> {
  const at = temporaryFolder();
  const folder = join(at, 'inside', 'indexes');
  mkdirSync(folder, { recursive: true });
  const path = join(at, 'inside', 'some_export.tar.gz');
  writeFileSync(path, bytes);
  const inspected = await inspectFile(path, { ...options, indexFolder: folder }).catch(
    (error: unknown) => error,
  );
  expect(inspected).toEqual(await inspectFile(path, options).catch((error: unknown) => error));
  const names = readdirSync(at, { recursive: true, encoding: 'utf8' }).sort();
  const files = names.filter(
    (name) => !['inside', 'inside/indexes', 'inside/some_export.tar.gz'].includes(name),
  );
  if (inspected instanceof Error)
    return { verdict: (inspected as Error & { code: string }).code, files, hasIndex: false };
  const { verdict, sha256 } = inspected as Awaited<ReturnType<typeof inspectFile>>;
  const index = await openRecordIndex(folder, sha256);
  for (const { name, lines: count } of index?.relations() ?? []) {
    const wanted = Array.from({ length: count + 1 }, (_, line) => ({ relation: name, line }));
    const walked = await readRecords(path, wanted);
    for (const [line, record] of walked.entries()) expect(await index?.record(name, line)).toEqual(record);
  }
  await index?.close();
  return { verdict, files, hasIndex: await hasRecordIndex(folder, sha256) };
}

const isIndex = /^inside\/indexes\/[0-9a-f]{64}\.records$/;

describe('an archive that is read with a record index', () => {
  it('is unusable and leaves no index if it is damaged in any of 24 ways', async () => {
    const sound = exportWith(relation('issues', lines({ iid: 1, title: 'One' }, { iid: 2, title: 'Two' })));
    const below = seeded(20_261_121);
    for (let round = 0; round < 24; round++) {
      // The place is after the gzip header, because most of the header has no effect.
      const place = 10 + below(sound.length - 10);
      const length = 1 + below(40);
      const changed = Buffer.from(sound);
      changed[place] = (changed[place] as number) ^ (1 << below(8));
      const cut = sound.subarray(0, place);
      const shortened = Buffer.concat([cut, sound.subarray(place + length)]);
      const { verdict, files } = await compared([changed, cut, shortened][round % 3] as Buffer);
      expect({ round, place, verdict, files }).toEqual({ round, place, verdict: 'unusable', files: [] });
    }
  });

  it('has an index of its changed content, or none if it is unusable, after a change that its checksum covers', async () => {
    const tar = gunzipSync(exportWith(relation('issues', lines({ iid: 1, title: 'One' }, { iid: 2 }))));
    const below = seeded(7);
    for (let round = 0; round < 20; round++) {
      const changed = Buffer.from(tar);
      changed[below(tar.length)] = below(256);
      const { verdict, files, hasIndex } = await compared(gzipSync(changed, { level: 1 }));
      expect(hasIndex).toBe(verdict !== 'unusable');
      expect(files.every((name) => isIndex.test(name))).toBe(true);
    }
  });

  it.each([
    [
      'names that lead outside',
      { './../../evil.ndjson': member({ name: './../../evil.ndjson', content: '{}' }) },
    ],
    ['an absolute name', { x: member({ name: '/tmp/evil.ndjson', content: '{}' }) }],
    [
      'relations named like inherited properties of objects',
      { ...relation('__proto__', '{"iid":1}\n'), ...relation('constructor', '{}') },
    ],
    [
      'relations with dots in their names',
      { ...relation('..', '{"iid":1}\n'), ...relation('a.b', '{"iid":2}\n') },
    ],
    [
      'a relation that is a link',
      { x: member({ name: './tree/project/boards.ndjson', type: '2', linkName: '/etc/passwd' }) },
    ],
    [
      'a relation twice',
      {
        a: member({ name: './tree/project/boards.ndjson', content: '{"a":1}\n' }),
        b: member({ name: './tree/project/boards.ndjson', content: '{"a":2}\n{"a":3}\n' }),
      },
    ],
    [
      'attributes twice',
      {
        a: member({ name: './tree/project.json', content: '{"a":1}' }),
        b: member({ name: 'tree/project.json', content: '{"a":2}' }),
      },
    ],
    [
      'a record of the maximum readable depth',
      relation('boards', `${'['.repeat(1000)}${']'.repeat(1000)}\n`),
    ],
    ['bytes that are not text', relation('boards', Buffer.from('{"title":"\xff\xfe"}\n', 'latin1'))],
  ])('writes only its index if it has %s', async (_what, changes) => {
    const { verdict, files, hasIndex } = await compared(exportWith(changes));
    expect({ hasIndex, count: files.length }).toEqual(
      verdict === 'unusable' ? { hasIndex: false, count: 0 } : { hasIndex: true, count: 1 },
    );
    expect(files.every((name) => isIndex.test(name))).toBe(true);
  });

  it('is refused if it crosses a limit in the middle of a relation, and leaves no part of its index', async () => {
    const bytes = exportWith(relation('issues', Buffer.alloc(6 * 1024 * 1024, '{"iid":1}\n')));
    const limits = { unpackedBytes: 3 * 1024 * 1024 };
    expect(await compared(bytes, { limits })).toEqual({
      verdict: 'archive-limit',
      files: [],
      hasIndex: false,
    });
    const ratio = { ratio: 50, ratioFromBytes: 1024 * 1024 };
    expect(await compared(bytes, { limits: ratio })).toMatchObject({ verdict: 'archive-limit', files: [] });
  });
});
