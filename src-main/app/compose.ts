/**
 * @file The only place that builds the parts and hands them to each other; here the compiler checks that they fit.
 * Every host starts here.
 */
import { AppError } from '../../src-preload/contract/errors.ts';
import type { Instance } from '../../src-preload/contract/instance.ts';
import type { Job, JobKind } from '../../src-preload/contract/job.ts';
import { openArchiveStore } from '../archive/store.ts';
import { createDispatch, type Dispatch } from '../bridge/dispatch.ts';
import { createHandlers } from '../bridge/handlers.ts';
import type { BridgePorts, HostPort } from '../bridge/ports.ts';
import { ArchiveIndex } from '../catalogue/archives.ts';
import { openOrRecoverCatalogue } from '../catalogue/recovery.ts';
import { JobStore } from '../catalogue/jobs.ts';
import { Lease } from '../catalogue/lease.ts';
import { PlanFailures } from '../catalogue/plan-failures.ts';
import { ProjectList } from '../catalogue/projects.ts';
import { RunStore } from '../catalogue/runs.ts';
import { exportJob } from '../jobs/export-job.ts';
import { importJob } from '../jobs/import-job.ts';
import { createPaceKeeper } from '../jobs/pace.ts';
import { JobRunner } from '../jobs/runner.ts';
import { selectExportable } from '../jobs/selection.ts';
import { systemClock, type Clock } from '../platform/clock.ts';
import { collidingInstance, createCredentials } from '../platform/credentials.ts';
import type { Keychain } from '../platform/credentials-keychain.ts';
import { openLog } from '../platform/log.ts';
import { collectBuffersPromptly } from '../platform/memory.ts';
import { dataFolder, dataPaths } from '../platform/paths.ts';
import { SettingsStore } from '../platform/settings.ts';
import { checkToken } from '../platform/token-source.ts';
import { createArchiveAccess } from './archive-access.ts';
import { examine } from './doctor.ts';
import { createEvents, type EventListener } from './events.ts';
import { plainHost } from './plain-host.ts';
import { createRemote, type Remote } from './remote.ts';
import { createSchedule } from './schedule.ts';
import { appVersion, releasedAfter } from './version.ts';

export interface AppOptions {
  /** Null: as the environment says, or the platform's usual place. */
  dataDir: string | null;
  env: Readonly<Record<string, string | undefined>>;
  /** Only tests pass another. */
  clock?: Clock;
  keychain?: Keychain;
  /** What the host does for the window; without it nothing, as on the command line. */
  host?: HostPort;
  /** Whether this process stays until a person ends it: then the practice servers, where there are any, run in it again. */
  longLived?: boolean;
}

export interface App {
  dispatch: Dispatch;
  /** What people must be told about the opening itself, in sentences; usually nothing. */
  notices: readonly string[];
  /** Calls the listener for every event until the returned function is called. */
  subscribe(listener: EventListener): () => void;
  /** From now on also runs the jobs that `claims` accepts, while this process holds the lease. */
  startJobs(claims: (job: Job) => boolean): void;
  /** From now on also fires plans that are due, while this process holds the lease: for hosts that stay. */
  startSchedule(): void;
  /** Looks at once for what is due, as after a sleep of the machine or when the network is back. */
  wake(): void;
  /** False while another process runs the jobs and this one only watches. */
  runsJobs(): boolean;
  /** Why no job can go on here, once that has lasted some seconds: a full disk, a catalogue that cannot be written. */
  trouble(): AppError | null;
  /** Stops jobs (they are stored as interrupted), closes everything. */
  close(): Promise<void>;
}

const definitions = [exportJob, importJob];
const concurrency = 4;

function firstStepOf(kind: JobKind): string {
  const firstStep = definitions.find((definition) => definition.kind === kind)?.steps[0]?.name;
  if (firstStep === undefined) throw new AppError('internal', `There is no job kind "${kind}".`);
  return firstStep;
}

export async function composeApp(options: AppOptions): Promise<App> {
  collectBuffersPromptly();
  const { env, clock = systemClock, host = plainHost } = options;
  const paths = dataPaths(dataFolder({ wanted: options.dataDir ?? undefined, env }));
  const log = openLog({ folder: paths.logFolder, clock });
  const settings = new SettingsStore(paths.settings, clock);
  const credentials = createCredentials({
    env,
    clock,
    ...(options.keychain === undefined ? {} : { keychain: options.keychain }),
  });
  const archiveRoot = settings.read().archiveRoot ?? paths.archives;
  const { catalogue, recovery } = await openOrRecoverCatalogue({ path: paths.catalogue, clock });
  const store = openArchiveStore({ root: archiveRoot, clock });
  const index = new ArchiveIndex(catalogue, archiveRoot);
  const archives = createArchiveAccess(store, index, clock);
  const jobs = new JobStore(catalogue);
  const runs = new RunStore(catalogue, jobs);
  const notices: string[] = [];
  if (recovery === null && index.list({ limit: 1 }).length === 0) {
    const { found } = await archives.forBridge.rescan();
    if (found > 0) notices.push(`The catalogue was empty; ${found} archives were indexed from the store.`);
  }
  if (recovery !== null) {
    const { found, unreadable } = await archives.forBridge.rescan();
    notices.push(
      `The catalogue was damaged and was set aside as ${recovery.setAsideAs}. ${found} archives were indexed again from the store.`,
    );
    if (unreadable.length > 0) {
      const paths = unreadable.map(({ path }) => path).join(', ');
      notices.push(
        `These archives could not be indexed: ${paths}. Look at them with "packhorse archive rescan".`,
      );
    }
    if (recovery.restoredFrom === null) {
      notices.push('The history of jobs is lost; jobs that were under way are forgotten.');
    } else {
      // They may have gone on after the copy was made; running them again could import twice.
      const open = jobs.giveUpOpenJobs(
        new AppError(
          'interrupted',
          'The catalogue was restored from a copy; how this job ended is not known.',
        ).toData(),
        clock.now(),
      );
      notices.push(
        `The history of jobs is that of the last copy; ${open.length} jobs that were open then were given up. Look at their targets before starting them again.`,
      );
    }
    log.warn({ ...recovery, found }, 'the catalogue was damaged and was rebuilt');
  }
  const lists = new ProjectList(catalogue);

  const remotes = new Map<string, Remote>();
  const connect = (instance: Instance): Remote => {
    const key = JSON.stringify(instance);
    const known = remotes.get(key);
    if (known !== undefined) return known;
    const remote = createRemote(instance, {
      token: async () => (await credentials.resolve(instance.name)).token,
      userAgent: `Packhorse/${appVersion}`,
      clock,
      log: (line) => {
        log.debug({ instance: instance.name, ...line }, 'request');
      },
    });
    remotes.set(key, remote);
    return remote;
  };

  const events = createEvents();
  const runner = new JobRunner({
    definitions,
    store: jobs,
    lease: new Lease(catalogue, clock),
    clock,
    pace: createPaceKeeper(() => clock.monotonic()),
    async portsFor(job) {
      const instance = settings.instance(job.instance);
      await credentials.resolve(instance.name);
      return { instance: connect(instance), archives: archives.forJobs, appVersion };
    },
    async tidyUp() {
      for (const path of await store.sweep()) log.warn({ path }, 'removed what interrupted work left behind');
    },
    observer: {
      changed(job) {
        log.info({ job: job.id, project: job.project, state: job.state.status }, 'job changed');
        events.jobChanged({ jobId: job.id, runId: job.runId, revision: job.revision });
      },
      troubled(error) {
        log.error({ err: error }, 'the jobs could not be tended');
      },
    },
    random: Math.random,
    concurrency,
  });

  const schedule = createSchedule({
    settings,
    jobs,
    runs,
    failures: new PlanFailures(catalogue),
    runner,
    clock,
    log,
    announce: events.announce,
    connect,
    async needToken(name) {
      await credentials.resolve(name);
    },
    firstStep: firstStepOf('export'),
  });

  const withProgress = (job: Job): Job => ({ ...job, progress: runner.progressOf(job.id) });
  const about = { appVersion, dataFolder: paths.dataFolder, archiveRoot };

  const ports: BridgePorts = {
    about,
    now: () => clock.now(),
    instances: {
      list: () => Promise.resolve(settings.read().instances),
      async save(instance) {
        await settings.change((before) => ({
          ...before,
          instances: [...before.instances.filter(({ name }) => name !== instance.name), instance],
        }));
        events.announce('instance.changed', { name: instance.name });
      },
      async remove(name) {
        await settings.change((before) => ({
          ...before,
          instances: before.instances.filter((instance) => instance.name !== name),
          plans: before.plans.filter((plan) => plan.instance !== name),
        }));
        events.announce('instance.changed', { name });
      },
      connect,
    },
    credentials: {
      source: async (name) => (await credentials.resolve(name)).source,
      remember: (name, token) => {
        credentials.remember(name, checkToken(token));
        schedule.scheduler.wake();
      },
      drop: (name) => {
        credentials.drop(name);
      },
      async keep(name) {
        const { token, source } = await credentials.resolve(name);
        if (source === 'session') await credentials.store(name, token);
      },
      clash: collidingInstance,
      async forget(name) {
        // Without a keychain there is nothing in it to forget.
        await credentials.forget(name).catch((thrown: unknown) => {
          log.warn({ code: AppError.from(thrown).code }, 'the keychain could not be asked to forget a token');
        });
      },
    },
    projectLists: {
      async replace(instance, pages) {
        await lists.replace(instance, pages, clock.now());
        events.announce('project.changed', { instance });
      },
      list: (instance, filter) => lists.list(instance, filter),
      forget: (instance) => {
        lists.forget(instance);
        events.announce('project.changed', { instance });
      },
    },
    jobs: {
      enqueue({ kind, request, jobs: drafts }) {
        const interrupted = runs.unfinished(kind, request);
        if (interrupted !== null) {
          runner.wake();
          return { ...interrupted, refused: [], resumed: true };
        }
        const at = clock.now();
        const runId = jobs.newId(at);
        const firstStep = firstStepOf(kind);
        const enqueued = runs.enqueueAll(
          { id: runId, kind, request, at },
          drafts.map((draft) => ({ ...draft, id: jobs.newId(at), kind, firstStep })),
        );
        runner.wake();
        return {
          runId,
          jobs: enqueued.flatMap((one) => ('job' in one ? [one.job] : [])),
          refused: enqueued.flatMap((one, at) =>
            'refused' in one ? [{ project: drafts[at]?.project ?? '', error: one.refused }] : [],
          ),
          resumed: false,
        };
      },
      list: (filter) => jobs.find(filter).map(withProgress),
      get(reference) {
        const job = jobs.get(jobs.resolveId(reference));
        if (job === null) throw new AppError('job-missing', `There is no job ${reference}.`);
        return withProgress(job);
      },
      events: (jobId, afterId, limit) => jobs.events({ jobId, afterId, limit }),
      cancel: (jobId, by) => runner.cancel(jobId, by),
    },
    archives: archives.forBridge,
    plans: schedule.forBridge,
    runs: (filter) => runs.list(filter),
    selectAll: (instance, signal) => selectExportable(connect(instance), signal),
    host,
    doctor: () => examine({ credentials, store, clock, about, earliest: releasedAfter }),
  };

  const dispatch = createDispatch(createHandlers(ports), (error) => {
    log.error({ err: error }, 'a call failed by a mistake of ours');
  });

  return {
    dispatch,
    notices,
    subscribe: (listener) => events.subscribe(listener),
    startJobs: (claims) => {
      runner.start(claims);
    },
    startSchedule: () => {
      schedule.scheduler.start();
    },
    wake: () => {
      runner.wake();
      schedule.scheduler.wake();
    },
    runsJobs: () => runner.runsJobs,
    trouble: () => runner.trouble,
    async close() {
      await schedule.scheduler.stop();
      await runner.stop();
      for (const remote of remotes.values()) remote.close();
      catalogue.close();
      log.close();
    },
  };
}
