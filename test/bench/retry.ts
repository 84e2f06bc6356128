/**
 * @file Imports a relation of a 100 MB project again after the target silently dropped a few of its records. Exactly
 * those records must arrive, from an upload much smaller than the archive.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { create } from 'tar';
import { systemClock } from '../../src-main/platform/clock.ts';
import { openMigrationScene } from '../support/migrations/migration-scene.ts';
import { atSize, type Report } from './measuring.ts';
import { archiveFilter } from '../support/requests.ts';

const megabytes = atSize(100, 1);
const issues = atSize(2_000, 5);
const dropped = atSize(20, 1);
const path = 'archives/wagon';
const at = '2026-01-01T00:00:00.000Z';

const issue = (iid: number) => ({
  iid,
  title: `Issue ${iid}`,
  description: randomBytes(200).toString('hex'),
  state: 'opened',
  author_id: 1,
  created_at: at,
  updated_at: at,
  notes: [],
});

export async function run(): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'packhorse-retry-'));
  try {
    const file = join(folder, 'wagon.tar.gz');
    const all = Array.from({ length: issues }, (_, index) => issue(index + 1));
    const members = {
      VERSION: '0.2.4',
      'tree/project.json': '{}',
      'tree/project/issues.ndjson': all.map((record) => `${JSON.stringify(record)}\n`).join(''),
      'uploads/0123456789abcdef0123456789abcdef/big.bin': randomBytes(megabytes * 1_000_000),
    };
    const content = join(folder, 'content');
    for (const [name, bytes] of Object.entries(members)) {
      mkdirSync(dirname(join(content, name)), { recursive: true });
      writeFileSync(join(content, name), bytes);
    }
    await create({ gzip: true, file, cwd: content }, ['.']);
    const scene = await openMigrationScene(folder, { source: { seedArchives: [file] } });
    try {
      scene.target.faults.add({
        match: { method: 'POST', path: '/projects/import$', times: 1 },
        action: { kind: 'drop-records', relation: 'issues', count: dropped },
      });
      const { id } = await scene.migration([path]);
      await scene.start(id);
      await scene.until(id, ({ status }) => status === 'ended');
      const storedIssues = async () => (await scene.target.state.project(path)).relations['issues'] ?? [];
      const before = (await storedIssues()).length;
      const began = systemClock.monotonic();
      const { client } = scene;
      const retry = { migration: id, project: path, relation: 'issues', records: 'missing' } as const;
      const { jobId } = await client.call('migration.retry', retry);
      const { projects } = await scene.until(id, ({ status }) => status === 'ended');
      const seconds = (systemClock.monotonic() - began) / 1000;
      const { input } = await client.call('job.show', { job: jobId });
      const { sizeBytes } = input as { sizeBytes: number };
      const shown = await client.call('archive.list', archiveFilter({ limit: 1 }));
      const archiveBytes = statSync(shown.archives[0]?.absolutePath ?? '').size;
      const arrived = (await storedIssues()).map(({ iid }) => iid);
      const isExact = arrived.join() === all.map(({ iid }) => iid).join() && projects.arrived === 1;
      const share = (100 * sizeBytes) / archiveBytes;
      return {
        title: `A relation of a project of ${(archiveBytes / 1e6).toFixed(0)} MB imported again`,
        rows: [
          {
            goal: '–',
            what: `records on the target, of ${issues} (${issues - before} were dropped)`,
            measured: `${before}, then ${arrived.length}`,
            goalValue: 'all exactly once',
            isReached: isExact && before === issues - dropped,
          },
          {
            goal: '–',
            what: 'upload as a share of the whole archive',
            measured: `${share.toFixed(3)} % (${sizeBytes} bytes)`,
            goalValue: '≤ 1 %',
            isReached: share <= 1,
          },
        ],
        rounds: [`${seconds.toFixed(1)} s from the call to the end of the comparison`],
        versions: [`Node ${process.version}`],
        verdict: { line: `share ${share.toFixed(3)} %, exact ${isExact}`, isGood: isExact && share <= 1 },
      };
    } finally {
      await scene.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
