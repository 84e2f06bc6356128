/** @file Builds the app over a data folder. Every host starts here; the compiler checks that the parts fit. */
import { AppError } from '../../src-contract/errors.ts';
import { hasEnded } from '../../src-contract/runs/job.ts';
import { createDispatch } from '../bridge/dispatch.ts';
import { createHandlers } from '../bridge/handlers.ts';
import { createPathGate } from '../bridge/archives/path-gate.ts';
import { DailyCopies } from '../catalogue/recovery/daily-copy-timer.ts';
import { openOrRecoverCatalogue } from '../catalogue/recovery/recovery.ts';
import { Dismissals } from '../catalogue/dismissals.ts';
import { JobAttention } from '../catalogue/runs/job-attention.ts';
import { AwaitedWork } from '../catalogue/runs/awaited.ts';
import { ExportDurations } from '../catalogue/runs/export-durations.ts';
import { ImportFailures } from '../catalogue/migrations/import-failures.ts';
import { MigrationJobs } from '../catalogue/migrations/migration-jobs.ts';
import { ProjectMigrations } from '../catalogue/migrations/project-migrations.ts';
import { JobSearch } from '../catalogue/runs/job-search.ts';
import { JobStore } from '../catalogue/runs/jobs.ts';
import { Lease } from '../catalogue/lease.ts';
import { PlanPreparations } from '../catalogue/plans/plan-preparations.ts';
import { ScopeProjects } from '../catalogue/plans/scope-projects.ts';
import { PlanFailures } from '../catalogue/plans/plan-failures.ts';
import { ProjectListStore } from '../catalogue/projects/projects.ts';
import { RunStore } from '../catalogue/runs/runs.ts';
import { WriteRequests } from '../catalogue/runs/write-requests.ts';
import { changeJob } from '../jobs/projects/change-job.ts';
import { exportJob } from '../jobs/exporting/export-job.ts';
import { importJob } from '../jobs/importing/import-job.ts';
import { createRateLimiter } from '../jobs/running/rate-limiter.ts';
import { archiveRootOf, retentionOf, skipsUnchanged } from '../jobs/plans/plans.ts';
import { relationImportJob } from '../jobs/importing/relation-import-job.ts';
import { isBoundToProcess } from '../jobs/running/priority.ts';
import { JobRunner } from '../jobs/running/runner.ts';
import { tokenJob } from '../jobs/tokens/token-job.ts';
import { systemClock } from '../platform/clock.ts';
import { createCredentials } from '../platform/credentials.ts';
import { keychainEntries } from '../platform/credentials-keychain.ts';
import { openLog } from '../platform/log.ts';
import { collectBuffersPromptly } from '../platform/memory.ts';
import { dataFolder, createDataPaths } from '../platform/paths.ts';
import { noopPower } from '../platform/power.ts';
import { Secrets } from '../platform/secrets.ts';
import { SettingsStore } from '../platform/settings.ts';
import { createArchiveServices } from '../services/archives/archive-services.ts';
import { LostArchives } from '../services/archives/keeping/lost-archives.ts';
import { tidyAfterInterruption } from '../services/archives/keeping/tidying.ts';
import { diskNotices } from '../services/disk-notices.ts';
import { runDoctor } from '../services/doctor.ts';
import { createEvents } from '../services/events.ts';
import { InstanceRegistration } from '../services/instances/instance-registration.ts';
import { createInstanceServices } from '../services/instances/instance-services.ts';
import { Storages } from '../services/instances/storages.ts';
import { createRetryThroughOutage } from '../services/instances/retry-through-outage.ts';
import { createImportComparison } from '../services/migrations/comparing/sides/target-side.ts';
import { createMigrationServices } from '../services/migrations/migration-services.ts';
import { createHeartbeats, programRunner } from '../services/plans/plan-hooks.ts';
import { createPlanServices } from '../services/plans/plan-services.ts';
import { ScopeSurveys } from '../services/plans/scope-surveys.ts';
import { MarkedProjects } from '../services/projects/marked-projects.ts';
import { ProjectChanges } from '../services/projects/project-changes.ts';
import { ProjectLists } from '../services/projects/project-lists.ts';
import { JobService } from '../services/runs/job-service.ts';
import { createConcurrencyReader } from '../services/runs/jobs-at-once.ts';
import { Overview } from '../services/runs/overview.ts';
import { createSandboxes } from '../services/sandbox/sandboxes.ts';
import type { Services } from '../services/services.ts';
import { SettingsAccess } from '../services/settings-access.ts';
import type { SharedDeps } from '../services/shared-deps.ts';
import { createAutoRotation } from '../services/tokens/auto-rotation.ts';
import { withKeepAwake } from '../services/transfers/keep-awake.ts';
import { createTransferServices } from '../services/transfers/transfer-services.ts';
import { appVersion } from '../services/version.ts';
import type { App, AppOptions } from './app.ts';
import { plainHost } from './plain-host.ts';

const definitions = [exportJob, importJob, changeJob, relationImportJob, tokenJob];

/**
 * Builds the app. Jobs and plans run only after the host starts them. Throws `catalogue-newer`, `catalogue-foreign`, or
 * a disk error.
 */
export async function composeApp(options: AppOptions): Promise<App> {
  collectBuffersPromptly();
  const { env, clock = systemClock, host = plainHost, power = noopPower, keychain: given } = options;
  const paths = createDataPaths(dataFolder({ requested: options.dataDir ?? undefined, env }));
  const log = openLog({ folder: paths.logFolder, clock });
  const settings = new SettingsStore(paths.settings, clock);
  const credentials = createCredentials({ env, clock, ...(given === undefined ? {} : { keychain: given }) });
  const secrets = new Secrets();
  const keychain = keychainEntries({ clock, keychain: given });
  const storages = new Storages(settings, keychain, env);
  const events = createEvents();
  const { catalogue, recovery } = await openOrRecoverCatalogue({ path: paths.catalogue, clock });
  const jobs = new JobStore(catalogue);
  const shared: SharedDeps = {
    ...{ paths, settings, credentials, clock, log, catalogue, jobs },
    announce: events.announce,
    jobSearch: new JobSearch(catalogue),
    runs: new RunStore(catalogue, jobs),
    projectListStore: new ProjectListStore(catalogue),
    exportDurations: new ExportDurations(catalogue),
    writeRequests: new WriteRequests(catalogue),
    projectMigrations: new ProjectMigrations(catalogue, jobs),
    migrationJobs: new MigrationJobs(catalogue, jobs),
    importFailures: new ImportFailures(catalogue),
  };
  const archives = await createArchiveServices({
    ...{ ...shared, recovery, disk: options.disk, diskLimits: options.diskLimits },
    mayVerify: () => runner.holdsLease && !runner.isBusy,
  });
  if (recovery !== null) log.warn({ ...recovery }, 'the catalogue was damaged and was rebuilt');
  const { archivePort, roots } = archives;
  const projectLists = new ProjectLists(shared);
  const dailyCopies = new DailyCopies({
    path: paths.catalogue,
    clock,
    onFailure: (error) => {
      log.error({ err: error }, 'the daily copy of the catalogue was not made');
    },
  });
  const instanceServices = createInstanceServices({
    ...shared,
    httpLimits: options.httpLimits ?? {},
    onTokenAvailable: () => {
      planServices.scheduler.wake();
    },
    forgetPlans: (removedPlans) => planServices.planChanges.forget(removedPlans),
  });
  const { connections, newTokens } = instanceServices;
  const importComparison = createImportComparison(connections, archives.records, clock);
  const rateLimiter = createRateLimiter(() => clock.monotonic());
  const lease = new Lease(catalogue, clock);
  const awaited = new AwaitedWork(catalogue, clock);
  const scopeProjects = new ScopeProjects(catalogue);
  /** Stores awaited work. A failure is only logged, because this process runs the work itself once it holds the lease. */
  const storeOrLogFailure = (write: () => void): void => {
    try {
      write();
    } catch (thrown) {
      log.warn({ err: AppError.from(thrown) }, 'awaited work was not stored');
    }
  };
  const runner = new JobRunner({
    ...{ definitions, store: jobs, lease, clock, rateLimiter },
    async portsFor(job) {
      const instance = settings.instance(job.instance);
      if (!instance.anonymous) await credentials.resolve(instance.name);
      return {
        instance: withKeepAwake(connections.connectForJob(instance, job.id), power),
        tokens: connections.tokensFor(instance, job.id),
        archives: archivePort,
        failures: shared.importFailures,
        importComparison,
        secrets: { importUrl: (key) => secrets.reveal(key), storage: (name) => storages.getWithSecret(name) },
        appVersion,
        retentionOf: (planId, projectId) =>
          retentionOf(settings.read().plans, planId, instance.name, projectId, (id) =>
            scopeProjects.knownProjectIds(id),
          ),
        skipsUnchanged: (planId) => skipsUnchanged(settings.read().plans, planId, instance.name),
        archiveRootOf: (planId) => archiveRootOf(settings.read().plans, planId, instance.name),
      };
    },
    hasToken: (name) => connections.hasToken(name),
    async tidyUp() {
      await tidyAfterInterruption({ ...archives, log });
      await migrationServices.relationArchives.sweep();
    },
    observer: {
      onChanged(job) {
        log.info({ job: job.id, project: job.project, state: job.state.status }, 'job changed');
        projectLists.updateAfterJob(job);
        if (job.kind === 'export' && job.state.status === 'succeeded')
          lostArchives.checkInBackground(job.runId);
        if (hasEnded(job.state)) {
          planServices.afterRunWork.poll();
          migrationServices.relationArchives.onJobEnded(job);
          migrationServices.coordinator.wake();
        }
        events.announceJobChange({ jobId: job.id, runId: job.runId, revision: job.revision });
      },
      onError(error) {
        log.error({ err: error }, 'the job runner failed and will try again');
      },
    },
    random: Math.random,
    ...(options.maxOutageMs === undefined ? {} : { maxOutageMs: options.maxOutageMs }),
    concurrency: createConcurrencyReader(settings),
    awaitedJobs: {
      byOthers() {
        const { jobIds, migrationIds } = awaited.awaitedByOthers();
        return (job) =>
          !isBoundToProcess(job) &&
          (jobIds.has(job.id) || migrationIds.some((id) => shared.migrationJobs.owns(id, job.id)));
      },
      heartbeat: () => {
        storeOrLogFailure(() => {
          awaited.heartbeat();
        });
      },
    },
  });

  const lostArchives = new LostArchives({ ...shared, ...archives, runner });
  const attention = new JobAttention(catalogue);
  const jobService = new JobService({ ...shared, definitions, attention, runner });
  const scopeSurveys = new ScopeSurveys({
    ...{ ...shared, connections, scopes: scopeProjects },
    ...{ index: archives.index, projectsWithArchives: archives.projectsWithArchives },
  });
  const retryThroughOutage = createRetryThroughOutage(shared, options.maxOutageMs);
  const planServices = createPlanServices({
    ...{ ...shared, retryThroughOutage, runner },
    rotateDueTokens: createAutoRotation({ ...shared, jobService }),
    readScope: (...parameters) => scopeSurveys.survey(...parameters),
    failures: new PlanFailures(catalogue),
    preparations: new PlanPreparations(catalogue),
    connect: (instance) => connections.connect(instance),
    async assertMayExport(instance, signal) {
      await instanceServices.checks.assertMayWrite(instance, signal);
      await credentials.resolve(instance.name);
    },
    firstExportStep: jobService.firstStepOf('export'),
    registerRoot: (path) => archives.rootChanges.add(path),
    async assertRootPresent(path) {
      await roots.requirePresent(path);
    },
    runProgram: programRunner(env, clock),
    checkArchives: (runId) => lostArchives.checkRun(runId),
    heartbeats: createHeartbeats(keychain, () => settings.read().preferences.proxy, clock),
  });
  const migrationServices = createMigrationServices({
    ...shared,
    ...archives,
    jobService,
    connections,
    runner,
  });
  const sandboxes = createSandboxes({ ...shared, ...instanceServices });
  // The app starts even if a sandbox fails to start.
  await (options.longLived === true ? sandboxes.reopen() : sandboxes.rememberTokens()).catch(
    (thrown: unknown) => {
      log.error({ err: AppError.from(thrown) }, 'The sandboxes could not be started again.');
    },
  );

  const markedProjects = new MarkedProjects({ ...shared, connections });
  const transfers = createTransferServices({
    ...{ ...shared, ...instanceServices, ...archives, jobService, scopeSurveys, importComparison },
    ...{ relationArchives: migrationServices.relationArchives, storages, lease, secrets, power, rateLimiter },
  });
  const describeHost = () => ({
    appVersion,
    dataFolder: paths.dataFolder,
    archiveRoot: roots.current().path,
  });
  const services: Services = {
    ...{ ...shared, ...instanceServices, ...archives, ...migrationServices, ...planServices, ...transfers },
    ...{
      describeHost,
      storages,
      retryThroughOutage,
      projectLists,
      scopeSurveys,
      sandboxes,
    },
    jobs: jobService,
    registration: new InstanceRegistration({
      ...{ ...instanceServices, clock, projectLists, sandboxes, jobService, scopeSurveys },
    }),
    markedProjects,
    projectChanges: new ProjectChanges({
      ...{ ...instanceServices, jobService, markedProjects },
      secretAddresses: transfers.secretAddresses,
    }),
    overview: new Overview({
      ...{ ...shared, ...archives, scopes: scopeSurveys, runner, attention },
      presence: instanceServices.presence,
      plans: planServices.plans,
      migrations: migrationServices.migrations,
      dismissals: new Dismissals(catalogue),
      notices: () => [
        ...archives.openingNotices,
        ...diskNotices(catalogue.diskFailure),
        ...archives.storeNotices(),
      ],
    }),
    settings: new SettingsAccess({ ...shared, ...archives, runner }),
    runDoctor: () => runDoctor({ ...shared, ...archives, host: describeHost() }),
  };

  const dispatch = createDispatch(createHandlers(services, host), createPathGate(services), (error) => {
    log.error({ err: error }, 'a call failed because of a bug');
  });

  const suspendJobs = async (): Promise<void> => {
    await planServices.scheduler.stop();
    await planServices.afterRunWork.stop();
    await planServices.preparationPoll.stop();
    await migrationServices.coordinator.stop();
    await archives.verifier.stop();
    await runner.suspend();
  };

  return {
    ...{
      dispatch,
      retryThroughOutage,
      newTokens,
      tokenRecipient: instanceServices.recipient,
      suspendJobs,
    },
    notices: archives.openingNotices,
    subscribe: (listener) => events.subscribe(listener),
    isAwaitedElsewhere: (runId) => awaited.isAwaitedElsewhere(runId),
    startJobs: (claims, awaitedScope = 'all') => {
      storeOrLogFailure(() => {
        awaited.add(awaitedScope);
      });
      runner.start(claims);
      migrationServices.coordinator.start();
    },
    startSchedule: () => {
      planServices.scheduler.start();
      planServices.preparationPoll.start();
      archives.verifier.start();
      dailyCopies.start();
    },
    wake: () => {
      runner.wake();
      planServices.scheduler.wake();
    },
    progressOf: (jobId) => runner.progressOf(jobId),
    isRunningJobs: () => runner.holdsLease,
    recordFailedPlanStart: (planId, error) => {
      planServices.planRuns.recordStartFailure(planId, error);
    },
    isAnyProcessRunningJobs: () => lease.isHeld(),
    failJobsWithLostArchives: (runId) => lostArchives.checkRun(runId),
    belongsToMigration: (job, migration) => shared.migrationJobs.owns(migration, job.id),
    diskFailure: () => catalogue.diskFailure,
    blockingError: () => runner.blockingError,
    async close() {
      await suspendJobs();
      // New tokens are stored before another process may take over the jobs.
      await newTokens.storePending();
      storeOrLogFailure(() => {
        awaited.end();
      });
      await runner.stop();
      await lostArchives.waitForChecks();
      await sandboxes.close();
      connections.close();
      await dailyCopies.stop();
      catalogue.close();
      log.close();
    },
  };
}
