import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Verdict } from '../../../src-preload/contract/archive.ts';
import { findingCodes } from '../../../src-main/archive/findings.ts';
import {
  archive,
  bundle,
  endMarker,
  exportMembers,
  exportWith,
  gnuLong,
  gzip,
  lines,
  member,
  pax,
  seeded,
} from '../../support/archive-builder.ts';
import { inspectBytes } from '../../support/archive-inspection.ts';

const sound = exportWith();
const tar = (): Buffer => Buffer.concat([...exportMembers().values()]);
const lone = (name: string, more: Parameters<typeof member>[0] | object = {}): Buffer =>
  exportWith({ extra: member({ name, ...more }) });
const flipped = (bytes: Buffer, at: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 0x10;
  return copy;
};
const base256 = (bytes: number[]): Buffer =>
  Buffer.from([...Array<number>(12 - bytes.length).fill(0), ...bytes]);

describe('a sound export', () => {
  it('gives its versions, counts, notes, bundles and members', async () => {
    expect(await inspectBytes(sound)).toEqual({
      verdict: 'sound',
      layout: 'ndjson',
      version: '0.2.4',
      gitlabVersion: '17.11.0',
      unpackedBytes: tar().length + 1024,
      relations: { issues: 2, labels: 0, project_feature: 1, auto_devops: 0 },
      notes: { issues: 2 },
      bundles: [{ member: 'project.bundle', branches: 1, tags: 1, otherRefs: 1, objects: 1 }],
      uploads: 1,
      lfsObjects: 1,
      members: 15,
      findings: [],
    });
  });

  it.each([1, 7, 511, 512, 513])('reads the same in pieces of %i bytes', async (pieceBytes) => {
    expect(await inspectBytes(sound, { pieceBytes })).toEqual(await inspectBytes(sound));
  });

  it('may leave out the leading ./ and pad gzip and tar with zeros', async () => {
    const plain = archive(
      member({ name: 'VERSION', content: '0.2.4\n' }),
      member({ name: 'tree/project.json', content: '{\n  "description": null\n}\n' }),
      member({ name: 'tree/project/issues.ndjson', content: lines({ iid: 1 }) }),
      Buffer.alloc(20_480),
    );
    const seen = await inspectBytes(Buffer.concat([plain, Buffer.alloc(700)]));
    expect(seen).toMatchObject({
      verdict: 'sound',
      version: '0.2.4',
      relations: { issues: 1 },
      findings: [],
    });
  });

  it('may be split over several gzip members', async () => {
    const bytes = Buffer.concat([tar(), endMarker]);
    const split = Buffer.concat([gzipSync(bytes.subarray(0, 3000)), gzipSync(bytes.subarray(3000))]);
    expect(await inspectBytes(split)).toMatchObject({ verdict: 'sound', members: 15 });
  });

  it('takes long names from PAX and GNU headers, sizes from PAX and base 256', async () => {
    const long = `./uploads/${'x'.repeat(150)}`;
    const seen = await inspectBytes(
      exportWith({
        1: Buffer.concat([pax({ path: long, mtime: '1.5' }), member({ name: './short', content: 'abc' })]),
        2: Buffer.concat([gnuLong('L', `${long}2`), member({ name: './short', content: 'abc', gnu: true })]),
        3: Buffer.concat([
          pax({ size: '600', path: './tree/project/releases.ndjson' }),
          member({ name: './r', size: 0, content: `${JSON.stringify({ name: 'x'.repeat(588) })}\n` }),
        ]),
        4: Buffer.concat([pax({ comment: 'a commit' }, 'g')]),
        5: member({
          name: './snippets/a',
          content: 'x'.repeat(515),
          size: base256([0x80, 2, 3].slice(1)).fill(0x80, 0, 1),
        }),
      }),
    );
    expect(seen).toMatchObject({ verdict: 'sound', findings: [], members: 19, uploads: 3 });
    expect(seen.relations['releases']).toBe(1);
  });

  it('ignores what macOS leaves behind, and still counts it as members', async () => {
    const seen = await inspectBytes(
      exportWith({
        1: member({ name: '._.', content: 'mac' }),
        2: member({ name: './tree/project/._issues.ndjson', content: 'not json' }),
        3: member({ name: './.DS_Store', content: 'mac' }),
        4: member({ name: './._VERSION', content: 'mac' }),
      }),
    );
    expect(seen).toMatchObject({ verdict: 'sound', findings: [], members: 19, version: '0.2.4' });
    expect(seen.relations).toEqual({ issues: 2, labels: 0, project_feature: 1, auto_devops: 0 });
  });
});

describe('counting', () => {
  const counted = async (content: string): Promise<[number | undefined, number | undefined, string[]]> => {
    const seen = await inspectBytes(
      exportWith({
        './tree/project/issues.ndjson': member({ name: './tree/project/issues.ndjson', content }),
      }),
    );
    return [seen.relations['issues'], seen.notes['issues'], seen.findings.map(({ where }) => where ?? '')];
  };

  it.each<[string, string, number]>([
    ['nothing', '', 0],
    ['a lone null', 'null', 0],
    ['a lone null with a newline', 'null\n', 0],
    ['one line without a newline', '{}', 1],
    ['blank lines between', '{}\n\n  \r\n{}\n', 2],
    ['only blank lines', '\n\n', 0],
    ['null among others', '{}\nnull\n', 2],
  ])('of %s', async (_, content, expected) => {
    expect(await counted(content)).toEqual([expected, undefined, []]);
  });

  it('names the line of a malformed record, counting from zero', async () => {
    expect(await counted('{}\n\n{"a":\n{}\n{}x\n')).toEqual([
      4,
      undefined,
      ['tree/project/issues.ndjson:2', 'tree/project/issues.ndjson:4'],
    ]);
  });

  it('takes as user notes only elements of a record’s own notes that are not system notes', async () => {
    const records = lines(
      { notes: [{ system: true }, { system: false }, {}, null, 5, [{ system: true }]] },
      { notes: { a: [{}] }, other: [{ notes: [{}] }] },
      { events: [{ system: true }], notes: [{ note: '"system":true', award_emoji: [{ system: true }] }] },
      { notes: [{ nested: { system: true } }, { a: 1, system: true, b: 2 }] },
    );
    expect(await counted(records)).toEqual([4, 4, []]);
  });
});

describe('the legacy layout', () => {
  const legacy = (content: string): Buffer =>
    archive(member({ name: './VERSION', content: '0.2.4' }), member({ name: './project.json', content }));

  it.each([0, 2])('counts arrays under their keys (indented by %i)', async (indent) => {
    const content = JSON.stringify(
      {
        description: '"issues":[1,2]',
        ci_id: null,
        labels: [],
        issues: [{ notes: [{ system: true }, { system: false }] }, { title: 'x', labels: [1, 2] }],
        project_feature: { a: [1, 2, 3], notes: [{}] },
        snippets: [{ notes: [{}] }],
      },
      null,
      indent,
    );
    expect(await inspectBytes(legacy(content), { pieceBytes: 13 })).toMatchObject({
      verdict: 'sound',
      layout: 'legacy',
      relations: { labels: 0, issues: 2, project_feature: 1, snippets: 1 },
      notes: { issues: 1, snippets: 1 },
    });
  });

  it('is suspicious when its document is not JSON', async () => {
    expect(await inspectBytes(legacy('{"issues":['))).toMatchObject({
      verdict: 'suspicious',
      findings: [{ code: 'document-malformed', severity: 'error', where: 'project.json' }],
    });
  });
});

const damagedBundle = (bytes: Buffer): Buffer =>
  exportWith({ './project.bundle': member({ name: './project.bundle', content: bytes }) });
const whole = bundle(['refs/heads/main'], ['one', 'two', 'three']);

// Verdict and the codes of the findings, in order.
const hostile: [string, Buffer, Verdict, string[]][] = [
  ['an empty file', Buffer.alloc(0), 'unusable', ['not-gzip']],
  ['an HTML page', Buffer.from('<!DOCTYPE html><title>Sign in</title>'), 'unusable', ['not-gzip']],
  ['a tar without gzip', Buffer.concat([tar(), endMarker]), 'unusable', ['not-gzip']],
  ['a zip', Buffer.from('PK\x03\x04rest of a zip file'), 'unusable', ['not-gzip']],
  ['an empty gzip', gzipSync(''), 'unusable', ['not-tar']],
  ['a gzip of text', gzipSync('text '.repeat(500)), 'unusable', ['not-tar']],
  ['a gzip of zeros', gzipSync(Buffer.alloc(10_240)), 'unusable', ['not-an-export', 'version-missing']],
  ['a file cut in half', sound.subarray(0, sound.length / 2), 'unusable', ['gzip-cut']],
  ['a file without its last byte', sound.subarray(0, -1), 'unusable', ['gzip-cut']],
  ['a file without checksum', sound.subarray(0, -8), 'unusable', ['gzip-cut']],
  ['a wrong checksum', flipped(sound, sound.length - 8), 'unusable', ['gzip-checksum']],
  ['a wrong length', flipped(sound, sound.length - 2), 'unusable', ['gzip-checksum']],
  [
    'garbage behind the gzip',
    Buffer.concat([sound, Buffer.from('garbage')]),
    'unusable',
    ['gzip-trailing-bytes'],
  ],
  [
    'garbage behind padding behind the gzip',
    Buffer.concat([sound, Buffer.alloc(100_000), Buffer.from('x')]),
    'unusable',
    ['gzip-trailing-bytes'],
  ],
  ['a tar cut in a member', gzip(tar().subarray(0, 5000)), 'unusable', ['tar-cut']],
  ['a tar cut in a header', gzip(tar().subarray(0, 700)), 'unusable', ['tar-cut']],
  ['no end marker', gzip(tar()), 'unusable', ['tar-end-missing']],
  ['half an end marker', gzip(tar(), Buffer.alloc(512)), 'unusable', ['tar-end-missing']],
  [
    'a lone zero block',
    gzip(member({ name: 'a' }), Buffer.alloc(512), tar(), endMarker),
    'unusable',
    ['tar-damaged'],
  ],
  ['a wrong header checksum', lone('./x', { checksum: 1 }), 'unusable', ['tar-damaged']],
  ['a negative size', lone('./x', { size: Buffer.alloc(12, 0xff) }), 'unusable', ['tar-damaged']],
  [
    'a size of 2^62',
    lone('./x', { size: base256([0x40, 0, 0, 0, 0, 0, 0, 0]).fill(0x80, 0, 1) }),
    'unusable',
    ['tar-damaged'],
  ],
  ['a size that is no number', lone('./x', { size: '0000000x000 ' }), 'unusable', ['tar-damaged']],
  [
    'a PAX size that is no number',
    exportWith({ x: Buffer.concat([pax({ size: '-1' }), member({ name: 'x' })]) }),
    'unusable',
    ['tar-damaged'],
  ],
  [
    'a PAX record of a wrong length',
    exportWith({ x: member({ name: 'p', type: 'x', content: '99 path=x\n' }) }),
    'unusable',
    ['tar-damaged'],
  ],
  ['a sparse member', lone('./x', { type: 'S', gnu: true }), 'unusable', ['tar-unsupported']],
  [
    'a PAX sparse member',
    exportWith({ x: Buffer.concat([pax({ 'GNU.sparse.major': '1' }), member({ name: 'x' })]) }),
    'unusable',
    ['tar-unsupported'],
  ],
  [
    'data behind the end marker',
    archive(tar(), endMarker, Buffer.from('more')),
    'suspicious',
    ['trailing-data'],
  ],
  [
    'a second gzip member with a further tar',
    Buffer.concat([sound, archive(member({ name: './evil' }))]),
    'suspicious',
    ['trailing-data'],
  ],
  ['VERSION twice', lone('VERSION', { content: '9.9.9' }), 'suspicious', ['duplicate-member']],
  ['a parent path', lone('./uploads/../../../etc/evil'), 'suspicious', ['name-escapes']],
  ['an absolute path', lone('/etc/evil'), 'suspicious', ['name-escapes']],
  ['backslashes', lone('a\\..\\..\\evil'), 'suspicious', ['name-escapes']],
  ['a drive', lone('C:evil'), 'suspicious', ['name-escapes']],
  ['an override of direction', lone('./uploads/exe.‮gnp'), 'suspicious', ['name-odd']],
  ['a newline in a name', lone('.\nevil'), 'suspicious', ['name-odd']],
  [
    'NUL in a PAX path',
    exportWith({ x: Buffer.concat([pax({ path: './a\0b' }), member({ name: 'x' })]) }),
    'suspicious',
    ['name-odd'],
  ],
  [
    'PAX and GNU names for one member',
    exportWith({ x: Buffer.concat([pax({ path: './a' }), gnuLong('L', './b'), member({ name: './c' })]) }),
    'suspicious',
    ['name-odd'],
  ],
  ['a symbolic link', lone('./uploads/l', { type: '2', linkName: '/etc/passwd' }), 'suspicious', ['link']],
  ['a hard link', lone('./uploads/l', { type: '1', linkName: 'VERSION' }), 'suspicious', ['link']],
  ['a fifo', lone('./uploads/f', { type: '6' }), 'suspicious', ['special-member']],
  ['a character device', lone('./uploads/c', { type: '3' }), 'suspicious', ['special-member']],
  ['a block device', lone('./uploads/b', { type: '4' }), 'suspicious', ['special-member']],
  ['an unknown type', lone('./uploads/z', { type: 'z' }), 'suspicious', ['special-member']],
  ['no VERSION', exportWith({ './VERSION': null }), 'suspicious', ['version-missing']],
  [
    'an odd VERSION',
    exportWith({ './VERSION': member({ name: './VERSION', content: 'x'.repeat(1e6) }) }),
    'suspicious',
    ['version-unknown'],
  ],
  [
    'some other tar',
    archive(member({ name: 'README', content: 'hello' })),
    'unusable',
    ['not-an-export', 'version-missing'],
  ],
  [
    'tree/project.json that is not JSON',
    exportWith({ './tree/project.json': member({ name: './tree/project.json', content: '{' }) }),
    'unusable',
    ['record-malformed'],
  ],
  ['a bundle that is none', damagedBundle(Buffer.from('# v9 git bundle\n')), 'unusable', ['bundle-damaged']],
  ['an empty bundle', damagedBundle(Buffer.alloc(0)), 'unusable', ['bundle-damaged']],
  ['a cut bundle', damagedBundle(whole.subarray(0, -1)), 'unusable', ['bundle-damaged']],
  ['a bundle cut in its header', damagedBundle(whole.subarray(0, 30)), 'unusable', ['bundle-damaged']],
  [
    'a bundle cut before its pack',
    damagedBundle(whole.subarray(0, whole.indexOf('PACK') + 6)),
    'unusable',
    ['bundle-damaged'],
  ],
  [
    'a flipped bit in a pack',
    damagedBundle(flipped(whole, whole.length - 25)),
    'unusable',
    ['bundle-damaged'],
  ],
  [
    'an LFS object of another content',
    lone(`./lfs-objects/${'0'.repeat(64)}`, { content: 'x' }),
    'unusable',
    ['lfs-mismatch'],
  ],
];

describe('hostile input', () => {
  it.each(hostile)('%s', async (_, bytes, verdict, codes) => {
    const seen = await inspectBytes(bytes);
    expect(seen.findings.map(({ code }) => code)).toEqual(codes);
    expect(seen.verdict).toBe(verdict);
    expect(findingCodes).toEqual(expect.arrayContaining(codes));
  });

  it('of every type flag is either understood, suspicious or unusable, never passed over', async () => {
    for (let flag = 0; flag < 256; flag++) {
      const type = String.fromCharCode(flag);
      const seen = await inspectBytes(lone('./uploads/any', { type: flag === 0 ? '0' : type }));
      expect([type, seen.verdict]).toEqual([
        type,
        '057\0gxXLK'.includes(type) ? 'sound' : expect.stringMatching(/suspicious|unusable/),
      ]);
    }
  });

  it('with names that share their first characters is not taken for duplicates', async () => {
    const many = Array.from({ length: 5000 }, (_, index) => member({ name: `./uploads/${index}` }));
    expect(await inspectBytes(exportWith({ many: Buffer.concat(many) }))).toMatchObject({
      verdict: 'sound',
      uploads: 5001,
    });
  });

  it('with thousands of faults is told by a bounded list', async () => {
    const seen = await inspectBytes(
      exportWith({
        './tree/project/issues.ndjson': member({
          name: './tree/project/issues.ndjson',
          content: 'x\n'.repeat(5000),
        }),
      }),
    );
    expect(seen.findings).toHaveLength(101);
    expect(seen.findings.at(-1)?.message).toBe('4900 more findings of this kind');
  });
});

describe('limits', () => {
  const crossing = (limit: string, allowed: number): Error =>
    expect.objectContaining({ limit, allowed }) as Error;

  it.each<[string, Buffer, Record<string, number>]>([
    ['unpackedBytes', sound, { unpackedBytes: 4096 }],
    ['ratio', gzip(member({ name: 'a', content: Buffer.alloc(8e6) })), { ratioFromBytes: 1e6, ratio: 250 }],
    ['members', sound, { members: 14 }],
    [
      'nameBytes',
      exportWith({ x: Buffer.concat([pax({ path: 'x'.repeat(4097) }), member({ name: 'x' })]) }),
      { nameBytes: 4096 },
    ],
    [
      'nameSegments',
      exportWith({ x: Buffer.concat([pax({ path: 'x/'.repeat(70) }), member({ name: 'x' })]) }),
      { nameSegments: 64 },
    ],
    ['metaBytes', exportWith({ x: pax({ comment: 'x'.repeat(2e6) }) }), { metaBytes: 1_048_576 }],
  ])('%s crossed ends the reading', async (limit, bytes, limits) => {
    await expect(inspectBytes(bytes, { limits })).rejects.toThrow(crossing(limit, limits[limit] ?? 0));
  });

  it('let names of 4096 bytes and 64 segments pass', async () => {
    const path = `${'x/'.repeat(63)}${'x'.repeat(4096 - 126)}`;
    const seen = await inspectBytes(exportWith({ x: Buffer.concat([pax({ path }), member({ name: 'x' })]) }));
    expect(seen.verdict).toBe('sound');
  });

  it('on a record make it a finding, because GitLab refuses the archive too', async () => {
    const name = './tree/project/issues.ndjson';
    const content = lines({ a: 1 }, { b: 'x'.repeat(2000) });
    const seen = await inspectBytes(exportWith({ [name]: member({ name, content }) }), {
      limits: { recordBytes: 1000 },
    });
    expect(seen).toMatchObject({
      verdict: 'unusable',
      findings: [{ code: 'record-too-long', where: 'tree/project/issues.ndjson:1' }],
    });
  });
});

describe('a damaged copy', () => {
  // Incompressible content, so that most bits of the file belong to stored data and only a checksum can tell.
  const noise = Array.from({ length: 400 }, (_, index) =>
    createHash('sha256').update(String(index)).digest('hex'),
  );
  const original = exportWith({ noise: member({ name: './uploads/noise', content: noise.join('') }) });

  it('is never called sound after a cut at any of 200 places', async () => {
    const next = seeded(1);
    for (let round = 0; round < 200; round++) {
      const length = round < 20 ? original.length - 1 - round : next(original.length);
      expect([length, (await inspectBytes(original.subarray(0, length))).verdict]).toEqual([
        length,
        'unusable',
      ]);
    }
  });

  it('is never called sound after any of 300 flipped bits in what the checksum covers', async () => {
    const next = seeded(2);
    for (let round = 0; round < 300; round++) {
      // The gzip header's time, flags and system say nothing about the content.
      const bit = 80 + next((original.length - 10) * 8);
      const copy = Buffer.from(original);
      copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect([bit, (await inspectBytes(copy)).verdict]).toEqual([bit, 'unusable']);
    }
  });

  it('is never called sound after any of 200 pieces were taken out', async () => {
    const next = seeded(3);
    for (let round = 0; round < 200; round++) {
      const at = 10 + next(original.length - 10);
      const spliced = Buffer.concat([
        original.subarray(0, at),
        original.subarray(at + 1 + next(original.length - at)),
      ]);
      expect([at, (await inspectBytes(spliced)).verdict]).toEqual([at, 'unusable']);
    }
  });
});
