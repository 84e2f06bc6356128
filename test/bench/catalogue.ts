/**
 * @file P11 of the goals: opens, pages, filters and searches a catalogue with 5,000 projects, 50,000 archives and
 * 1,000,000 events. Uses the window's calls through the app, so that reading rows and validating the reply count. A
 * second catalogue, without a goal, has ten times as many projects.
 */
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { composeApp } from '../../src-main/compose/compose.ts';
import { inProcessClient } from '../../src-main/bridge/transports/in-process.ts';
import { ArchiveIndex } from '../../src-main/catalogue/archives/archive-index.ts';
import { openCatalogue, type Catalogue } from '../../src-main/catalogue/database.ts';
import { ProjectListStore } from '../../src-main/catalogue/projects/projects.ts';
import { systemClock } from '../../src-main/platform/clock.ts';
import { createDataPaths } from '../../src-main/platform/paths.ts';
import { SettingsStore } from '../../src-main/platform/settings.ts';
import { presetPaces, instanceDefaults } from '../../src-contract/instances/instance.ts';
import type { CallRequest } from '../../src-contract/calls.ts';
import { projectSorts, type Project } from '../../src-contract/projects/project.ts';
import { manifestFor, newArchive, newProject } from '../support/catalogue/catalogue-rows.ts';
import { benchFolder, median, type Report, type Row, atSize } from './measuring.ts';
import { archiveFilter } from '../support/requests.ts';

interface Size {
  projects: number;
  archives: number;
  events: number;
}
const sizeOfGoal: Size = atSize(
  { projects: 5_000, archives: 50_000, events: 1_000_000 },
  { projects: 200, archives: 200, events: 200 },
);
const sizeBeyond: Size = atSize(
  { projects: 50_000, archives: 50_000, events: 0 },
  { projects: 200, archives: 200, events: 0 },
);
const eventsPerJob = 20;

const url = 'https://gitlab.example';
const rounds = atSize(9, 1);

/** Returns a project with a name as uneven as real ones. The names are the same in every run. */
function projectOf(number: number): Project {
  const path = `group-${(number * 7919) % 977}/team-${number % 31}/project-${number}`;
  return newProject(number, path, {
    name: `Project number ${(number * 31) % 49_999}`,
    archived: number % 9 === 0,
    accessLevel: number % 11 === 0 ? 30 : 40,
    repositorySizeBytes: number % 5 === 0 ? null : (number * 991) % 100_000,
    markedForDeletionOn: null,
    lastActivityAt:
      number % 7 === 0 ? null : new Date(1.7e12 + ((number * 7919) % 49_999) * 1e6).toISOString(),
  });
}

async function fill(dataDir: string, size: Size): Promise<void> {
  process.stderr.write(`Filling ${dataDir} …\n`);
  const paths = createDataPaths(dataDir);
  const catalogue = openCatalogue({ path: paths.catalogue, clock: systemClock });
  const index = new ArchiveIndex(catalogue, { pathOf: () => paths.archives, isAbsent: () => false });
  catalogue.transaction(() => {
    for (let number = 0; number < size.archives; number++) {
      const { id, fullPath } = projectOf((number % 3 === 0 ? number + 1 : number) % size.projects);
      const archive = newArchive(number, {
        projectId: id,
        fullPath,
        storedAt: new Date(1.72e12 + number * 1e5).toISOString(),
        damaged: number % 500 === 0 ? { at: '2026-11-20T12:00:00.000Z', reason: 'bits flipped' } : null,
      });
      index.insert(archive, manifestFor(archive));
    }
  });
  fillHistory(catalogue, size);
  const pages = function* (): Generator<Project[]> {
    for (let number = 0; number < size.projects; number += 100) {
      yield Array.from({ length: 100 }, (_, offset) => projectOf(number + offset));
    }
  };
  await new ProjectListStore(catalogue).replace({ name: 'work', url }, pages(), Date.now());
  catalogue.close();
  await new SettingsStore(paths.settings, systemClock).change((before) => ({
    ...before,
    instances: [
      {
        name: 'work',
        url,
        caFile: null,
        pacePreset: 'gitlab',
        pace: presetPaces.gitlab,
        username: 'somebody',
        userId: 1,
        administrator: false,
        serverVersion: '18.5.0',
        tokenExpiresOn: null,
        tokenCanWrite: null,
        addedAt: '2026-11-20T12:00:00.000Z',
        ...instanceDefaults,
      },
    ],
  }));
}

/** Stores the backups of years: a run per night, an ended job per project, and its events. */
function fillHistory(catalogue: Catalogue, { projects, events }: Size): void {
  const succeeded = JSON.stringify({ status: 'succeeded', warnings: [] });
  const failed = JSON.stringify({
    status: 'failed',
    error: { code: 'server-error', message: 'HTTP 502', retry: 'later', details: {} },
  });
  const jobId = (number: number): string =>
    `01976b00-${String(number)
      .padStart(8, '0')
      .replace(/(.{4})/, '$1-')}-8000-000000000000`;
  catalogue.transaction(() => {
    for (let number = 0; number < events / eventsPerJob; number++) {
      const { id, fullPath } = projectOf(number % projects);
      const runId = jobId(number - (number % projects));
      const at = 1.72e12 + number * 1e5;
      if (number % projects === 0) {
        catalogue.run(
          `INSERT INTO runs (id, kind, request, created_at) VALUES (?, 'export', '{}', ?)`,
          runId,
          at,
        );
      }
      const isFailed = number % 50 === 0;
      catalogue.run(
        `INSERT INTO jobs (id, run_id, kind, instance, project, status, state, created_at, updated_at, input)
           VALUES (@id, @runId, 'export', 'work', @fullPath, @status, @state, @at, @at, @input)`,
        {
          id: jobId(number),
          runId,
          fullPath,
          status: isFailed ? 'failed' : 'succeeded',
          state: isFailed ? failed : succeeded,
          at,
          input: JSON.stringify({ projectId: id, fullPath, keepExisting: false, planId: null }),
        },
      );
      catalogue.run('INSERT INTO run_jobs (run_id, job_id) VALUES (?, ?)', runId, jobId(number));
      for (let event = 0; event < eventsPerJob; event++) {
        catalogue.run(
          `INSERT INTO job_events (job_id, at, type, message) VALUES (?, ?, 'step', ?)`,
          jobId(number),
          at + event * 1000,
          `step ${event} of the backup of ${fullPath} began`,
        );
      }
    }
  });
}

const everything: CallRequest<'project.page'> = {
  instance: null,
  search: null,
  backupStatus: null,
  archived: null,
  sort: 'path',
  descending: false,
  offset: 0,
  limit: 100,
};

type Call = () => Promise<unknown>;

export async function run(): Promise<Report> {
  const goal = await measure('catalogue-goal', sizeOfGoal);
  const beyond = await measure('catalogue-beyond', sizeBeyond);
  const row = (what: string, measured: number, max: number): Row => ({
    goal: 'P11',
    what,
    measured: `${measured.toFixed(1)} ms`,
    goalValue: `≤ ${max} ms`,
    isReached: measured <= max,
  });
  const describeSize = ({ projects, archives, events }: Size): string =>
    `${projects} projects, ${archives} archives, ${events} events`;
  return {
    title: `Catalogue of ${describeSize(sizeOfGoal)}; median of ${rounds}, for the slowest request of each kind`,
    rows: [
      row('opened', goal.opened, 400),
      row('any page in any order', goal.pages, 5),
      row('filtered or searched', goal.filters, 20),
    ],
    rounds: [
      ...goal.took,
      `opened with a check, as once a day and after a crash: ${goal.checked.toFixed(1)} ms`,
      '',
      `With ${describeSize(sizeBeyond)}, without a goal: opened in ${beyond.opened.toFixed(1)} ms, the slowest page`,
      `${beyond.pages.toFixed(1)} ms, the slowest filter ${beyond.filters.toFixed(1)} ms, overview ${beyond.overview.toFixed(1)} ms`,
    ],
    versions: [`Node ${process.versions.node}`, 'the app with better-sqlite3, from source'],
  };
}

interface Measured {
  opened: number;
  checked: number;
  pages: number;
  filters: number;
  overview: number;
  took: string[];
}

async function measure(name: string, size: Size): Promise<Measured> {
  const dataDir = join(benchFolder, name);
  mkdirSync(benchFolder, { recursive: true });
  if (!existsSync(join(dataDir, 'settings.json'))) await fill(dataDir, size);
  const open = () => composeApp({ dataDir, env: { PACKHORSE_TOKEN_WORK: 'glpat-0123456789' } });
  const timeOpening = async (): Promise<number> => {
    const start = performance.now();
    const opened = await open();
    const took = performance.now() - start;
    await opened.close();
    return took;
  };
  // The first opening of a day checks the catalogue and copies it. Later ones check it only if it may be damaged.
  await timeOpening();
  const openings: number[] = [];
  const checked: number[] = [];
  for (let round = 0; round < 5; round++) {
    openings.push(await timeOpening());
    rmSync(`${createDataPaths(dataDir).catalogue}.checked`);
    checked.push(await timeOpening());
  }
  const app = await open();
  const client = inProcessClient(app.dispatch, new AbortController().signal);

  const took: string[] = [];
  /** Returns the median of the slowest variant, in milliseconds, after one round to warm up. */
  const slowest = async (variants: Record<string, Call>): Promise<number> => {
    let worst = 0;
    for (const [variant, call] of Object.entries(variants)) {
      await call();
      const times: number[] = [];
      for (let round = 0; round < rounds; round++) {
        const start = performance.now();
        await call();
        times.push(performance.now() - start);
      }
      took.push(`${variant}: ${median(times).toFixed(1)} ms`);
      worst = Math.max(worst, median(times));
    }
    return worst;
  };
  const page = (request: Partial<typeof everything>) => () =>
    client.call('project.page', { ...everything, ...request });
  const withArchives = (search: string | null, offset: number) => () =>
    client.call('archive.projects', { search, offset, limit: 100 });
  try {
    const sorted = projectSorts.flatMap((sort) =>
      [0, size.projects / 2, size.projects - 100].flatMap((offset) =>
        [false, true].map((descending): [string, Call] => [
          `by ${sort}${descending ? ', descending' : ''}, from ${offset}`,
          page({ sort, descending, offset }),
        ]),
      ),
    );
    const everywhere = archiveFilter({ limit: 100 });
    const { fullPath } = projectOf(1);
    const pages = await slowest({
      ...Object.fromEntries(sorted),
      'projects with archives, first page': withArchives(null, 0),
      'projects with archives, last page': withArchives(null, size.projects / 2),
      'archives, newest first': () => client.call('archive.list', everywhere),
      'archives of one project': () =>
        client.call('archive.list', { ...everywhere, instance: 'work', project: fullPath }),
      'jobs, newest first': () => client.call('job.list', { ...everywhere }),
      'runs, newest first': () => client.call('run.list', { limit: 100 }),
    });
    const filters = await slowest({
      'of one instance': page({ instance: 'work', offset: size.projects / 2 }),
      'never backed up, by size': page({ backupStatus: 'never', sort: 'size' }),
      'changed, not archived': page({
        backupStatus: 'changed',
        archived: false,
        sort: 'backup',
        descending: true,
      }),
      'search of one letter': page({ search: 'p' }),
      'search that finds a fifth': page({ search: 'project-4', sort: 'activity' }),
      'search that finds few': page({ search: 'number 4999' }),
      'search that finds nothing': page({ search: 'zzzz' }),
      'projects with archives, search': withArchives('PROJECT-49', 0),
      'failed jobs': () => client.call('job.list', { ...everywhere, status: 'failed' }),
      'jobs of one project': () =>
        client.call('job.list', {
          ...everywhere,
          instance: 'work',
          project: fullPath,
        }),
    });
    const overview = await slowest({ overview: () => client.call('overview.show', {}) });
    return { opened: median(openings), checked: median(checked), pages, filters, overview, took };
  } finally {
    await app.close();
  }
}
