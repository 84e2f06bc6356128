/** @file The reader lists the same members of a tar as GNU tar, for any modified header. GitLab unpacks with GNU tar. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultReadLimits, LimitExceeded } from '../../../src-main/archive/limits.ts';
import { TarWalker } from '../../../src-main/archive/reader/tar-walker.ts';
import { base256, endMarker, gnuLong, member, pax, seeded } from '../../support/archives/archive-builder.ts';
import { requirement } from '../../support/requirement.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const withoutTar = requirement(
  'GNU tar',
  /GNU tar/.test(String(spawnSync('tar', ['--version']).stdout)),
  'install GNU tar',
);

interface Listed {
  type: string;
  size: number;
  name: string;
}

/** Returns null if the tar is refused or reported as suspicious. */
function listed(tar: Buffer): Listed[] | null {
  const members: Listed[] = [];
  const odd: string[] = [];
  const walker = new TarWalker(
    {
      onMember({ name, type, size }) {
        const isFolder = type === '0' && name.endsWith('/');
        if (/[\0\ufffd]|^$/.test(name) || !(type in letters)) odd.push(name);
        members.push({ name, size, type: letters[isFolder ? '5' : type] ?? '' });
        return null;
      },
      onMixedHeaders: (name) => odd.push(name),
    },
    defaultReadLimits,
  );
  try {
    walker.write(tar);
  } catch (error) {
    if (error instanceof LimitExceeded) return null;
    throw error;
  }
  return walker.end().isComplete && odd.length === 0 ? members : null;
}

/** The letter that GNU tar shows for a type. */
const letters: Record<string, string> = { 0: '-', 1: 'h', 2: 'l', 3: 'c', 4: 'b', 5: 'd', 6: 'p', 7: 'C' };

/**
 * Returns the list and the complaints of GNU tar about each file. One shell lists all of them, because starting a process
 * from a large one takes longer than listing a small file.
 */
function listedByTar(tars: readonly Buffer[]): { members: Listed[]; complaint: string }[] {
  const folder = temporaryFolder();
  tars.forEach((tar, at) => {
    writeFileSync(join(folder, `${at}.tar`), tar);
  });
  const list = 'tar -tv --numeric-owner --full-time --quoting-style=c -f "$file"';
  const script = `for file in *.tar; do ${list} < /dev/null > "$file.out" 2> "$file.err"; done`;
  const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
  spawnSync('sh', ['-c', script], { cwd: folder, env });
  return tars.map((_, at) => {
    const complaint = readFileSync(join(folder, `${at}.tar.err`), 'utf8');
    const lines = readFileSync(join(folder, `${at}.tar.out`), 'utf8')
      .split('\n')
      .slice(0, -1);
    return { members: lines.map((line) => listedMember(line, complaint)), complaint };
  });
}

function listedMember(line: string, complaint: string): Listed {
  const [, type, size, name] = /^(\S)\S{9,10} +\S+ +(\S+) [^"]+ "((?:[^"\\]|\\.)*)"/.exec(line) ?? [];
  if (type === undefined || name === undefined) throw new Error(`${line}\n${complaint}`);
  return { type, size: Number(size), name: unquoted(name) };
}

function unquoted(name: string): string {
  const bytes = name.replace(/\\(\d{3}|.)/g, (_, code: string) => {
    const special = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 }[code];
    if (special !== undefined) return String.fromCharCode(special);
    return code.length === 3 ? String.fromCharCode(parseInt(code, 8)) : code;
  });
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

type Next = (below: number) => number;

const withSum = (header: Buffer): Buffer => {
  header.fill(' ', 148, 156);
  const sum = header.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  header.write(sum.toString(8).padStart(6, '0') + '\0 ', 148, 'latin1');
  return header;
};

/** Returns a member in one of the formats that programs write. */
function anyMember(next: Next, at: number): Buffer {
  const content = Buffer.alloc([0, 1, 511, 512, 513, 1500][next(6)] ?? 0, 'x');
  const name = `./uploads/${at}-${'äö n"\\\n'.slice(0, next(7))}`;
  const long = `${name}${'long/'.repeat(30)}x`;
  const octal = content.length.toString(8);
  const formats: (() => Buffer)[] = [
    () => member({ name, content }),
    () => member({ name: `${name.slice(0, 90)}/` }),
    () => member({ name, content, gnu: true }),
    () => member({ name, content, type: '\0' }),
    () => member({ name: `${name}/`, content, type: '\0' }),
    () => member({ name, content, type: '7' }),
    () => member({ name, type: '2', linkName: 'VERSION' }),
    () => member({ name, type: '1', linkName: './VERSION', size: 700 }),
    () => member({ name, type: '6' }),
    () => member({ name, type: '5', size: 700 }),
    () =>
      Buffer.concat([
        pax({ size: '512' }),
        member({ name, content: 'x'.repeat(512), type: '1', linkName: 'x', size: 0 }),
      ]),
    () => member({ name, content, size: `${octal.padStart(11)} ` }),
    () => member({ name, content, size: octal.padStart(12, '0') }),
    () => member({ name, content, size: Buffer.from(`${octal} \0`.padEnd(12, '\0'), 'latin1') }),
    () =>
      member({
        name,
        content,
        size: base256([content.length >> 8, content.length & 255]).fill(0x80, 0, 1),
      }),
    () => Buffer.concat([pax({ path: long, mtime: '1.5' }), member({ name: 'short', content })]),
    () => Buffer.concat([pax({ size: String(content.length) }), member({ name, content, size: 0 })]),
    () => Buffer.concat([pax({ path: '12345' }), member({ name: 'short', content })]),
    () =>
      Buffer.concat([
        member({ name: 'x', type: 'x', content: '15 path=former\n14 path=later\n' }),
        member({ name: 'short', content }),
      ]),
    () => Buffer.concat([pax({ linkpath: long }), member({ name, type: '2', linkName: 'x' })]),
    () => Buffer.concat([pax({ path: 'a' }), pax({ path: long }), member({ name: 'short', content })]),
    () => Buffer.concat([pax({ comment: 'of all that follow' }, 'g'), member({ name, content })]),
    () => Buffer.concat([gnuLong('L', long), member({ name: 'short', content, gnu: true })]),
    () =>
      Buffer.concat([gnuLong('K', long), gnuLong('L', long), member({ name: 'x', type: '2', gnu: true })]),
    () => {
      const bytes = member({ name: 'base', content });
      bytes.write(`./uploads/${'deep/'.repeat(20)}${at}`, 345, 155, 'latin1');
      return withSum(bytes);
    },
  ];
  return (formats[next(formats.length)] as () => Buffer)();
}

describe.skipIf(withoutTar)('a tar', () => {
  it('has the members, sizes and types that GNU tar lists, in each of the usual formats', () => {
    const next = seeded(21);
    const tars = Array.from({ length: 40 }, () => {
      const members = Array.from({ length: 1 + next(40) }, (_, at) => anyMember(next, at));
      return Buffer.concat([...members, endMarker]);
    });
    const byTar = listedByTar(tars);
    for (const [round, tar] of tars.entries())
      expect([round, { members: listed(tar), complaint: '' }]).toEqual([round, byTar[round]]);
  });

  it('is refused if GNU tar would read other members, whatever was changed in a header', () => {
    const next = seeded(7);
    const outcomes = { same: 0, refused: 0 };
    // Bytes with a meaning in numbers, names and types.
    const odd = Buffer.from('\0\0  0179+-/=ALxgKS\x80\xff\n', 'latin1');
    const read: { tar: Buffer; shown: string; members: Listed[] }[] = [];
    for (let round = 0; round < 400; round++) {
      const changed = anyMember(next, round);
      // Members that would appear if the size of the changed member were misread.
      const hidden = member({ name: './hidden', content: member({ name: './inside' }) });
      const blocks = changed.length / 512;
      const block = next(blocks) * 512;
      for (let count = 1 + next(3); count > 0; count--) {
        const at = next(3) === 0 ? next(512) : [next(100), 124 + next(12), 156, 257 + next(8)][next(4)];
        changed[block + (at ?? 0)] = odd[next(odd.length)] ?? 0;
      }
      if (next(8) > 0) withSum(changed.subarray(block, block + 512));
      const tar = Buffer.concat([member({ name: './first' }), changed, hidden, endMarker]);
      const found = listed(tar);
      outcomes[found === null ? 'refused' : 'same']++;
      const shown = changed.subarray(block, block + 345).toString('latin1');
      if (found !== null) read.push({ tar, shown, members: found });
    }
    const byTar = listedByTar(read.map(({ tar }) => tar));
    for (const [round, { shown, members }] of read.entries())
      expect([round, shown, members]).toEqual([round, shown, byTar[round]?.members]);
    expect(outcomes.same).toBeGreaterThan(50);
    expect(outcomes.refused).toBeGreaterThan(50);
  });
});
