/** @file A world with content for every view: backups, an import with a bad record, a schedule, a failure. */
import type { ArchiveSummary } from '../../../src-contract/archives/archive.ts';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import type { App } from '../../../src-main/compose/app.ts';
import type { Client } from '../../../src-main/bridge/transports/in-process.ts';
import { planDraft } from '../jobs/plan-draft.ts';
import { hasEnded, type Job } from '../../../src-contract/runs/job.ts';
import { archiveFilter, jobFilter } from '../requests.ts';

export interface FilledWorld {
  archives: ArchiveSummary[];
  /** Ids of the jobs, oldest first. */
  jobs: string[];
  /** Full path of the project that was imported with a failure. */
  imported: string;
}

/**
 * Registers the sandboxes as `work` and `new-home`. Backs up every project of the first, except one whose export the
 * server refuses. Adds a record lost on export, an import into the second with a refused record, and a daily schedule.
 */
export async function fillWorld(
  world: { app: App; client: Client },
  source: Sandbox,
  target: Sandbox,
): Promise<FilledWorld> {
  const { client } = world;
  for (const [name, sandbox] of [
    ['work', source],
    ['new-home', target],
  ] as const) {
    await client.call('instance.setToken', { name, token: sandbox.tokens.maintainer, keep: 'session' });
    await client.call('instance.add', {
      name,
      url: sandbox.url,
      caFile: null,
      pace: 'sandbox',
      keep: 'session',
    });
    await client.call('instance.refresh', { name, visible: false });
  }
  const projects = await Promise.all(source.state.paths.map((path) => source.state.project(path)));
  const bad = projects.find(({ relations }) => (relations['milestones']?.length ?? 0) > 0);
  const [refused, cut] = projects.filter((project) => project !== bad);
  if (bad === undefined || refused === undefined || cut === undefined) throw new Error('Seed more projects.');
  source.state.append(bad.fullPath, 'milestones', {
    title: null,
    iid: 999,
    state: 'active',
    description: 'Written by hand into the database years ago.',
    due_date: null,
    created_at: '2019-03-14T09:26:53.000Z',
    updated_at: '2019-03-14T09:26:53.000Z',
  });
  source.faults.add({
    match: { project: cut.fullPath },
    action: { kind: 'drop-records', relation: 'issues', count: 1 },
  });
  source.faults.add({
    match: { method: 'POST', project: refused.fullPath, path: 'export' },
    action: {
      kind: 'respond',
      status: 403,
      body: { message: '403 Forbidden - Project exports are disabled' },
    },
  });
  await client.call('backup.start', { instance: 'work', projects: 'all', keepExisting: false });
  await allJobsEnded(world);
  const { archives } = await client.call('archive.list', archiveFilter());
  const archive = archives.find(({ fullPath }) => fullPath === bad.fullPath);
  if (archive === undefined) throw new Error('The project with a bad record was not backed up.');
  const { target: imported } = await client.call('import.start', {
    instance: 'new-home',
    archive: archive.absolutePath,
    namespace: bad.fullPath.slice(0, bad.fullPath.lastIndexOf('/')),
    path: null,
    name: null,
    overwrite: false,
    allowSuspicious: false,
    overrideParams: {},
  });
  const jobs = await allJobsEnded(world);
  await client.call('instance.refresh', { name: 'new-home', visible: false });
  await client.call('plan.save', planDraft({ timeZone: 'Europe/Berlin', keepLast: 14 }));
  return { archives, jobs: jobs.map(({ id }) => id), imported };
}

/**
 * Migrates the projects of a filled world, four in a wave, below the group `company`.
 * @returns the migration's id, and the failure of the record that the target refused.
 */
export async function migrateProjects(
  world: { app: App; client: Client },
  projects: readonly { id: number; fullPath: string }[],
): Promise<{ migration: string; failure: string }> {
  const { client } = world;
  const { id: migration } = await client.call('migration.create', {
    name: 'Autumn move',
    source: 'work',
    target: 'new-home',
    rules: [{ from: '', to: 'company' }],
    overrideParams: {},
    selection: { kind: 'projects', projects: [...projects] },
    freeze: false,
    waveSize: 4,
  });
  const { findings } = await client.call('migration.check', { migration });
  for (const { id, severity } of findings) {
    if (severity !== 'blocker') continue;
    await client.call('migration.override', {
      migration,
      finding: id,
      note: 'Known, and looked at afterwards.',
    });
  }
  await client.call('migration.start', { migration, createGroups: true });
  for (let change = nextChange(world.app); ; change = nextChange(world.app)) {
    if ((await client.call('migration.show', { migration })).status === 'ended') break;
    await change;
  }
  const { failures } = await client.call('failure.list', {
    migration,
    instance: null,
    project: null,
    relation: null,
    exceptionClass: null,
    state: null,
    search: null,
    offset: 0,
    limit: 1,
  });
  const [failure] = failures;
  if (failure === undefined) throw new Error('No record of these projects was refused.');
  return { migration, failure: failure.ref };
}

const nextChange = (app: App): Promise<void> =>
  new Promise((resolve) => {
    const unsubscribe = app.subscribe(() => {
      unsubscribe();
      resolve();
    });
  });

async function allJobsEnded({ app, client }: { app: App; client: Client }): Promise<Job[]> {
  for (;;) {
    const change = nextChange(app);
    const { jobs } = await client.call('job.list', jobFilter());
    if (jobs.every(({ state }) => hasEnded(state))) return jobs.reverse();
    await change;
  }
}
