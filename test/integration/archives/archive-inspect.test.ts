import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { link, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Inspection } from '../../../src-contract/archives/archive.ts';
import { inspectFile, startInspection } from '../../../src-main/archive/inspect.ts';
import { exportWith, member } from '../../support/archives/archive-builder.ts';
import { requirement } from '../../support/requirement.ts';
import { realArchive, realArchives, withoutRealArchives } from '../../support/archives/real-archives.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

function stored(bytes: Buffer): string {
  const path = join(temporaryFolder(), 'some_export.tar.gz');
  writeFileSync(path, bytes);
  return path;
}

const withCode = (code: string): Error => expect.objectContaining({ code }) as Error;

const withoutFifo = requirement(
  'mkfifo',
  spawnSync('mkfifo', ['--version']).error === undefined,
  'install the core utilities (coreutils)',
);

const withoutDevices = requirement(
  'the devices of Linux',
  process.platform === 'linux',
  'run the tests on Linux',
);

describe('an archive file', () => {
  it('is read to its end, with the hash and the size of the file', async () => {
    const bytes = exportWith();
    const progress: [number, number][] = [];
    const inspection = await inspectFile(stored(bytes), { onProgress: (...step) => progress.push(step) });
    expect(inspection).toMatchObject({
      verdict: 'sound',
      sha256: createHash('sha256').update(bytes).digest('hex'),
      sizeBytes: bytes.length,
      relations: { issues: 2 },
    });
    expect(progress.at(-1)).toEqual([bytes.length, bytes.length]);
  });

  it('has a hash and a size even if it is unusable', async () => {
    const bytes = Buffer.concat([exportWith().subarray(0, 300), Buffer.alloc(700_000, 1)]);
    expect(await inspectFile(stored(bytes))).toMatchObject({
      verdict: 'unusable',
      sha256: createHash('sha256').update(bytes).digest('hex'),
      sizeBytes: bytes.length,
    });
  });

  it.skipIf(withoutFifo)('that is a fifo is refused without waiting for a writer', async () => {
    const path = join(temporaryFolder(), 'fifo');
    execFileSync('mkfifo', [path]);
    await expect(inspectFile(path)).rejects.toThrow(withCode('archive-unsafe'));
  });

  it('that is missing, a link or a folder is refused', async () => {
    const folder = temporaryFolder();
    const path = (name: string): string => join(folder, name);
    writeFileSync(path('real'), exportWith());
    await symlink('real', path('link'));
    await mkdir(path('folder'));
    await expect(inspectFile(path('none'))).rejects.toThrow(withCode('archive-missing'));
    await expect(inspectFile(path('real/below'))).rejects.toThrow(withCode('archive-missing'));
    for (const name of ['link', 'folder']) {
      await expect(inspectFile(path(name))).rejects.toThrow(withCode('archive-unsafe'));
    }
    await link(path('real'), path('second name'));
    expect(await inspectFile(path('second name'))).toMatchObject({ verdict: 'sound' });
  });

  it.each([
    ['grows', 'a'],
    ['is overwritten', 'r+'],
    ['is cut', 'w'],
  ])('that %s while it is read is reported as changed, not as damaged', async (_, flag) => {
    const path = stored(exportWith({ big: member({ name: './uploads/big', content: noise(3_000_000) }) }));
    let changed = false;
    const reading = inspectFile(path, {
      onProgress: () => {
        if (!changed) writeFileSync(path, 'more', { flag });
        changed = true;
      },
    });
    await expect(reading).rejects.toThrow(withCode('archive-changed'));
  });

  it.skipIf(withoutDevices)(
    'that is a device is refused, and a file that the disk cannot read is not reported as damaged',
    async () => {
      for (const device of ['/dev/zero', '/dev/null', '/dev/full']) {
        await expect(inspectFile(device)).rejects.toThrow(withCode('archive-unsafe'));
      }
      // The first page of this regular file is not mapped, so that reading it is an input/output error.
      await expect(inspectFile('/proc/self/mem')).rejects.toThrow(withCode('disk-failed'));
      expect(openDescriptors('/proc/self/mem')).toBe(0);
    },
  );

  it('is closed at once when the signal aborts', async () => {
    const path = stored(exportWith({ big: member({ name: './uploads/big', content: noise(3_000_000) }) }));
    const stop = new AbortController();
    const reading = inspectFile(path, {
      signal: stop.signal,
      onProgress: () => {
        stop.abort(new Error('enough'));
      },
    });
    await expect(reading).rejects.toThrow('enough');
    await expect(inspectFile(path, { signal: AbortSignal.abort(new Error('before')) })).rejects.toThrow(
      'before',
    );
    expect(openDescriptors(path)).toBe(0);
  });
});

describe('a session', () => {
  it('returns the same result however the bytes are split', async () => {
    const bytes = exportWith();
    const results: Inspection[] = [];
    for (const size of [1000, 4096, bytes.length]) {
      const session = startInspection();
      for (let at = 0; at < bytes.length; at += size) await session.write(bytes.subarray(at, at + size));
      results.push(await session.finish());
    }
    expect(results[1]).toEqual(results[0]);
    expect(results[2]).toEqual(results[0]);
  });

  it('that is aborted in the middle rejects further calls and leaves no worker behind', async () => {
    const posted = vi.spyOn(Worker.prototype, 'postMessage');
    onTestFinished(() => {
      posted.mockRestore();
    });
    const session = startInspection();
    await session.write(exportWith().subarray(0, 500));
    await session.abort();
    await expect(session.write(Buffer.from('x'))).rejects.toThrow(withCode('cancelled'));
    await expect(session.finish()).rejects.toThrow(withCode('cancelled'));
    await session.abort();
    const [worker, ...others] = new Set(posted.mock.contexts);
    expect(others).toEqual([]);
    // An ended thread has the id -1.
    expect(worker).toHaveProperty('threadId', -1);
  });
});

describe('a slow disk', () => {
  it('delays the end of an aborted session by at most one read', async () => {
    const bytes = exportWith();
    const waiting = Promise.withResolvers<undefined>();
    const slow = Promise.withResolvers<number>();
    let reads = 0;
    const session = startInspection();
    const pulled = session.pullFrom((buffer) => {
      reads += 1;
      if (reads === 1) return Promise.resolve(bytes.copy(buffer, 0, 0, 100));
      waiting.resolve(undefined);
      return slow.promise;
    });
    const failed = expect(pulled).rejects.toThrow(withCode('cancelled'));
    await waiting.promise;
    await session.abort();
    slow.resolve(100);
    await failed;
    expect(reads).toBe(2);
  });
});

describe.skipIf(withoutRealArchives)('archives that GitLab wrote', () => {
  const at = (name: string): string => realArchive(name);
  const nonZero = ({ relations }: Inspection): Record<string, number> =>
    Object.fromEntries(Object.entries(relations).filter(([, count]) => count > 0));

  it.each([
    [
      'gitlab-15.10-minimal',
      {
        layout: 'ndjson',
        version: '0.2.4',
        gitlabVersion: '15.10.0-pre',
        members: 38,
        unpackedBytes: 40_448,
      },
      {
        project_members: 1,
        merge_requests: 1,
        protected_branches: 1,
        milestones: 1,
        metrics_setting: 1,
        labels: 1,
        issues: 1,
        container_expiration_policy: 1,
        ci_cd_settings: 1,
        security_setting: 1,
        project_feature: 1,
      },
    ],
    [
      'gitlab-13.8-sample',
      { layout: 'ndjson', gitlabVersion: '13.8.0', members: 33, notes: { issues: 387, merge_requests: 290 } },
      {
        merge_requests: 30,
        ci_cd_settings: 1,
        protected_branches: 1,
        milestones: 3,
        issues: 30,
        project_feature: 1,
        metrics_setting: 1,
        container_expiration_policy: 1,
        project_members: 1,
        labels: 30,
      },
    ],
    [
      'lightweight',
      { gitlabVersion: null, members: 20, notes: { merge_requests: 2 } },
      {
        project_members: 1,
        merge_requests: 1,
        protected_branches: 1,
        milestones: 1,
        labels: 1,
        issues: 1,
        ci_cd_settings: 1,
        project_feature: 1,
      },
    ],
    [
      'gitlab-17.11-appledouble',
      { gitlabVersion: '17.11.0-pre', members: 42, notes: {} },
      {
        project_members: 1,
        protected_branches: 1,
        container_expiration_policy: 1,
        ci_cd_settings: 1,
        security_setting: 1,
        project_feature: 1,
      },
    ],
    [
      'nested-diffnote',
      { members: 23, notes: { merge_requests: 2 } },
      {
        project_members: 1,
        merge_requests: 1,
        protected_branches: 1,
        milestones: 1,
        labels: 1,
        issues: 1,
        ci_cd_settings: 1,
        project_feature: 1,
      },
    ],
    ['invalid-milestone', { gitlabVersion: '16.11.0-pre', bundles: [] }, { milestones: 2 }],
    [
      'gitlab-11-legacy',
      {
        ...{ layout: 'legacy', version: '0.2.4', members: 5 },
        findings: [expect.objectContaining({ code: 'legacy-layout', severity: 'info' })],
      },
      { milestones: 5, issues: 10, project_members: 1, merge_requests: 9, project_feature: 1 },
    ],
  ])('%s is sound and has the expected counts', async (name, facts, counts) => {
    const inspection = await inspectFile(at(name));
    expect(inspection).toMatchObject({ verdict: 'sound', findings: [], ...facts });
    expect(nonZero(inspection)).toEqual(counts);
  });

  it('nested-diffnote contains the same repository as lightweight', async () => {
    const [nested, lightweight] = await Promise.all([
      inspectFile(at('nested-diffnote')),
      inspectFile(at('lightweight')),
    ]);
    expect(nested.bundles).toEqual(lightweight.bundles);
    expect(nested.bundles).toEqual([
      { member: 'project.bundle', branches: 2, tags: 0, otherRefs: 3, objects: 6 },
    ]);
  });

  it('symlink is suspicious because of a link and a missing VERSION', async () => {
    const { verdict, findings } = await inspectFile(at('symlink'));
    expect(verdict).toBe('suspicious');
    expect(findings).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ code: 'link', where: 'uploads/link.gitignore' }),
        expect.objectContaining({ code: 'version-missing' }),
      ]),
    );
  });

  it('all have as many members as tar lists', async () => {
    for (const name of readdirSync(realArchives).filter((file) => file.endsWith('.tar.gz'))) {
      const listed = execFileSync('tar', ['tzf', join(realArchives, name)], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const { members } = await inspectFile(join(realArchives, name));
      expect([name, members]).toEqual([name, listed.toString().trim().split('\n').length]);
    }
  });
});

/** Bytes that do not compress. */
function noise(length: number): Buffer {
  const blocks = Array.from({ length: Math.ceil(length / 32) }, (_, index) =>
    createHash('sha256').update(String(index)).digest(),
  );
  return Buffer.concat(blocks).subarray(0, length);
}

function openDescriptors(path: string): number {
  if (process.platform !== 'linux') return 0;
  return readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === path;
    } catch {
      return false;
    }
  }).length;
}
