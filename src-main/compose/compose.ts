/**
 * @file Builds the parts and passes them to each other; the compiler checks here that they fit. Every host starts here.
 * The parts for archives are in `compose-archives.ts`, those for migrations in `compose-migrations.ts`.
 */
import { AppError } from '../../src-contract/errors.ts';
import { paceFor } from '../../src-contract/instances/instance.ts';
import { hasEnded } from '../../src-contract/runs/job.ts';
import { createDispatch } from '../bridge/dispatch.ts';
import { createHandlers } from '../bridge/handlers.ts';
import { createPathGate } from '../bridge/archives/path-gate.ts';
import type { Services } from '../services/services.ts';
import type { ThroughOutage } from '../services/instances/through-outage.ts';
import { DailyCopies } from '../catalogue/recovery/daily-copy-timer.ts';
import { openOrRecoverCatalogue } from '../catalogue/recovery/recovery.ts';
import { Dismissals } from '../catalogue/dismissals.ts';
import { JobAttention } from '../catalogue/runs/job-attention.ts';
import { AwaitedWork } from '../catalogue/runs/awaited.ts';
import { ExportTimes } from '../catalogue/runs/export-times.ts';
import { ImportFailures } from '../catalogue/migrations/import-failures.ts';
import { JobSearch } from '../catalogue/runs/job-search.ts';
import { JobStore } from '../catalogue/runs/jobs.ts';
import { Lease } from '../catalogue/lease.ts';
import { PlanPreparations } from '../catalogue/plans/plan-beginnings.ts';
import { ScopeProjects } from '../catalogue/plans/scope-projects.ts';
import { PlanFailures } from '../catalogue/plans/plan-failures.ts';
import { ProjectList } from '../catalogue/projects/projects.ts';
import { projectsSeen } from '../catalogue/plans/plan-projects.ts';
import { RunStore } from '../catalogue/runs/runs.ts';
import { WriteRequests } from '../catalogue/runs/write-requests.ts';
import { changeJob } from '../jobs/projects/change-job.ts';
import { exportJob } from '../jobs/exporting/export-job.ts';
import { importJob } from '../jobs/importing/import-job.ts';
import { createRateLimiter } from '../jobs/running/rate-limiter.ts';
import { archiveRootOf, retentionOf, skipsUnchanged } from '../jobs/plans/plans.ts';
import { relationImportJob } from '../jobs/importing/relation-import-job.ts';
import { askThroughOutage } from '../jobs/running/outage-wait.ts';
import { isBoundToProcess } from '../jobs/running/priority.ts';
import { JobRunner } from '../jobs/running/runner.ts';
import { tokenJob } from '../jobs/tokens/token-job.ts';
import { systemClock } from '../platform/clock.ts';
import { createCredentials } from '../platform/credentials.ts';
import { keychainEntries } from '../platform/credentials-keychain.ts';
import { openLog } from '../platform/log.ts';
import { collectBuffersPromptly } from '../platform/memory.ts';
import { dataFolder, dataPaths } from '../platform/paths.ts';
import { noPower } from '../platform/power.ts';
import { Secrets } from '../platform/secrets.ts';
import { SettingsStore } from '../platform/settings.ts';
import type { App, AppOptions } from './app.ts';
import { diskNotices } from '../services/disk-notices.ts';
import { examine } from '../services/doctor.ts';
import { Backups } from '../services/transfers/backups.ts';
import { createDownloads } from '../services/transfers/downloads.ts';
import { createAutoRotation } from '../services/tokens/auto-rotation.ts';
import { createEvents } from '../services/events.ts';
import { composeInstances } from './compose-instances.ts';
import { JobAccess, firstStepOf } from '../services/runs/job-access.ts';
import { jobsAtOnce } from '../services/runs/jobs-at-once.ts';
import { plainHost } from './plain-host.ts';
import { createHeartbeats, programRunner } from '../services/plans/plan-hooks.ts';
import { createSandboxes } from '../services/sandbox/sandboxes.ts';
import { Overview } from '../services/runs/overview.ts';
import { MarkedProjects } from '../services/projects/marked-projects.ts';
import { ProjectLists } from '../services/projects/project-lists.ts';
import { ScopeSurveys } from '../services/plans/scope-surveys.ts';
import { createSchedule } from '../services/plans/schedule.ts';
import { SettingsAccess } from '../services/settings-access.ts';
import { Storages } from '../services/instances/storages.ts';
import { SecretAddresses } from '../services/transfers/secret-addresses.ts';
import { createArrivals } from '../services/migrations/comparing/target-side.ts';
import { createTransfers } from '../services/transfers/transfers.ts';
import { appVersion, releasedAfter } from '../services/version.ts';
import { withKeepAwake } from '../services/transfers/keep-awake.ts';
import { LostArchives } from '../services/archives/keeping/lost-archives.ts';
import { composeArchives } from './compose-archives.ts';
import { composeMigrations } from './compose-migrations.ts';

const definitions = [exportJob, importJob, changeJob, relationImportJob, tokenJob];

/**
 * Opens the data folder and builds the app over it. Nothing runs before the host starts it. Throws `catalogue-newer`,
 * `catalogue-foreign`, or a disk error.
 */
export async function composeApp(options: AppOptions): Promise<App> {
  collectBuffersPromptly();
  const { env, clock = systemClock, host = plainHost, power = noPower } = options;
  const paths = dataPaths(dataFolder({ wanted: options.dataDir ?? undefined, env }));
  const log = openLog({ folder: paths.logFolder, clock });
  const settings = new SettingsStore(paths.settings, clock);
  const credentials = createCredentials({
    env,
    clock,
    ...(options.keychain === undefined ? {} : { keychain: options.keychain }),
  });
  const secrets = new Secrets();
  const keychain = keychainEntries({ clock, keychain: options.keychain });
  const storages = new Storages(settings, keychain, options.env);
  const events = createEvents();
  const { catalogue, recovery } = await openOrRecoverCatalogue({ path: paths.catalogue, clock });
  const jobs = new JobStore(catalogue);
  const jobSearch = new JobSearch(catalogue);
  const runs = new RunStore(catalogue, jobs);
  const exportTimes = new ExportTimes(catalogue);
  const importFailures = new ImportFailures(catalogue);
  const archives = await composeArchives({
    paths,
    settings,
    catalogue,
    recovery,
    jobs,
    jobSearch,
    disk: options.disk,
    diskLimits: options.diskLimits,
    clock,
    log,
    announce: events.announce,
    mayProve: () => runner.runsJobs && !runner.isBusy,
  });
  if (recovery !== null) log.warn({ ...recovery }, 'the catalogue was damaged and was rebuilt');
  const lists = new ProjectList(catalogue);
  const projectLists = new ProjectLists({
    lists,
    instance: (name) => settings.instance(name),
    clock,
    log,
    announce: events.announce,
  });
  const dailyCopies = new DailyCopies({
    path: paths.catalogue,
    clock,
    failed: (error) => {
      log.error({ err: error }, 'the daily copy of the catalogue was not made');
    },
  });
  const writeRequests = new WriteRequests(catalogue);
  const accounts = composeInstances({
    ...{ settings, credentials, jobs, writeRequests, clock, log, announce: events.announce },
    httpLimits: options.httpLimits ?? {},
    onTokenAvailable: () => {
      schedule.scheduler.wake();
    },
    forgetPlans: (gone) => schedule.changes.forget(gone),
  });
  const { connections, newTokens } = accounts;
  const arrivals = createArrivals({
    connect: (name) => connections.to(name),
    withIndex: (path, signal, use) => archives.records.withFileIndex(path, signal, use),
  });
  const pace = createRateLimiter(() => clock.monotonic());
  const lease = new Lease(catalogue, clock);
  const awaited = new AwaitedWork(catalogue, clock);
  /** A failure to store what is awaited is only logged: this process runs it itself once it holds the lease. */
  const unlessBusy = (write: () => void): void => {
    try {
      write();
    } catch (thrown) {
      log.warn({ err: AppError.from(thrown) }, 'awaited work was not stored');
    }
  };
  const runner = new JobRunner({
    definitions,
    store: jobs,
    lease,
    clock,
    pace,
    async portsFor(job) {
      const instance = settings.instance(job.instance);
      if (!instance.anonymous) await credentials.resolve(instance.name);
      return {
        instance: withKeepAwake(connections.connectFor(instance, job.id), power),
        tokens: connections.tokensFor(instance, job.id),
        archives: archives.forJobs,
        failures: importFailures,
        arrivals,
        secrets: { address: (key) => secrets.reveal(key), storage: (name) => storages.withSecret(name) },
        appVersion,
        retentionOf: (planId, projectId) =>
          retentionOf(settings.read().plans, planId, instance.name, projectId, (id) =>
            projectsSeen(catalogue, id),
          ),
        skipsUnchanged: (planId) => skipsUnchanged(settings.read().plans, planId, instance.name),
        archiveRootOf: (planId) => archiveRootOf(settings.read().plans, planId, instance.name),
      };
    },
    hasToken: (name) => connections.hasToken(name),
    async tidyUp() {
      await archives.tidying.afterInterruption();
      await migrating.relationArchives.sweep();
    },
    observer: {
      changed(job) {
        log.info({ job: job.id, project: job.project, state: job.state.status }, 'job changed');
        projectLists.jobChanged(job);
        if (hasEnded(job.state)) schedule.ends.poll();
        if (job.kind === 'export' && job.state.status === 'succeeded') confirmSoon(job.runId);
        if (hasEnded(job.state)) {
          migrating.relationArchives.jobEnded(job);
          migrating.tender.wake();
        }
        events.jobChanged({ jobId: job.id, runId: job.runId, revision: job.revision });
      },
      onError(error) {
        log.error({ err: error }, 'the jobs could not be tended');
      },
    },
    random: Math.random,
    ...(options.maxOutageMs === undefined ? {} : { maxOutageMs: options.maxOutageMs }),
    concurrency: jobsAtOnce(settings),
    awaited: {
      ofOthers() {
        const { jobIds, migrationIds } = awaited.ofOthers();
        return (job) =>
          !isBoundToProcess(job) &&
          (jobIds.has(job.id) || migrationIds.some((id) => migrating.owns(id, job.id)));
      },
      heartbeat: () => {
        unlessBusy(() => {
          awaited.heartbeat();
        });
      },
    },
  });

  const lost = new LostArchives({
    roots: archives.roots,
    index: archives.index,
    jobs,
    runs,
    lose: (jobId, error) => {
      runner.lose(jobId, error);
    },
  });
  const confirming = new Set<Promise<void>>();
  const confirmSoon = (runId: string): void => {
    const work = lost
      .confirm(runId)
      .then(
        () => undefined,
        (thrown: unknown) => {
          log.error({ err: AppError.from(thrown), run: runId }, 'what a run stored could not be looked for');
        },
      )
      .finally(() => confirming.delete(work));
    confirming.add(work);
  };

  const attention = new JobAttention(catalogue);
  const jobAccess = new JobAccess({
    definitions,
    jobs,
    search: jobSearch,
    runs,
    attention,
    runner,
    clock,
    paceOf(name) {
      const { pace, serverVersion } = settings.instance(name);
      return paceFor(pace, serverVersion);
    },
  });
  const rotateDueTokens = createAutoRotation({
    settings,
    jobs,
    search: jobSearch,
    enqueue: (run) => jobAccess.enqueue(run),
    clock,
    log,
  });
  const scopes = new ScopeSurveys({
    settings,
    lists,
    scopes: new ScopeProjects(catalogue),
    archivedProjects: archives.archivedProjects,
    connect: (instance) => connections.connect(instance),
    clock,
    log,
    announce: events.announce,
  });
  const throughOutage: ThroughOutage = async (name, ask, how) => {
    const { pace } = settings.instance(name);
    const { maxOutageMs } = options;
    return askThroughOutage(ask, { ...how, clock, pace, random: Math.random, maxOutageMs });
  };
  const schedule = createSchedule({
    throughOutage,
    rotateDueTokens,
    survey: (...asked) => scopes.survey(...asked),
    settings,
    jobs,
    runs,
    failures: new PlanFailures(catalogue),
    beginnings: new PlanPreparations(catalogue),
    exportTimes,
    runner,
    clock,
    log,
    announce: events.announce,
    connect: (instance) => connections.connect(instance),
    async assertMayExport(instance, signal) {
      await accounts.checks.assertMayWrite(instance, signal);
      await credentials.resolve(instance.name);
    },
    firstStep: firstStepOf(definitions, 'export'),
    knownRoot: (path) => archives.roots.add(path),
    async mustReachRoot(path) {
      await archives.roots.forNew(path);
    },
    runProgram: programRunner(env, clock),
    confirmStored: (runId) => lost.confirm(runId),
    heartbeats: createHeartbeats(keychain, () => settings.read().preferences.proxy, clock),
  });

  const migrating = composeMigrations({
    paths,
    settings,
    catalogue,
    jobs,
    jobAccess,
    importFailures,
    writeRequests,
    exportTimes,
    archives,
    connections,
    runner,
    firstStep: (kind) => firstStepOf(definitions, kind),
    clock,
    log,
    announce: events.announce,
  });

  const sandboxes = createSandboxes({
    settings,
    clock,
    announce: events.announce,
    remember: (name, token) => {
      accounts.tokens.remember(name, token);
    },
    connect: (instance) => connections.connect(instance),
    moved: ({ name, url }) => {
      lists.move(name, url);
    },
  });
  // The app starts even if the sandbox cannot.
  await (options.longLived === true ? sandboxes.reopen() : sandboxes.join()).catch((thrown: unknown) => {
    log.error({ err: AppError.from(thrown) }, 'The sandboxes could not be started again.');
  });

  const about = () => ({
    appVersion,
    dataFolder: paths.dataFolder,
    archiveRoot: archives.roots.current().path,
  });

  const services: Services = {
    about,
    clock,
    ...accounts,
    projectLists,
    listed: lists,
    markedProjects: new MarkedProjects({
      lists,
      search: jobSearch,
      connect: (instance) => connections.connect(instance),
    }),
    backups: new Backups({
      lists,
      connect: (instance) => connections.connect(instance),
      scopes,
      jobs: jobAccess,
    }),
    overview: new Overview({
      instances: () => settings.read().instances,
      presence: accounts.presence,
      lists,
      plans: schedule.plans,
      scopes,
      archives: archives.status,
      attention,
      acceptedImports: () => migrating.acceptedImports(),
      jobs: jobAccess,
      dismissals: new Dismissals(catalogue),
      notices: () => [...archives.notices, ...diskNotices(catalogue.diskFailure), ...archives.concerns()],
      clock,
      announce: events.announce,
    }),
    jobs: jobAccess,
    secretAddresses: new SecretAddresses(secrets, lease),
    storages,
    archives: archives.stored,
    contents: archives.contents,
    intake: archives.intake,
    proofs: archives.proofs,
    arrivals,
    downloads: createDownloads(paths.downloads),
    transfers: createTransfers({ connect: (instance) => connections.connect(instance), pace, clock, power }),
    plans: schedule.plans,
    planChanges: schedule.changes,
    planRuns: schedule.runs,
    pruning: archives.pruning,
    throughOutage,
    trash: archives.trash,
    ...migrating.ports,
    relationArchives: migrating.relationArchives,
    runs: (filter) => runs.list(filter),
    writeRequests: (filter) => writeRequests.list(filter),
    scopes,
    settings: new SettingsAccess({
      settings,
      roots: archives.roots,
      dataFolder: paths.dataFolder,
      announce: events.announce,
      forgetRoot: (path) => archives.forgetRoot(path),
      changed: () => {
        runner.wake();
      },
    }),
    openSandbox: () => sandboxes.open(),
    closeSandbox: (name) => sandboxes.stop(name),
    doctor: () =>
      examine({
        credentials,
        instances: () => settings.read().instances,
        roots: archives.roots,
        index: archives.index,
        folders: archives.folders,
        plans: () => settings.read().plans,
        clock,
        about: about(),
        earliest: releasedAfter,
      }),
  };

  const dispatch = createDispatch(createHandlers(services, host), createPathGate(services), (error) => {
    log.error({ err: error }, 'a call failed by a mistake of ours');
  });

  const rest = async (): Promise<void> => {
    await schedule.scheduler.stop();
    await schedule.ends.stop();
    await schedule.othersBeginnings.stop();
    await migrating.tender.stop();
    await archives.proofing.stop();
    await runner.rest();
  };

  return {
    dispatch,
    notices: archives.notices,
    subscribe: (listener) => events.subscribe(listener),
    isAwaitedElsewhere: (runId) => awaited.isAwaitedElsewhere(runId),
    startJobs: (claims, awaits = 'all') => {
      unlessBusy(() => {
        awaited.add(awaits);
      });
      runner.start(claims);
      migrating.tender.start();
    },
    startSchedule: () => {
      schedule.scheduler.start();
      schedule.othersBeginnings.start();
      archives.proofing.start();
      dailyCopies.start();
    },
    wake: () => {
      runner.wake();
      schedule.scheduler.wake();
    },
    progressOf: (jobId) => runner.progressOf(jobId),
    runsJobs: () => runner.runsJobs,
    throughOutage,
    planCouldNotBegin: (planId, error) => {
      schedule.runs.couldNotBegin(planId, error);
    },
    anyRunsJobs: () => lease.isHeld(),
    confirmStored: (runId) => lost.confirm(runId),
    isOfMigration: (job, migration) => migrating.owns(migration, job.id),
    diskFailure: () => catalogue.diskFailure,
    trouble: () => runner.lastError,
    newTokens,
    tokenRecipient: accounts.recipient,
    rest,
    async close() {
      await rest();
      // New tokens are stored before another process may take over the jobs.
      await newTokens.settle();
      unlessBusy(() => {
        awaited.end();
      });
      await runner.stop();
      await Promise.all(confirming);
      await sandboxes.close();
      connections.close();
      await dailyCopies.stop();
      catalogue.close();
      log.close();
    },
  };
}
