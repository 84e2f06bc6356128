/**
 * @file Checks that subjects have the same names in every layer (docs/decisions/0014). A folder of a layer is named after a
 * subject, or is one of the technical folders that are listed here for the layer.
 */
import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');

const subjects = ['archives', 'instances', 'migrations', 'plans', 'projects', 'runs', 'tokens', 'transfers'];

/** Technical folders of each layer. Their files belong to no subject. */
const technical: Record<string, string[]> = {
  'src-contract': ['calls', 'words'],
  'src-main/bridge': ['host', 'transports'],
  'src-main/catalogue': ['recovery', 'schema'],
  'src-main/gitlab': ['http'],
  'src-main/hosts/cli': ['running', 'terminal'],
  'src-main/jobs': ['exporting', 'importing', 'running'],
  'src-main/services': ['sandbox'],
  'src-main/sandbox/routes': [],
  'src-renderer/views': ['commands', 'first-start', 'overview', 'settings', 'shared'],
};

const foldersIn = (layer: string): string[] => [
  ...new Set(
    globSync('*/**/*.{ts,svelte}', { cwd: resolve(root, layer) }).flatMap(
      (path) => path.split(/[\\/]/)[0] ?? [],
    ),
  ),
];

const unknownFolders = (folders: readonly string[], allowed: readonly string[]): string[] =>
  folders.filter((name) => !subjects.includes(name) && !allowed.includes(name));

test.each(Object.entries(technical))(
  '%s has only folders of subjects and its listed technical folders',
  (layer, allowed) => {
    const folders = foldersIn(layer);
    expect(unknownFolders(folders, allowed)).toEqual([]);
    expect(allowed.filter((name) => !folders.includes(name))).toEqual([]);
  },
);

test('a subject under another name is rejected', () => {
  expect(unknownFolders(['plans', 'account', 'activity'], ['http'])).toEqual(['account', 'activity']);
});

test.each(subjects)('the subject %s has a folder in at least two layers', (subject) => {
  const layers = Object.keys(technical).filter((layer) => foldersIn(layer).includes(subject));
  expect(layers.length).toBeGreaterThanOrEqual(2);
});
