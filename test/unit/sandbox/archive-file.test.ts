import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, gunzipSync } from 'node:zlib';
import { create, list } from 'tar';
import { describe, expect, test } from 'vitest';
import {
  readArchive,
  writeArchive,
  type UnpackedArchive,
} from '../../../src-main/sandbox/content/archive-file.ts';
import { generateContent } from '../../../src-main/sandbox/content/generate.ts';
import { emptyContent } from '../../../src-main/sandbox/content/project-content.ts';
import { recipeOf, recipes } from '../../../src-main/sandbox/content/recipes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const author = { id: 1, name: 'Administrator', email: 'root@sandbox.example', username: 'root' };
const stamp = { gitlabVersion: '18.5.0-ee', revision: '0123456789a', time: Date.UTC(2024, 0, 1) };

async function namesIn(file: string, strict = true): Promise<string[]> {
  const names: string[] = [];
  await list({ file, strict, onReadEntry: (entry) => names.push(entry.path) });
  return names;
}

function bytesOf({ members }: UnpackedArchive, name: string): Buffer | undefined {
  const member = members.get(name);
  return member === undefined || Buffer.isBuffer(member) ? member : readFileSync(member.path);
}

async function writeTestArchive(
  content = generateContent(recipeOf(3, false), 7, 1, author),
): Promise<string> {
  const file = join(temporaryFolder(), 'archive.tar.gz');
  await writeArchive(file, content, stamp);
  return file;
}

describe('a written archive', () => {
  test('has only names that begin with "./" for a strict reader, the root first', async () => {
    const names = await namesIn(await writeTestArchive());

    expect(names[0]).toBe('./');
    expect(names.every((name) => name.startsWith('./'))).toBe(true);
    expect(names).toEqual(
      expect.arrayContaining([
        './VERSION',
        './GITLAB_VERSION',
        './GITLAB_REVISION',
        './lfs-objects.json',
        './snippets/',
        './project.bundle',
        './project.wiki.bundle',
        './tree/project.json',
        './tree/project/issues.ndjson',
      ]),
    );
    expect(names.some((name) => /^\.\/uploads\/[0-9a-f]{32}\/[^/]+$/.test(name))).toBe(true);
    expect(new Set(names).size).toBe(names.length);
  });

  test('has the same bytes for the same recipe and seed, and other bytes for another seed', async () => {
    const hash = async (seed: number) => {
      const file = await writeTestArchive(generateContent(recipeOf(1, false), 7, seed, author));
      return createHash('sha256').update(readFileSync(file)).digest('hex');
    };

    expect(await hash(1)).toBe(await hash(1));
    expect(await hash(1)).not.toBe(await hash(2));
  });

  test('keeps a name that is too long for a tar header', async () => {
    const content = emptyContent();
    const name = `uploads/${'a'.repeat(32)}/${'żółw-'.repeat(60)}.txt`;
    content.otherFiles.set(name, Buffer.from('content'));
    const file = await writeTestArchive(content);
    const archive = await readArchive(file, temporaryFolder());

    expect([...archive.members.keys()]).toContain(name);
  });
});

describe('the reader', () => {
  test.each(recipes.map((recipe, index) => [recipe.path, index] as const))(
    'returns the written files of %s byte for byte',
    async (_path, index) => {
      const content = generateContent(recipeOf(index, false), 7, 1, author);
      const archive = await readArchive(await writeTestArchive(content), temporaryFolder());

      expect(bytesOf(archive, 'VERSION')?.toString()).toBe('0.2.4');
      for (const [name, expected] of content.relations) {
        expect(bytesOf(archive, `tree/project/${name}.ndjson`)?.equals(expected), name).toBe(true);
      }
      for (const [name, expected] of content.otherFiles) {
        expect(bytesOf(archive, name)?.equals(expected as Buffer), name).toBe(true);
      }
    },
  );

  test.each([0.2, 0.5, 0.9, 0.999])(
    'returns the complete blocks of every member that is left of an archive that is cut at %d of its length',
    async (part) => {
      const path = await writeTestArchive();
      const complete = readFileSync(path);
      const cut = complete.subarray(0, Math.floor(complete.length * part));
      const file = join(temporaryFolder(), 'cut.tar.gz');
      const tar = join(temporaryFolder(), 'cut.tar');
      const left = gunzipSync(cut, { finishFlush: constants.Z_SYNC_FLUSH });
      writeFileSync(file, cut);
      writeFileSync(tar, left);

      const read = await readArchive(file, temporaryFolder());
      const whole = await readArchive(path, temporaryFolder());
      const names = (await namesIn(tar, false))
        .filter((name) => !name.endsWith('/'))
        .map((name) => name.slice(2));

      expect(read.isDamaged).toBe(true);
      expect(names).toContain('VERSION');
      expect([...read.members.keys()].toSorted()).toEqual(names.toSorted());
      for (const name of names) {
        const bytes = bytesOf(whole, name) ?? Buffer.alloc(0);
        const start = gunzipSync(complete).indexOf(bytes);
        const size = Math.floor((left.length - start) / 512) * 512;
        expect(bytesOf(read, name)?.equals(bytes.subarray(0, size)), name).toBe(true);
      }
    },
  );

  test('ignores AppleDouble files and .DS_Store, and reports symbolic links', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'tree'));
    for (const name of ['VERSION', '._VERSION', '.DS_Store', 'tree/._project.json']) {
      writeFileSync(join(folder, name), 'text');
    }
    symlinkSync('/etc/passwd', join(folder, 'link'));
    const file = join(temporaryFolder(), 'archive.tar.gz');
    await create({ gzip: true, file, cwd: folder }, ['.']);
    const archive = await readArchive(file, temporaryFolder());

    expect([...archive.members.keys()]).toEqual(['VERSION']);
    expect(archive.symbolicLinks).toEqual(['link']);
  });
});
