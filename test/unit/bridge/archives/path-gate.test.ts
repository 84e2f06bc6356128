import { describe, expect, test } from 'vitest';
import {
  commandLinePaths,
  GrantedPaths,
  type GrantedUse,
} from '../../../../src-main/bridge/archives/granted-paths.ts';
import { createPathGate } from '../../../../src-main/bridge/archives/path-gate.ts';
import type { PathUse } from '../../../../src-contract/path-schema.ts';

type Ports = Parameters<typeof createPathGate>[0];

/** This host stores archives in `/archives`, stored them in `/earlier` before, and imported one from `/elsewhere`. */
const gate = createPathGate({
  archives: { isInStore: (path: string) => Promise.resolve(path.startsWith('/archives/')) },
  jobs: { hasImportOf: (path: string) => path === '/elsewhere/imported.tar.gz' },
  settings: { show: () => ({ archiveRoot: '/archives', earlierRoots: ['/earlier'] }) },
  instances: { list: () => [{ caFile: null }, { caFile: '/etc/ca.pem' }] },
} as unknown as Ports);

async function passes(use: PathUse, path: string, granted: [string, GrantedUse][] = []): Promise<boolean> {
  const paths = new GrantedPaths();
  for (const [grantedPath, as] of granted) paths.grant(grantedPath, as);
  try {
    await gate({ use, path }, paths);
    return true;
  } catch (thrown) {
    expect(thrown).toMatchObject({ code: 'path-refused', details: { path } });
    return false;
  }
}

describe('a path that was never granted is refused', () => {
  test.for([
    ['archive', '/etc/passwd'],
    ['file', '/home/me/.ssh/id_ed25519'],
    ['file', '/archives/a/b.tar.gz'],
    ['save-to', '/home/me/.config/autostart'],
    ['save-to', '/archives'],
    ['archive-root', '/mnt/shared'],
    ['archive-root', '/archives/inside'],
    ['certificate', '/tmp/ca.pem'],
  ] as const)('%s %s', async ([use, path]) => {
    expect(await passes(use, path)).toBe(false);
  });
});

describe('a granted path is accepted only for its purpose and in the same spelling', () => {
  test.for([
    ['file', 'archive', true],
    ['file', 'file', true],
    ['file', 'save-to', false],
    ['file', 'archive-root', false],
    ['file', 'certificate', false],
    ['folder', 'save-to', true],
    ['folder', 'archive-root', true],
    ['folder', 'file', false],
    ['certificate', 'certificate', true],
    ['certificate', 'file', false],
  ] as const)('granted as %s, used for %s: %s', async ([as, use, good]) => {
    expect(await passes(use, '/given/it', [['/given/it', as]])).toBe(good);
  });

  test('a similar path is refused', async () => {
    for (const path of [
      '/given',
      '/given/it/more',
      '/given/./it',
      '/given/x/../it',
      '/given/it ',
      '/Given/it',
    ]) {
      expect(await passes('file', path, [['/given/it', 'file']]), path).toBe(false);
    }
  });
});

test('a call may refer to an archive in the store, to one that a job imported, and to anything that is no path', async () => {
  for (const reference of ['/archives/a/b.tar.gz', '/elsewhere/imported.tar.gz', 'a/b.tar.gz', '0f1e2d3c']) {
    expect(await passes('archive', reference), reference).toBe(true);
  }
});

test('a call may name the archive folders of the settings and the certificates of instances again', async () => {
  expect(await passes('archive-root', '/archives')).toBe(true);
  expect(await passes('archive-root', '/earlier')).toBe(true);
  expect(await passes('certificate', '/etc/ca.pem')).toBe(true);
});

test('the command line may name any path', async () => {
  for (const use of ['archive', 'file', 'save-to', 'archive-root', 'certificate'] as const) {
    await expect(gate({ use, path: '/anywhere' }, commandLinePaths)).resolves.toBeUndefined();
  }
});

test('the first of 10,001 granted paths is forgotten', () => {
  const paths = new GrantedPaths();
  for (let at = 0; at <= 10_000; at += 1) paths.grant(`/files/${at}`, 'file');
  expect(paths.isGranted('/files/0', 'file')).toBe(false);
  expect(paths.isGranted('/files/1', 'file')).toBe(true);
  expect(paths.isGranted('/files/10000', 'file')).toBe(true);
});
