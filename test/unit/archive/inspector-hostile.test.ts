import { gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Verdict } from '../../../src-contract/archives/archive.ts';
import { findingCodes } from '../../../src-main/archive/findings.ts';
import {
  archive,
  base256,
  bundle,
  endMarker,
  exportMembers,
  exportWith,
  gnuLong,
  gzip,
  lfsOid,
  member,
  pax,
} from '../../support/archives/archive-builder.ts';
import { inspectBytes } from '../../support/archives/archive-inspection.ts';

const sound = exportWith();
const tar = (): Buffer => Buffer.concat([...exportMembers().values()]);
const withMember = (name: string, more: Parameters<typeof member>[0] | object = {}): Buffer =>
  exportWith({ extra: member({ name, ...more }) });
const withLfsListing = (content: string): Buffer =>
  exportWith({ './lfs-objects.json': member({ name: './lfs-objects.json', content }) });
const flipped = (bytes: Buffer, at: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 0x10;
  return copy;
};

/** Puts these bytes at the end of a member's name. */
const renamed = (bytes: Buffer): Buffer => {
  const long = gnuLong('L', `./uploads/${'x'.repeat(bytes.length)}`);
  bytes.copy(long, 512 + './uploads/'.length);
  return exportWith({ x: Buffer.concat([long, member({ name: 'x' })]) });
};

const damagedBundle = (bytes: Buffer): Buffer =>
  exportWith({ './project.bundle': member({ name: './project.bundle', content: bytes }) });
const soundBundle = bundle(['refs/heads/main'], ['one', 'two', 'three']);

// Each row has the verdict and the codes of the findings, in order.
const hostile: [string, Buffer, Verdict, string[]][] = [
  ['an empty file', Buffer.alloc(0), 'unusable', ['not-gzip']],
  ['an HTML page', Buffer.from('<!DOCTYPE html><title>Sign in</title>'), 'unusable', ['not-gzip']],
  ['a tar without gzip', Buffer.concat([tar(), endMarker]), 'unusable', ['not-gzip']],
  ['a zip', Buffer.from('PK\x03\x04rest of a zip file'), 'unusable', ['not-gzip']],
  ['a tar compressed with zstd', zstdCompressSync(tar()), 'unusable', ['not-gzip']],
  ['an export that is compressed twice', gzipSync(sound), 'unusable', ['not-tar']],
  ['an empty gzip', gzipSync(''), 'unusable', ['not-tar']],
  ['a gzip of text', gzipSync('text '.repeat(500)), 'unusable', ['not-tar']],
  ['a gzip of zeros', gzipSync(Buffer.alloc(10_240)), 'unusable', ['not-an-export', 'version-missing']],
  ['a file cut in half', sound.subarray(0, sound.length / 2), 'unusable', ['gzip-cut']],
  ['a file without its last byte', sound.subarray(0, -1), 'unusable', ['gzip-cut']],
  ['a file without its checksum', sound.subarray(0, -8), 'unusable', ['gzip-cut']],
  ['a wrong checksum', flipped(sound, sound.length - 8), 'unusable', ['gzip-checksum']],
  ['a wrong length', flipped(sound, sound.length - 2), 'unusable', ['gzip-checksum']],
  [
    'garbage after the gzip stream',
    Buffer.concat([sound, Buffer.from('garbage')]),
    'unusable',
    ['gzip-trailing-bytes'],
  ],
  [
    'garbage after padding after the gzip stream',
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
  ['a wrong header checksum', withMember('./x', { checksum: 1 }), 'unusable', ['tar-damaged']],
  ['a negative size', withMember('./x', { size: Buffer.alloc(12, 0xff) }), 'unusable', ['tar-damaged']],
  [
    'a size of 2^62',
    withMember('./x', { size: base256([0x40, 0, 0, 0, 0, 0, 0, 0]).fill(0x80, 0, 1) }),
    'unusable',
    ['tar-damaged'],
  ],
  ['a size that is no number', withMember('./x', { size: '0000000x000 ' }), 'unusable', ['tar-damaged']],
  [
    'a size after a NUL',
    withMember('./x', { size: '\x0000000001000', content: tar() }),
    'unusable',
    ['tar-damaged'],
  ],
  ['a size of spaces', withMember('./x', { size: ' '.repeat(12) }), 'unusable', ['tar-damaged']],
  [
    'a long name that continues after its stated size',
    exportWith({
      x: Buffer.concat([
        member({ name: 'long', type: 'L', content: './uploads/../../evil', size: 9 }),
        member({ name: './x' }),
      ]),
    }),
    'suspicious',
    ['name-escapes'],
  ],
  [
    'members in the stated content of a folder',
    withMember('./uploads/x', { type: '5', content: member({ name: '../evil' }) }),
    'suspicious',
    ['name-escapes'],
  ],
  [
    'members in the stated content of a hard link',
    withMember('./uploads/x', { type: '1', content: member({ name: '../evil' }) }),
    'suspicious',
    ['link', 'name-escapes'],
  ],
  ...['path', 'linkpath', 'size'].map((key): [string, Buffer, Verdict, string[]] => [
    `a PAX ${key} for all members`,
    exportWith({ x: Buffer.concat([pax({ [key]: '512' }, 'g'), member({ name: 'x' })]) }),
    'unusable',
    ['tar-unsupported'],
  ]),
  [
    'a PAX size that is no number',
    exportWith({ x: Buffer.concat([pax({ size: '-1' }), member({ name: 'x' })]) }),
    'unusable',
    ['tar-damaged'],
  ],
  ...[pax({ path: './a' }), gnuLong('L', './a'), gnuLong('K', './a')].map(
    (header): [string, Buffer, Verdict, string[]] => [
      `an extended header (${header.toString('latin1', 156, 157)}) without a member after it`,
      exportWith({ x: header }),
      'unusable',
      ['tar-damaged'],
    ],
  ),
  [
    'a PAX record of a wrong length',
    exportWith({ x: member({ name: 'p', type: 'x', content: '99 path=x\n' }) }),
    'unusable',
    ['tar-damaged'],
  ],
  ['a sparse member', withMember('./x', { type: 'S', gnu: true }), 'unusable', ['tar-unsupported']],
  [
    'a PAX sparse member',
    exportWith({ x: Buffer.concat([pax({ 'GNU.sparse.major': '1' }), member({ name: 'x' })]) }),
    'unusable',
    ['tar-unsupported'],
  ],
  [
    'data after the end marker',
    archive(tar(), endMarker, Buffer.from('more')),
    'suspicious',
    ['trailing-data'],
  ],
  [
    'a second gzip member with another tar',
    Buffer.concat([sound, archive(member({ name: './evil' }))]),
    'suspicious',
    ['trailing-data'],
  ],
  ['VERSION twice', withMember('VERSION', { content: '9.9.9' }), 'suspicious', ['duplicate-member']],
  ['a parent path', withMember('./uploads/../../../etc/evil'), 'suspicious', ['name-escapes']],
  ['an absolute path', withMember('/etc/evil'), 'suspicious', ['name-escapes']],
  ['backslashes in a name', withMember('a\\..\\..\\evil'), 'suspicious', ['name-escapes']],
  ['a drive letter', withMember('C:evil'), 'suspicious', ['name-escapes']],
  ['a right-to-left override in a name', withMember('./uploads/exe.‮gnp'), 'suspicious', ['name-odd']],
  ['a path on another machine', withMember('\\\\host\\share\\evil'), 'suspicious', ['name-escapes']],
  ['a zero width space in a name', withMember('./VER\u200bSION'), 'suspicious', ['name-odd']],
  ['bytes in a name that are not UTF-8', renamed(Buffer.from([0xff])), 'suspicious', ['name-odd']],
  [
    'half of a surrogate pair in a name',
    renamed(Buffer.from([0xed, 0xa0, 0x80])),
    'suspicious',
    ['name-odd'],
  ],
  ['a newline in a name', withMember('.\nevil'), 'suspicious', ['name-odd']],
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
  [
    'a symbolic link',
    withMember('./uploads/l', { type: '2', linkName: '/etc/passwd' }),
    'suspicious',
    ['link'],
  ],
  ['a hard link', withMember('./uploads/l', { type: '1', linkName: 'VERSION' }), 'suspicious', ['link']],
  ['a fifo', withMember('./uploads/f', { type: '6' }), 'suspicious', ['special-member']],
  ['a character device', withMember('./uploads/c', { type: '3' }), 'suspicious', ['special-member']],
  ['a block device', withMember('./uploads/b', { type: '4' }), 'suspicious', ['special-member']],
  ['an unknown type', withMember('./uploads/z', { type: 'z' }), 'suspicious', ['special-member']],
  ['a missing VERSION', exportWith({ './VERSION': null }), 'suspicious', ['version-missing']],
  [
    'an invalid VERSION',
    exportWith({ './VERSION': member({ name: './VERSION', content: 'x'.repeat(1e6) }) }),
    'suspicious',
    ['version-unknown'],
  ],
  ...['0.2.5', '0.3.0', '1.0.0', '0.0.9'].map((content): [string, Buffer, Verdict, string[]] => [
    `the version ${content}`,
    exportWith({ './VERSION': member({ name: './VERSION', content }) }),
    'suspicious',
    ['version-unknown'],
  ]),
  [
    'a tar that is no export',
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
  ['an invalid bundle', damagedBundle(Buffer.from('# v9 git bundle\n')), 'unusable', ['bundle-damaged']],
  ['an empty bundle', damagedBundle(Buffer.alloc(0)), 'unusable', ['bundle-damaged']],
  ['a bundle cut at its end', damagedBundle(soundBundle.subarray(0, -1)), 'unusable', ['bundle-damaged']],
  ['a bundle cut in its header', damagedBundle(soundBundle.subarray(0, 30)), 'unusable', ['bundle-damaged']],
  [
    'a bundle cut before its pack',
    damagedBundle(soundBundle.subarray(0, soundBundle.indexOf('PACK') + 6)),
    'unusable',
    ['bundle-damaged'],
  ],
  [
    'a flipped bit in a pack',
    damagedBundle(flipped(soundBundle, soundBundle.length - 25)),
    'unusable',
    ['bundle-damaged'],
  ],
  [
    'an LFS object whose content does not match its name',
    withMember(`./lfs-objects/${'0'.repeat(64)}`, { content: 'x' }),
    'unusable',
    ['lfs-mismatch', 'lfs-unlisted'],
  ],
  [
    'an LFS object that the archive lists but does not contain',
    withMember('./lfs-objects.json', { content: JSON.stringify({ [lfsOid]: [0], ['0'.repeat(64)]: [0] }) }),
    'suspicious',
    ['duplicate-member', 'lfs-missing'],
  ],
  [
    'an LFS object that the archive contains but does not list',
    withLfsListing('{}'),
    'suspicious',
    ['lfs-unlisted'],
  ],
  [
    'an LFS object that the archive lists without its repositories',
    withLfsListing(JSON.stringify({ [lfsOid]: null })),
    'suspicious',
    ['lfs-unlisted'],
  ],
  ['an LFS object beside a list of none', withLfsListing('null'), 'suspicious', ['lfs-unlisted']],
];

describe('hostile input', () => {
  it.each(hostile)('gets its verdict and its findings: %s', async (_, bytes, verdict, codes) => {
    const seen = await inspectBytes(bytes);
    expect(seen.findings.map(({ code }) => code)).toEqual(codes);
    expect(seen.verdict).toBe(verdict);
    expect(findingCodes).toEqual(expect.arrayContaining(codes));
  });

  it('with any type flag of a member is sound only if the flag is supported, and otherwise suspicious or unusable', async () => {
    for (let flag = 0; flag < 256; flag++) {
      const type = String.fromCharCode(flag);
      const seen = await inspectBytes(withMember('./uploads/any', { type: flag === 0 ? '0' : type }));
      expect([type, seen.verdict]).toEqual([
        type,
        '057\0g'.includes(type) ? 'sound' : expect.stringMatching(/suspicious|unusable/),
      ]);
    }
  });

  it('has invisible characters of its names reported as numbers, so that no shown name deceives the user', async () => {
    const name = './tree/project/a\u202eb\x1b[2J.ndjson';
    const shownName = 'tree/project/a\\u{202e}b\\u{1b}[2J.ndjson';
    const link = member({ name: './uploads/l', type: '2', linkName: 'x\u200b\u0007' });
    const odd = [member({ name, content: 'no record' }), member({ name })];
    const { findings } = await inspectBytes(exportWith({ odd: Buffer.concat([...odd, link]) }));
    expect(findings.map(({ code, where }) => [code, where])).toEqual([
      ['name-odd', shownName],
      ['record-malformed', `${shownName}:0`],
      ['name-odd', shownName],
      ['duplicate-member', shownName],
      ['link', 'uploads/l'],
    ]);
    expect(findings.at(-1)?.message).toBe('The entry is a link to x\\u{200b}\\u{7}');
  });

  it('with names that share their first characters has no duplicates', async () => {
    const many = Array.from({ length: 5000 }, (_, index) => member({ name: `./uploads/${index}` }));
    expect(await inspectBytes(exportWith({ many: Buffer.concat(many) }))).toMatchObject({
      verdict: 'sound',
      uploads: 5001,
    });
  });

  it('with thousands of faults yields a bounded list of findings', async () => {
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
