/**
 * @file Surveys scopes for plans and "back up all". The result refreshes the stored project list, so that the overview
 * agrees with the backup. The result also shows projects that left the scope.
 */
import type { Instance } from '../../../src-contract/instances/instance.ts';
import type { Project } from '../../../src-contract/projects/project.ts';
import type { Selection } from '../../../src-contract/plans/plan.ts';
import { AppError } from '../../../src-contract/errors.ts';
import type { ArchiveIndex } from '../../catalogue/archives/archive-index.ts';
import type { ProjectsWithArchives } from '../../catalogue/archives/projects-with-archives.ts';
import { backUpAllKey, instanceOfScope, type ScopeProjects } from '../../catalogue/plans/scope-projects.ts';
import { wasIdleBeforeExport } from '../../jobs/exporting/unchanged.ts';
import { countOutsideScope, selectionScopeText, surveyScope, type Survey } from '../../jobs/plans/survey.ts';
import { selectProjects } from '../../jobs/plans/selection.ts';
import type { ProjectSource } from '../../jobs/ports.ts';
import { isoTime } from '../../platform/clock.ts';
import type { Scope } from '../../../src-contract/projects/scope.ts';
import type { Attention } from '../../../src-contract/runs/overview-schema.ts';
import type { SharedDeps } from '../shared-deps.ts';
import type { Connections } from '../instances/connections.ts';
import { Service } from '../service.ts';

/** A project that left the scope of a plan, or of "back up all". */
export type DepartedProject = Omit<Extract<Attention, { kind: 'left-scope' }>, 'kind' | 'dismissal'>;

interface Deps extends Pick<SharedDeps, 'announce' | 'clock' | 'projectListStore' | 'log' | 'settings'> {
  scopes: ScopeProjects;
  index: Pick<ArchiveIndex, 'manifest'>;
  projectsWithArchives: Pick<ProjectsWithArchives, 'countArchivesOf'>;
  connections: Connections;
}

export class ScopeSurveys extends Service<Deps> {
  /**
   * Returns the current projects of a selection, and stores the list. `scope` is the id of the plan, or `backUpAllKey`.
   */
  async survey(
    instance: Instance,
    selection: Selection,
    scope: string,
    source: ProjectSource,
    signal: AbortSignal,
  ): Promise<Survey> {
    const found = await surveyScope(source, selection, {
      previousProjects: this.#previousProjects(instance, selection, scope),
      isCurrent: this.#currentTest(instance),
      username: instance.username,
      now: this.deps.clock.now(),
      signal,
    });
    this.#storeList(instance, selection, found);
    return found;
  }

  /**
   * Requests the projects that "all" covers now, stores the list, and finds projects that left since the last survey.
   */
  async surveyAll(
    instance: Instance,
    scope: Scope,
    signal: AbortSignal,
  ): Promise<Survey & { covers: string | null }> {
    const selection: Selection = { kind: 'all', scope };
    const source = this.deps.connections.connect(instance);
    const found = await this.survey(instance, selection, backUpAllKey(instance.name, scope), source, signal);
    return { ...found, covers: selectionScopeText(selection, instance.username) };
  }

  /** Stores the projects that a backup of "all" covered, for comparison with the next backup. */
  recordCoverage(
    instance: string,
    scope: Scope,
    { chosen, departures }: Pick<Survey, 'chosen' | 'departures'>,
  ): void {
    const { scopes, clock } = this.deps;
    scopes.record(backUpAllKey(instance, scope), chosen, departures, clock.now());
  }

  /** Returns the present projects of a selection, its scope in words, and the number of projects outside it. */
  async preview(instance: Instance, selection: Selection, signal: AbortSignal) {
    const source = this.deps.connections.connect(instance);
    const now = this.deps.clock.now();
    const choice = await selectProjects(source, selection, now, signal, this.#currentTest(instance));
    const beyond = await countOutsideScope(source, selection, signal);
    return { ...choice, beyond, covers: selectionScopeText(selection, instance.username) };
  }

  /**
   * Returns projects that left a scope after `since` (epoch milliseconds) and did not return: newest first, each once.
   */
  departedProjects(since: number): DepartedProject[] {
    const { settings, scopes, projectsWithArchives } = this.deps;
    const { plans, instances } = settings.read();
    const reported = new Set<string>();
    /** Returns whether a plan still backs up the project, although it left another plan. */
    const isCovered = (instance: string, projectId: number): boolean =>
      plans.some(
        (plan) =>
          plan.instance === instance && scopes.projectsInScope(plan.id).some(({ id }) => id === projectId),
      );
    return scopes.departuresSince(since).flatMap(({ planId, id, fullPath, reason, detail, leftAt }) => {
      const plan = plans.find((one) => one.id === planId) ?? null;
      const name = plan?.instance ?? instanceOfScope(planId);
      const instance = instances.find((one) => one.name === name);
      if (instance === undefined || reported.has(`${instance.name} ${id}`)) return [];
      reported.add(`${instance.name} ${id}`);
      if (isCovered(instance.name, id)) return [];
      return [
        {
          instance: instance.name,
          project: fullPath,
          projectId: id,
          reason,
          detail,
          archives: projectsWithArchives.countArchivesOf(instance.url, id),
          plan: plan?.name ?? null,
          leftAt: isoTime(leftAt),
        },
      ];
    });
  }

  forget(instance: string): void {
    this.deps.scopes.forgetBackUpAll(instance);
  }

  /**
   * Returns a test whether the backup status of a project is `current`, as the instance reports the project now, and no
   * later change can be hidden.
   */
  #currentTest(instance: Instance): (project: Project) => boolean {
    const { projectListStore, index } = this.deps;
    return (project) => {
      const [summary] = projectListStore.backupSummariesOf(instance, [project]);
      const archive = summary?.backupStatus === 'current' ? summary.newestArchive : null;
      return archive !== null && wasIdleBeforeExport(index.manifest(archive.id), project.lastActivityAt);
    };
  }

  /**
   * Returns the projects of the earlier scope. At the first run of "all", adds member projects of the
   * stored list that have an archive. Their deletion must be noticed, although no earlier run saw them.
   */
  #previousProjects(instance: Instance, selection: Selection, scope: string) {
    const { scopes, projectListStore, projectsWithArchives } = this.deps;
    const earlierProjects = scopes.projectsInScope(scope);
    if (selection.kind !== 'all' || selection.scope !== 'member') return earlierProjects;
    const known = new Set(scopes.knownProjectIds(scope));
    const hasArchives = (id: number): boolean => projectsWithArchives.countArchivesOf(instance.url, id) > 0;
    return [
      ...earlierProjects,
      ...projectListStore.listExportable(instance.name).filter(({ id }) => !known.has(id) && hasArchives(id)),
    ];
  }

  /** Never throws: the survey is valid even if its list cannot be stored. */
  #storeList(instance: Instance, selection: Selection, { listed, departures }: Survey): void {
    const { projectListStore, clock, log, announce } = this.deps;
    try {
      const isComplete = selection.kind === 'all' && selection.scope !== 'owned';
      projectListStore.merge(instance, listed, clock.now(), isComplete);
      for (const { id, reason } of departures) {
        if (reason === 'deleted' || reason === 'deleted-or-hidden') projectListStore.drop(instance.name, id);
      }
      announce('project.changed', { instance: instance.name });
    } catch (thrown) {
      log.error({ err: AppError.from(thrown), instance: instance.name }, 'a project list was not stored');
    }
  }
}
