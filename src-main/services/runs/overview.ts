/** @file Reports whether everything is backed up, and what needs attention. Sends no request to an instance. */
import { dayMs } from '../../../src-contract/bounds.ts';
import type { CallReply } from '../../../src-contract/calls.ts';
import { AppError } from '../../../src-contract/errors.ts';
import type { Instance } from '../../../src-contract/instances/instance.ts';
import type { Attention, InstanceOverview } from '../../../src-contract/runs/overview-schema.ts';
import { backupStatuses } from '../../../src-contract/projects/project.ts';
import { outOfScopeSubject, type Dismissals } from '../../catalogue/dismissals.ts';
import type { AttentionFilter, JobAttention } from '../../catalogue/runs/job-attention.ts';
import { isoTime } from '../../platform/clock.ts';
import type { ArchiveFolders } from '../../catalogue/archives/archive-folders.ts';
import type { ArchiveCollection } from '../archives/archive-collection.ts';
import type { TokenPresence } from '../tokens/token-presence.ts';
import type { Plans } from '../plans/plans.ts';
import type { ScopeSurveys } from '../plans/scope-surveys.ts';
import { newCopyGraceMs } from '../projects/project-lists.ts';
import type { JobRunner } from '../../jobs/running/runner.ts';
import type { Migrations } from '../migrations/migrations.ts';
import {
  attentionOfArchives,
  attentionOfLeftScope,
  attentionOfInstance,
  attentionOfJobs,
  attentionOfSpace,
  maxPerKind,
  worstFirst,
  type AttentionGroup,
} from './attention.ts';
import { noSuchItem, dismissalKeysOf, type Dismissable } from './dismissal.ts';
import type { SharedDeps } from '../shared-deps.ts';
import { Service } from '../service.ts';

/** Older failures that were not retried are not shown. */
const recentDays = 30;

interface Deps
  extends ArchiveCollection, Pick<SharedDeps, 'announce' | 'clock' | 'projectListStore' | 'settings'> {
  presence: TokenPresence;
  plans: Plans;
  scopes: ScopeSurveys;
  folders: ArchiveFolders;
  attention: JobAttention;
  migrations: Migrations;
  runner: JobRunner;
  dismissals: Dismissals;
  notices(): readonly string[];
}

export class Overview extends Service<Deps> {
  /** If `waitForTokens` is true, waits until it is known for each instance whether it has a token. */
  async show(waitForTokens: boolean): Promise<CallReply<'overview.show'>> {
    const { settings, roots, index, folders, presence, runner, attention } = this.deps;
    const known = settings.read().instances;
    // Must be read first, because the backup status of projects depends on the present folders.
    const absences = await this.#absentFolders();
    const withToken = known.filter(({ anonymous }) => !anonymous);
    if (waitForTokens) await Promise.all(withToken.map(({ name }) => presence.waitUntilKnown(name)));
    const instances = this.#instances(known);
    const space = { path: roots.current().path, freeBytes: await roots.freeBytes() };
    const blockingError = runner.blockingError;
    const damaged = attentionOfArchives(index.listBad(maxPerKind));
    const endedJobs = this.#jobs(this.#recentJobsFilter(known));
    const departures = this.#departures();
    const all: Attention[] = [
      ...(blockingError === null ? [] : [{ kind: 'jobs-stuck' as const, error: blockingError.toData() }]),
      ...attentionOfSpace(space),
      ...absences,
      ...damaged.attention,
      ...endedJobs.attention,
      ...this.#instanceAttention(known, instances),
      ...departures.attention,
      ...this.deps.notices().map((text) => ({ kind: 'notice' as const, text })),
    ];
    return {
      instances,
      archives: {
        ...folders.totals(),
        absent: absences.reduce((sum, folder) => sum + folder.archives, 0),
        freeBytes: space.freeBytes,
      },
      openJobs: attention.countOpenByStatus(null),
      runsJobs: runner.holdsLease,
      attention: worstFirst(all),
      moreAttention: damaged.omittedCount + endedJobs.omittedCount + departures.omittedCount,
    };
  }

  /** Dismisses all items or none. Throws `attention-missing` if the overview does not show an item. */
  dismiss(items: readonly string[]): void {
    const { settings, attention, dismissals, clock, announce } = this.deps;
    const filter = this.#recentJobsFilter(settings.read().instances);
    const shown = [...this.#jobs(filter).attention, ...this.#departures().attention];
    const dismissed = items.map((item) => {
      const shownItem = shown.find((one): one is Dismissable => 'dismissal' in one && one.dismissal === item);
      if (shownItem === undefined) throw noSuchItem(item);
      return { item, subjects: dismissalKeysOf(shownItem, attention, filter) };
    });
    for (const { item, subjects } of dismissed) {
      dismissals.add(item, subjects, clock.now());
      announce('overview.changed', {});
    }
  }

  /** Shows these items again. Throws `attention-missing` at the first that was not dismissed. */
  restore(items: readonly string[]): void {
    for (const item of items) {
      if (!this.deps.dismissals.remove(item)) {
        throw new AppError('attention-missing', `No item ${item} was dismissed.`, { details: { item } });
      }
      this.deps.announce('overview.changed', {});
    }
  }

  /**
   * Returns the absent archive folders. `replaced` is true if another folder is in the place, such as an empty mount
   * point.
   */
  async #absentFolders() {
    const { roots, folders } = this.deps;
    await roots.refreshPresence();
    return Promise.all(
      folders.archivesInAbsentRoots().map(async ({ root, archives, projects }) => {
        const folder = roots.byNumber(root);
        const replaced = await roots.pathExists(folder);
        return { kind: 'archives-absent' as const, path: folder.path, replaced, archives, projects };
      }),
    );
  }

  #instances(known: readonly Instance[]): InstanceOverview[] {
    const { projectListStore, plans, clock } = this.deps;
    const refreshed = projectListStore.refreshTimes();
    const counts = projectListStore.statusCounts();
    return known.map((instance): InstanceOverview => {
      const { name, url, username, tokenCanWrite, anonymous, readOnly } = instance;
      const countWith = (backupStatus: string): number =>
        counts.find((count) => count.instance === name && count.backupStatus === backupStatus)?.projects ?? 0;
      const refreshedAt = refreshed.get(name);
      return {
        ...{ name, url, username, tokenCanWrite, anonymous, readOnly },
        refreshedAt: refreshedAt === undefined ? null : isoTime(refreshedAt),
        projects: backupStatuses.reduce((sum, backupStatus) => sum + countWith(backupStatus), 0),
        statusCounts: Object.fromEntries(
          backupStatuses.map((backupStatus) => [backupStatus, countWith(backupStatus)]),
        ) as InstanceOverview['statusCounts'],
        ...projectListStore.backupCoverage(name, clock.now() - newCopyGraceMs),
        plan: plans.urgentPlan(name),
      };
    });
  }

  #instanceAttention(known: readonly Instance[], overviews: readonly InstanceOverview[]): Attention[] {
    const { plans, presence, clock } = this.deps;
    const shared = { plans: plans.list(), emptyRuns: plans.emptyRuns(), now: clock.now() };
    return known.flatMap((instance, at) => {
      const overview = overviews[at];
      if (overview === undefined) return [];
      const hasToken = instance.anonymous ? null : presence.hasToken(instance.name);
      return attentionOfInstance({ ...shared, overview, instance, hasToken });
    });
  }

  /**
   * Returns the filter for recent jobs. Jobs of removed instances are left out, because nothing can be done about them.
   */
  #recentJobsFilter(known: readonly Instance[]): Omit<AttentionFilter, 'limit'> {
    return {
      since: this.deps.clock.now() - recentDays * dayMs,
      instances: known.map(({ name }) => name),
    };
  }

  #jobs(recent: Omit<AttentionFilter, 'limit'>): AttentionGroup {
    const filter = { ...recent, limit: maxPerKind };
    const { attention } = this.deps;
    return attentionOfJobs(
      attention.failedJobGroups(filter),
      attention.jobsWithWarnings(filter, this.deps.migrations.acceptedImports()),
    );
  }

  #departures(): AttentionGroup {
    const { scopes, dismissals, clock } = this.deps;
    const departed = scopes.departedProjects(clock.now() - recentDays * dayMs);
    return attentionOfLeftScope(departed.filter((one) => !dismissals.has(outOfScopeSubject(one))));
  }
}
