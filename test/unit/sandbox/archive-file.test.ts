import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { create, list } from 'tar';
import { describe, expect, test } from 'vitest';
import { readArchive, writeArchive } from '../../../src-main/sandbox/content/archive-file.ts';
import { generateContent } from '../../../src-main/sandbox/content/generate.ts';
import { emptyContent } from '../../../src-main/sandbox/content/project-content.ts';
import { recipeOf, recipes } from '../../../src-main/sandbox/content/recipes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const author = { id: 1, name: 'Administrator', email: 'root@sandbox.example', username: 'root' };
const stamp = { gitlabVersion: '18.5.0-ee', revision: '0123456789a', time: Date.UTC(2024, 0, 1) };

async function namesIn(file: string): Promise<string[]> {
  const names: string[] = [];
  await list({ file, strict: true, onReadEntry: (entry) => names.push(entry.path) });
  return names;
}

async function written(content = generateContent(recipeOf(3), 7, 1, author)): Promise<string> {
  const file = join(temporaryFolder(), 'archive.tar.gz');
  await writeArchive(file, content, stamp);
  return file;
}

describe('writing', () => {
  test('a strict reader lists names that begin with "./", the root first', async () => {
    const names = await namesIn(await written());

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

  test('the same recipe and seed give the same bytes, another seed gives others', async () => {
    const hash = async (seed: number) => {
      const file = await written(generateContent(recipeOf(1), 7, seed, author));
      return createHash('sha256').update(readFileSync(file)).digest('hex');
    };

    expect(await hash(1)).toBe(await hash(1));
    expect(await hash(1)).not.toBe(await hash(2));
  });

  test('a name too long for a tar header arrives whole', async () => {
    const content = emptyContent();
    const name = `uploads/${'a'.repeat(32)}/${'żółw-'.repeat(60)}.txt`;
    content.otherFiles.set(name, Buffer.from('content'));
    const file = await written(content);
    const archive = await readArchive(file, temporaryFolder());

    expect([...archive.members.keys()]).toContain(name);
  });
});

describe('reading', () => {
  test.each(recipes.map((recipe, index) => [recipe.path, index] as const))(
    'what was written of %s is read back byte for byte',
    async (_path, index) => {
      const content = generateContent(recipeOf(index), 7, 1, author);
      const { members } = await readArchive(await written(content), temporaryFolder());
      const bytes = (name: string): Buffer | undefined => {
        const member = members.get(name);
        return member === undefined || Buffer.isBuffer(member) ? member : readFileSync(member.path);
      };

      expect(bytes('VERSION')?.toString()).toBe('0.2.4');
      for (const [name, expected] of content.relations) {
        expect(bytes(`tree/project/${name}.ndjson`)?.equals(expected), name).toBe(true);
      }
      for (const [name, expected] of content.otherFiles) {
        expect(bytes(name)?.equals(expected as Buffer), name).toBe(true);
      }
    },
  );

  test.each([0.2, 0.5, 0.9, 0.999])(
    'of an archive cut at %d of its length all is read that is left',
    async (part) => {
      const path = await written();
      const whole = readFileSync(path);
      const file = join(temporaryFolder(), 'cut.tar.gz');
      writeFileSync(file, whole.subarray(0, Math.floor(whole.length * part)));

      const read = await readArchive(file, temporaryFolder());
      const names = (archive: { members: ReadonlyMap<string, unknown> }): string[] => [
        ...archive.members.keys(),
      ];

      expect(read.isDamaged).toBe(true);
      expect(names(read)).toContain('VERSION');
      expect(names(await readArchive(path, temporaryFolder()))).toEqual(expect.arrayContaining(names(read)));
    },
  );

  test('AppleDouble files and .DS_Store are ignored, links are told', async () => {
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
