/**
 * @file Builds export archives byte by byte, valid ones and ones that no correct tar program writes. Shares no code
 * with the tested reader.
 */
import { createHash } from 'node:crypto';
import { deflateSync, gzipSync } from 'node:zlib';

export interface MemberSpec {
  name: string;
  content?: string | Buffer;
  /** Type flag; default: a plain file. */
  type?: string;
  linkName?: string;
  /** The size field if it must differ from the content's length: a number, or the raw twelve bytes. */
  size?: number | string | Buffer;
  /** A wrong checksum on purpose. */
  checksum?: number;
  /** Seconds since 1970. */
  changedAt?: number;
  /** GNU's magic instead of POSIX ustar's. */
  gnu?: boolean;
}

const pad = (length: number): Buffer => Buffer.alloc((512 - (length % 512)) % 512);

export function member(spec: MemberSpec): Buffer {
  const content = Buffer.from(spec.content ?? '');
  const header = Buffer.alloc(512);
  header.write(spec.name, 0, 100, 'utf8');
  header.write('0000644\0' + '0000000\0' + '0000000\0', 100, 'latin1');
  const size = spec.size ?? content.length;
  if (typeof size === 'number') header.write(size.toString(8).padStart(11, '0'), 124, 'latin1');
  else Buffer.from(size).copy(header, 124, 0, 12);
  header.write((spec.changedAt ?? 0o14000000000).toString(8).padStart(11, '0'), 136, 'latin1');
  header.write(spec.type ?? (spec.name.endsWith('/') ? '5' : '0'), 156, 'latin1');
  header.write(spec.linkName ?? '', 157, 100, 'utf8');
  header.write(spec.gnu === true ? 'ustar  \0' : 'ustar\x0000', 257, 'latin1');
  header.fill(' ', 148, 156);
  const sum = spec.checksum ?? header.reduce((total, byte) => total + byte, 0);
  header.write(sum.toString(8).padStart(6, '0') + '\0 ', 148, 'latin1');
  return Buffer.concat([header, content, pad(content.length)]);
}

/** Returns the twelve bytes of a size field that ends with these. */
export const base256 = (bytes: number[]): Buffer =>
  Buffer.from([...Array<number>(12 - bytes.length).fill(0), ...bytes]);

export function pax(records: Record<string, string>, type: 'x' | 'g' = 'x'): Buffer {
  const lines = Object.entries(records).map(([key, value]) => {
    const rest = Buffer.byteLength(` ${key}=${value}\n`);
    let length = rest + 1;
    while (String(length).length + rest !== length) length = String(length).length + rest;
    return `${length} ${key}=${value}\n`;
  });
  return member({ name: './PaxHeaders/x', type, content: lines.join('') });
}

export function gnuLong(type: 'L' | 'K', text: string): Buffer {
  return member({ name: '././@LongLink', type, content: `${text}\0`, gnu: true });
}

export const endMarker = Buffer.alloc(1024);

export function gzip(...parts: readonly Buffer[]): Buffer {
  return gzipSync(Buffer.concat(parts));
}

/** Returns a gzipped tar with its end marker. */
export function archive(...parts: readonly Buffer[]): Buffer {
  return gzip(...parts, endMarker);
}

/** Returns a git bundle with a complete pack of blobs, made without git. */
export function bundle(refs: readonly string[], blobs: readonly string[] = ['hello\n']): Buffer {
  const oid = 'a'.repeat(40);
  const header = ['# v2 git bundle', ...refs.map((ref) => `${oid} ${ref}`), '', ''].join('\n');
  const count = Buffer.alloc(4);
  count.writeUInt32BE(blobs.length);
  const objects = blobs.map((text) => {
    // Type 3 (blob) and a size below 16 fit into the one header byte.
    return Buffer.concat([Buffer.from([0x30 | Math.min(text.length, 15)]), deflateSync(Buffer.from(text))]);
  });
  const pack = Buffer.concat([Buffer.from('PACK\0\0\0\x02', 'latin1'), count, ...objects]);
  return Buffer.concat([Buffer.from(header), pack, createHash('sha1').update(pack).digest()]);
}

export const lines = (...records: readonly unknown[]): string =>
  records.map((record) => JSON.stringify(record) + '\n').join('');

export const lfsObject = Buffer.from('a large file');
export const lfsOid = createHash('sha256').update(lfsObject).digest('hex');

/** Returns the members of a valid export with a little of everything, by name, so that a test can change one. */
export function exportMembers(changedAt?: number): Map<string, Buffer> {
  const specs: MemberSpec[] = [
    { name: './' },
    { name: './VERSION', content: '0.2.4' },
    { name: './GITLAB_VERSION', content: '17.11.0' },
    { name: './tree/' },
    { name: './tree/project.json', content: '{"description":"A project"}' },
    { name: './tree/project/' },
    {
      name: './tree/project/issues.ndjson',
      content: lines(
        { title: 'One', notes: [{ note: 'seen' }, { note: 'closed', system: true }] },
        { title: 'Two', notes: [{ note: 'x', system: false, author: { system: true } }] },
      ),
    },
    { name: './tree/project/labels.ndjson', content: '' },
    { name: './tree/project/project_feature.ndjson', content: '{"wiki_access_level":20}' },
    { name: './tree/project/auto_devops.ndjson', content: 'null' },
    { name: './project.bundle', content: bundle(['refs/heads/main', 'refs/tags/v1', 'HEAD']) },
    { name: './lfs-objects.json', content: JSON.stringify({ [lfsOid]: [0] }) },
    { name: './lfs-objects/', type: '5' },
    { name: `./lfs-objects/${lfsOid}`, content: lfsObject },
    { name: './uploads/0123456789abcdef0123456789abcdef/a.png', content: 'png' },
  ];
  const dated = changedAt === undefined ? {} : { changedAt };
  return new Map(specs.map((spec) => [spec.name, member({ ...spec, ...dated })]));
}

/**
 * Returns a valid export. `changes` replaces members of the same name and adds new ones at the end; null leaves one
 * out.
 */
export function exportWith(changes: Record<string, Buffer | null> = {}): Buffer {
  const members = exportMembers();
  for (const [name, bytes] of Object.entries(changes)) {
    if (bytes === null) members.delete(name);
    else members.set(name, bytes);
  }
  return archive(...members.values());
}

/** Returns a generator of numbers that look random and are the same in every run. */
export function seeded(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    const mixed = Math.imul(state ^ (state >>> 12), 0x297a2d39) >>> 0;
    return ((mixed ^ (mixed >>> 15)) >>> 0) % below;
  };
}
