/**
 * @file P11 of the goals: a catalogue with 50,000 projects and 50,000 archives opened, paged, filtered and searched, as the
 * window asks: through the app, so that reading rows and checking the reply count.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { composeApp } from '../../src-main/app/compose.ts';
import { inProcessClient } from '../../src-main/bridge/in-process.ts';
import { ArchiveIndex } from '../../src-main/catalogue/archives.ts';
import { openCatalogue } from '../../src-main/catalogue/database.ts';
import { ProjectList } from '../../src-main/catalogue/projects.ts';
import { systemClock } from '../../src-main/platform/clock.ts';
import { dataPaths } from '../../src-main/platform/paths.ts';
import { SettingsStore } from '../../src-main/platform/settings.ts';
import { paceOf } from '../../src-preload/contract/instance.ts';
import type { CallRequest } from '../../src-preload/contract/calls.ts';
import { projectSorts, type Project } from '../../src-preload/contract/project.ts';
import { manifestFor, newArchive, newProject } from '../support/catalogue-rows.ts';
import { benchFolder, median, type Report, type Row } from './measuring.ts';

const many = 50_000;
const url = 'https://gitlab.example';
const rounds = 9;

/** Names as uneven as real ones; the same in every run. */
function projectOf(number: number): Project {
  const path = `group-${(number * 7919) % 977}/team-${number % 31}/project-${number}`;
  return newProject(number, path, {
    name: `Project number ${(number * 31) % many}`,
    archived: number % 9 === 0,
    accessLevel: number % 11 === 0 ? 30 : 40,
    repositorySizeBytes: number % 5 === 0 ? null : (number * 991) % 100_000,
    lastActivityAt: number % 7 === 0 ? null : new Date(1.7e12 + ((number * 7919) % many) * 1e6).toISOString(),
  });
}

async function fill(dataDir: string): Promise<void> {
  process.stderr.write(`Filling ${dataDir} …\n`);
  const paths = dataPaths(dataDir);
  const catalogue = openCatalogue({ path: paths.catalogue, clock: systemClock });
  const index = new ArchiveIndex(catalogue, { pathOf: () => paths.archives, isAbsent: () => false });
  catalogue.transaction(() => {
    for (let number = 0; number < many; number++) {
      const { id, fullPath } = projectOf(number % 3 === 0 ? number + 1 : number);
      const archive = newArchive(number, {
        projectId: id,
        fullPath,
        storedAt: new Date(1.72e12 + number * 1e5).toISOString(),
        damaged: number % 500 === 0 ? { at: '2026-11-20T12:00:00.000Z', reason: 'bits flipped' } : null,
      });
      index.insert(archive, manifestFor(archive));
    }
  });
  const pages = function* (): Generator<Project[]> {
    for (let number = 0; number < many; number += 100) {
      yield Array.from({ length: 100 }, (_, offset) => projectOf(number + offset));
    }
  };
  await new ProjectList(catalogue).replace({ name: 'work', url }, pages(), Date.now());
  catalogue.close();
  await new SettingsStore(paths.settings, systemClock).change((before) => ({
    ...before,
    instances: [
      {
        name: 'work',
        url,
        caFile: null,
        pacePreset: 'gitlab',
        pace: paceOf.gitlab,
        username: 'somebody',
        userId: 1,
        administrator: false,
        serverVersion: '18.5.0',
        tokenExpiresOn: null,
        addedAt: '2026-11-20T12:00:00.000Z',
      },
    ],
  }));
}

const everything: CallRequest<'project.page'> = {
  instance: null,
  search: null,
  standing: null,
  archived: null,
  sort: 'path',
  descending: false,
  offset: 0,
  limit: 100,
};

export async function run(): Promise<Report> {
  const dataDir = join(benchFolder, 'catalogue');
  mkdirSync(benchFolder, { recursive: true });
  if (!existsSync(join(dataDir, 'settings.json'))) await fill(dataDir);
  const opening = performance.now();
  const app = await composeApp({ dataDir, env: { PACKHORSE_TOKEN_WORK: 'glpat-0123456789' } });
  const opened = performance.now() - opening;
  const client = inProcessClient(app.dispatch, new AbortController().signal);

  const took: string[] = [];
  /** Median of the slowest variant, in milliseconds, after one round to warm up. */
  const slowest = async (variants: Record<string, () => Promise<unknown>>): Promise<number> => {
    let worst = 0;
    for (const [name, ask] of Object.entries(variants)) {
      await ask();
      const times: number[] = [];
      for (let round = 0; round < rounds; round++) {
        const start = performance.now();
        await ask();
        times.push(performance.now() - start);
      }
      took.push(`${name}: ${median(times).toFixed(1)} ms`);
      worst = Math.max(worst, median(times));
    }
    return worst;
  };
  const page = (request: Partial<typeof everything>) => () =>
    client.call('project.page', { ...everything, ...request });
  try {
    const pages = await slowest(
      Object.fromEntries(
        projectSorts.flatMap((sort) =>
          [0, many / 2, many - 100].flatMap((offset) =>
            [false, true].map((descending) => [
              `by ${sort}${descending ? ', descending' : ''}, from ${offset}`,
              page({ sort, descending, offset }),
            ]),
          ),
        ),
      ),
    );
    const filters = await slowest({
      'of one instance': page({ instance: 'work', offset: 20_000 }),
      'never backed up, by size': page({ standing: 'never', sort: 'size' }),
      'changed, not archived': page({
        standing: 'changed',
        archived: false,
        sort: 'backup',
        descending: true,
      }),
      'search of one letter': page({ search: 'p' }),
      'search that finds a fifth': page({ search: 'project-4', sort: 'activity' }),
      'search that finds few': page({ search: 'number 4999' }),
      'search that finds nothing': page({ search: 'zzzz' }),
    });
    const overview = await slowest({ overview: () => client.call('overview.show', {}) });
    const held = await slowest({
      'projects held, first page': () =>
        client.call('archive.projects', { search: null, offset: 0, limit: 100 }),
      'projects held, last page': () =>
        client.call('archive.projects', { search: null, offset: many / 2, limit: 100 }),
      'projects held, search': () =>
        client.call('archive.projects', { search: 'PROJECT-49', offset: 0, limit: 100 }),
    });
    const row = (what: string, measured: number, most: number): Row => ({
      goal: 'P11',
      what,
      measured: `${measured.toFixed(1)} ms`,
      wanted: `≤ ${most} ms`,
      reached: measured <= most,
    });
    return {
      title: `Catalogue of ${many} projects and ${many} archives, in milliseconds, median of ${rounds}, the slowest of each`,
      rows: [
        row('opened', opened, 400),
        row('any page, in any order', pages, 5),
        row('filtered or searched', filters, 20),
        row('overview', overview, 50),
        row('projects held', held, 50),
      ],
      rounds: took,
      versions: [`Node ${process.versions.node}`, 'the app with better-sqlite3, from source'],
    };
  } finally {
    await app.close();
  }
}
