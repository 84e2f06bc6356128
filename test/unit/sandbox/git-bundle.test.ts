import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { SeededRandom } from '../../../src-main/sandbox/content/seeded-random.ts';
import { refsOfBundle, BundleBuilder } from '../../../src-main/sandbox/content/git-bundle.ts';
import { recipes } from '../../../src-main/sandbox/content/recipes.ts';
import { generateRepository } from '../../../src-main/sandbox/content/repository.ts';
import { requirement } from '../../support/requirement.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const author = { name: 'Mara Żółw', email: 'mara@sandbox.example' };
const withoutGit = requirement('git', spawnSync('git', ['--version']).status === 0, 'install git');
const typeNames = ['', 'commit', 'tree', 'blob', 'tag'];

/** Returns the ids of all objects of a pack, computed from the inflated objects; fails on delta entries. */
function objectsOf(pack: Buffer): string[] {
  expect(pack.subarray(0, 4).toString()).toBe('PACK');
  expect(pack.readUInt32BE(4)).toBe(2);
  const count = pack.readUInt32BE(8);
  const ids: string[] = [];
  let at = 12;
  for (let object = 0; object < count; object += 1) {
    let byte = pack.readUInt8(at++);
    const type = typeNames[(byte >> 4) & 7] ?? '';
    let size = byte & 15;
    for (let shift = 4; byte & 0x80; shift += 7) {
      byte = pack.readUInt8(at++);
      size += (byte & 0x7f) << shift;
    }
    const { buffer, engine } = inflateSync(pack.subarray(at), { info: true }) as unknown as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
    at += engine.bytesWritten;
    expect(buffer.length).toBe(size);
    ids.push(createHash('sha1').update(`${type} ${size}\0`).update(buffer).digest('hex'));
  }
  expect(pack.subarray(at)).toEqual(createHash('sha1').update(pack.subarray(0, at)).digest());
  return ids;
}

function packOf(bundle: Buffer): Buffer {
  return bundle.subarray(bundle.indexOf('\n\n') + 2);
}

test.each(recipes.filter((recipe) => recipe.commits > 0))(
  'the pack of $path contains complete objects, a checksum and every object that its references name',
  (recipe) => {
    const { bundle, head } = generateRepository(recipe, new SeededRandom(1, recipe.words), author);
    const ids = objectsOf(packOf(bundle));
    const refs = refsOfBundle(bundle) ?? [];

    expect(refs).toHaveLength(1 + recipe.branches + recipe.tags + 1);
    expect(refs.at(-1)).toEqual({ name: 'HEAD', sha: head });
    for (const ref of refs) expect(ids, ref.name).toContain(ref.sha);
  },
);

test('an object larger than 2 KB keeps its size in the pack', () => {
  const writer = new BundleBuilder();
  const files = new Map([['large.txt', 'x'.repeat(100_000)]]);
  const head = writer.commit({ message: 'Large', unixSeconds: 0, author, files, parents: [] });
  writer.addRef('refs/heads/main', head);

  expect(objectsOf(packOf(writer.createBundle(head)))).toHaveLength(3);
});

test.each([
  ['an HTML page', Buffer.from('<html></html>')],
  ['a bundle cut in its list', Buffer.from('# v2 git bundle\n0123')],
  ['a list without a pack', Buffer.from('# v2 git bundle\n\nnothing')],
])('%s is not a bundle', (_name, bytes) => {
  expect(refsOfBundle(bytes)).toBeNull();
});

test.skipIf(withoutGit)('git verifies, clones and checks the bundle', () => {
  const folder = temporaryFolder();
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  for (const recipe of recipes.filter(({ commits }) => commits > 0)) {
    const { bundle } = generateRepository(recipe, new SeededRandom(1, recipe.words), author);
    const file = join(folder, `${recipe.path}.bundle`);
    writeFileSync(file, bundle);
    git('init', '-q', `${recipe.path}-empty`);
    git('-C', `${recipe.path}-empty`, 'bundle', 'verify', '-q', file);
    git('clone', '-q', file, recipe.path);
    git('-C', recipe.path, 'fsck', '--strict', '--full');

    expect(git('-C', recipe.path, 'log', '--format=%an', '-1').trim()).toBe(author.name);
    expect(git('-C', recipe.path, 'rev-list', '--count', 'HEAD').trim()).toBe(`${recipe.commits}`);
    expect(git('-C', recipe.path, 'branch', '-r').trim().split('\n')).toHaveLength(recipe.branches + 2);
    expect(git('-C', recipe.path, 'tag').split('\n').filter(Boolean)).toHaveLength(recipe.tags);
    expect(readFileSync(join(folder, recipe.path, 'README.md'), 'utf8')).toContain(recipe.name);
  }
});
