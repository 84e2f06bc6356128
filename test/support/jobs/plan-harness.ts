/**
 * @file Plans with their scheduler on real settings, a real catalogue and a stepped clock, for one test. Several can
 * share one data folder, like processes.
 */
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createHeartbeats, programRunner } from '../../../src-main/services/plans/plan-hooks.ts';
import { createPlanServices, type PlanServices } from '../../../src-main/services/plans/plan-services.ts';
import { openCatalogue, type Catalogue } from '../../../src-main/catalogue/database.ts';
import { ExportDurations } from '../../../src-main/catalogue/runs/export-durations.ts';
import { JobStore } from '../../../src-main/catalogue/runs/jobs.ts';
import { PlanPreparations } from '../../../src-main/catalogue/plans/plan-preparations.ts';
import { ScopeProjects } from '../../../src-main/catalogue/plans/scope-projects.ts';
import { surveyScope } from '../../../src-main/jobs/plans/survey.ts';
import { PlanFailures } from '../../../src-main/catalogue/plans/plan-failures.ts';
import { RunStore } from '../../../src-main/catalogue/runs/runs.ts';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { keychainEntries } from '../../../src-main/platform/credentials-keychain.ts';
import { openLog } from '../../../src-main/platform/log.ts';
import { SettingsStore } from '../../../src-main/platform/settings.ts';
import { AppError } from '../../../src-contract/errors.ts';
import type { StoredJob } from '../../../src-contract/runs/job.ts';
import { exportInputSchema } from '../../../src-contract/runs/job-schema.ts';
import { presetPaces, type Instance, instanceDefaults } from '../../../src-contract/instances/instance.ts';
import type { PlanStatus } from '../../../src-contract/plans/plan.ts';
import type { Project } from '../../../src-contract/projects/project.ts';
import type { Run } from '../../../src-contract/runs/run.ts';
import { MemoryKeychain } from '../keychain/memory-keychain.ts';
import { projectOf } from './fake-instance.ts';
import { planDraft, type DraftOptions } from './plan-draft.ts';
import { SteppedClock } from '../clocks/stepped-clock.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** Returns an instance at `https://gitlab.example`, as the settings store it. */
export const instanceOf = (name: string): Instance => ({
  name,
  url: 'https://gitlab.example',
  caFile: null,
  pacePreset: 'gitlab',
  pace: presetPaces.gitlab,
  username: 'me',
  userId: 1,
  administrator: false,
  serverVersion: '18.5.0',
  tokenExpiresOn: null,
  tokenCanWrite: null,
  addedAt: '2026-01-01T00:00:00.000Z',
  ...instanceDefaults,
});

export class PlanHarness {
  readonly clock: SteppedClock;
  readonly folder: string;
  readonly settings: SettingsStore;
  readonly jobs: JobStore;
  readonly runStore: RunStore;
  readonly schedule: PlanServices;
  /** The times at which projects were requested from the instance. */
  readonly requestTimes: number[] = [];
  /** Plans that were reported as changed, in order. */
  readonly announced: string[] = [];
  /** Whether this process runs the jobs. */
  holdsLease = true;
  /** The reply of the instance; a thrown error is its failure. */
  onProjects: () => Project[] | Promise<Project[]> = () => [projectOf()];
  readonly #catalogue: Catalogue;

  constructor(start: string, shared?: PlanHarness) {
    this.clock = shared?.clock ?? new SteppedClock(Date.parse(start));
    this.folder = shared?.folder ?? temporaryFolder();
    this.settings = new SettingsStore(join(this.folder, 'settings.json'), this.clock);
    this.#catalogue = openCatalogue({ path: join(this.folder, 'catalogue.sqlite'), clock: this.clock });
    // No test here cuts the power, so commits need not wait for the disk.
    this.#catalogue.run('PRAGMA synchronous = OFF');
    this.jobs = new JobStore(this.#catalogue);
    this.runStore = new RunStore(this.#catalogue, this.jobs);
    const log = openLog({ folder: join(this.folder, 'logs'), clock: this.clock });
    const holdsLease = (): boolean => this.holdsLease;
    const fetchProjects = (): Promise<Project[]> => {
      this.requestTimes.push(this.clock.now());
      return Promise.resolve().then(() => this.onProjects());
    };
    const scopes = new ScopeProjects(this.#catalogue);
    this.schedule = createPlanServices({
      retryThroughOutage: (_, request) => request(),
      settings: this.settings,
      jobs: this.jobs,
      runs: this.runStore,
      failures: new PlanFailures(this.#catalogue),
      preparations: new PlanPreparations(this.#catalogue),
      exportDurations: new ExportDurations(this.#catalogue),
      runner: {
        get holdsLease() {
          return holdsLease();
        },
        wake: () => undefined,
      },
      clock: this.clock,
      log,
      announce: (_name, about) => {
        const { planId } = about as { planId?: string };
        if (planId !== undefined) this.announced.push(planId);
      },
      readScope: (_instance, selection, scope, source, signal) =>
        surveyScope(source, selection, {
          previousProjects: scopes.projectsInScope(scope),
          isCurrent: () => false,
          username: 'ada',
          now: this.clock.now(),
          signal,
        }),
      connect: () => ({
        administrator: false,
        assertAccount: () => Promise.resolve(),
        projectCount: () => Promise.resolve(null),
        async *projects() {
          yield* await fetchProjects();
        },
        async project(id) {
          const found = (await fetchProjects()).find((project) => project.id === id);
          if (found === undefined) throw new AppError('project-missing', 'There is no such project.');
          return found;
        },
      }),
      assertMayExport: () => Promise.resolve(),
      checkArchives: () => Promise.resolve(0),
      registerRoot: (path) => Promise.resolve(path),
      assertRootPresent: () => Promise.resolve(),
      rotateDueTokens: () => undefined,
      firstExportStep: 'prepare',
      runProgram: programRunner({}, systemClock),
      heartbeats: createHeartbeats(
        keychainEntries({ clock: systemClock, keychain: new MemoryKeychain() }),
        () => null,
        systemClock,
      ),
    });
    onTestFinished(async () => {
      await this.schedule.scheduler.stop();
      await this.schedule.preparationPoll.stop();
      this.#catalogue.close();
      log.close();
    });
  }

  async addInstance(name: string): Promise<void> {
    await this.settings.change((before) => ({
      ...before,
      instances: [...before.instances, instanceOf(name)],
    }));
  }

  /** Adds an instance, saves a plan for it, and starts the scheduler. */
  async start(at: string, options: DraftOptions = {}): Promise<PlanStatus> {
    await this.addInstance('source');
    const saved = await this.save({ at, ...options });
    this.schedule.scheduler.start();
    return saved;
  }

  save(options: DraftOptions): Promise<PlanStatus> {
    return this.schedule.planChanges.save(planDraft({ instance: 'source', ...options }));
  }

  /** Like `advance`, but the machine sleeps until the last two minutes. Faster if only the end matters. */
  async sleepThrough(ms: number): Promise<void> {
    this.clock.jump(ms - 120_000);
    await this.clock.advance(120_000);
  }

  /** Returns the status of the only plan. */
  get status(): PlanStatus {
    const [status] = this.schedule.plans.list();
    if (status === undefined) throw new Error('There is no plan.');
    return status;
  }

  /** Returns all runs, oldest first. */
  get runs(): Run[] {
    return this.runStore.list({ before: null, limit: 500 }).reverse();
  }

  /** Returns the due times that have fired, in that order. */
  get firedDueTimes(): (string | null)[] {
    return this.runs.map(({ dueAt }) => dueAt);
  }

  /** Returns the plans whose retention the open jobs will request. */
  get plansOfJobs(): (string | null)[] {
    return this.jobs.openJobs().map(({ input }) => exportInputSchema.parse(input).planId);
  }

  /** Ends every open job, so that the next due time creates new ones. */
  endJobs(): StoredJob[] {
    return this.jobs.openJobs().map(({ id, revision }) =>
      this.jobs.change(id, revision, {
        state: { status: 'succeeded', warnings: [] },
        event: { type: 'succeed', message: 'for a test' },
        at: this.clock.now(),
      }),
    );
  }

  /** Makes every request to the instance fail; null ends that. */
  failRequests(error: AppError | null): void {
    this.onProjects = () => {
      if (error !== null) throw error;
      return [projectOf()];
    };
  }
}
