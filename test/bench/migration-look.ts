/**
 * @file Measures the processor time of one read of a migration with a thousand projects. Such a read follows the end of
 * each job. Uses the window's calls, so that reading rows and validating the reply count.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { composeApp } from '../../src-main/compose/compose.ts';
import { inProcessClient } from '../../src-main/bridge/transports/in-process.ts';
import { openCatalogue } from '../../src-main/catalogue/database.ts';
import { systemClock } from '../../src-main/platform/clock.ts';
import { createDataPaths } from '../../src-main/platform/paths.ts';
import { storeCrowd } from '../support/migrations/stored-crowd.ts';
import { median, type Report, type Row, atSize } from './measuring.ts';

const wantedMs = 50;
const rounds = atSize(15, 1);

export async function run(projects = atSize(1000, 20)): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'packhorse-migration-look-'));
  try {
    const { catalogue: path } = createDataPaths(folder);
    mkdirSync(folder, { recursive: true });
    const catalogue = openCatalogue({ path, clock: systemClock });
    const migration = storeCrowd(catalogue, projects);
    catalogue.close();
    const app = await composeApp({ env: {}, dataDir: folder });
    const client = inProcessClient(app.dispatch, new AbortController().signal);
    const everything = { migration, state: null, wave: null, search: null };
    const reads: Record<string, () => Promise<unknown>> = {
      'count of its states': () => client.call('migration.show', { migration }),
      'list of a hundred of them': () =>
        client.call('migration.projects', { ...everything, offset: 0, limit: 100 }),
    };
    const rows: Row[] = [];
    const lines: string[] = [];
    for (const [what, read] of Object.entries(reads)) {
      const taken: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const before = process.cpuUsage();
        await read();
        const { user, system } = process.cpuUsage(before);
        taken.push((user + system) / 1000);
      }
      const ms = median(taken);
      rows.push({
        goal: '–',
        what: `a migration of ${projects} projects, ${what}`,
        measured: `${ms.toFixed(0)} ms`,
        goalValue: `≤ ${wantedMs} ms`,
        isReached: ms <= wantedMs,
      });
      lines.push(`${what}: ${taken.map((each) => each.toFixed(0)).join(' ')} ms`);
    }
    await app.close();
    return {
      title: `A read of a migration of ${projects} projects`,
      rows,
      rounds: lines,
      versions: [`Node ${process.version}`],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
