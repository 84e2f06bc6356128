import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from '../../../src-contract/schema.ts';

const root = resolve(import.meta.dirname, '../../..');
const text = (name: string): string => readFileSync(join(root, name), 'utf8');
const decisions = readdirSync(join(root, 'docs/decisions')).map((name) => `docs/decisions/${name}`);
const documents = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...globSync('docs/*.md', { cwd: root }).toSorted(),
  ...decisions,
];

const sources = globSync('{src-*,test}/**/*.{ts,svelte}', { cwd: root });
const fileNames = new Set(sources.map((path) => basename(path)));
const code = sources.map(text).join('\n');

const packageSchema = z.object({
  scripts: z.record(z.string(), z.string()),
  dependencies: z.record(z.string(), z.string()),
  devDependencies: z.record(z.string(), z.string()),
});
const manifest = packageSchema.parse(JSON.parse(text('package.json')));

describe('documents', () => {
  it.each(documents)('every path that %s names exists', (name) => {
    const named = text(name).matchAll(/`((?:src-[a-z]+|test|docs|\.ci)\/[\w./-]*)`/g);
    const links = text(name).matchAll(/\]\(([\w./-]+)\)/g);
    const paths = [...named, ...links].map((match) => match[1] ?? '');
    // A placeholder such as NNNN stands for a file that does not exist yet.
    const missing = paths.filter((path) => !path.includes('NNNN') && !existsSync(join(root, path)));
    expect(missing).toEqual([]);
  });

  it.each(['ARCHITECTURE.md', 'CONTRIBUTING.md', 'docs/security.md', 'docs/hooks.md', 'docs/daemon.md'])(
    'every file and every identifier that %s cites exists in the code',
    (name) => {
      const cited = [...text(name).matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? '');
      // Names with a placeholder, such as `x-schema.ts` or `….text.ts`, stand for many files.
      const files = cited.filter((file) => /^(?!x[-.])[a-z][\w-]*\.(?:ts|svelte)$/.test(file));
      expect(files.filter((file) => !fileNames.has(file))).toEqual([]);
      const names = cited.filter((identifier) => /^(?:[a-z]+|(?:[A-Z][a-z]+))[A-Z]\w*$/.test(identifier));
      expect(names.filter((identifier) => !new RegExp(String.raw`\b${identifier}\b`).test(code))).toEqual([]);
    },
  );

  it.each(documents)('every script that %s mentions exists', (name) => {
    const scripts = [...text(name).matchAll(/npm run (?:--silent )?([\w:]+)/g)].map(
      (match) => match[1] ?? '',
    );
    expect(scripts.filter((script) => manifest.scripts[script] === undefined)).toEqual([]);
  });

  it('every dependency has a documented reason', () => {
    const reasons = text('docs/dependencies.md');
    const names = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(names.filter((name) => !reasons.includes(`**${name}**`))).toEqual([]);
  });

  it('no document contains a placeholder for a figure', () => {
    for (const name of documents) expect(text(name)).not.toMatch(/%[A-Z]+%/);
  });
});
