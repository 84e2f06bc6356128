/**
 * @file Surveys scopes for plans and "back up all". The result refreshes the stored project list, so that the overview
 * agrees with the backup, and shows projects that left.
 */
import type { Instance } from '../../../src-contract/instances/instance.ts';
import type { Selection } from '../../../src-contract/plans/plan.ts';
import { AppError } from '../../../src-contract/errors.ts';
import type { ProjectsWithArchives } from '../../catalogue/archives/projects-with-archives.ts';
import { backUpAllKey, instanceOfScope } from '../../catalogue/plans/plan-projects.ts';
import type { ScopeProjects } from '../../catalogue/plans/scope-projects.ts';
import { countBeyond, coversText, surveyScope, type Survey } from '../../jobs/plans/survey.ts';
import { selectProjects } from '../../jobs/plans/selection.ts';
import type { ProjectSource } from '../../jobs/ports.ts';
import { isoTime } from '../../platform/clock.ts';
import type { DepartureReason, Scope } from '../../../src-contract/projects/scope.ts';
import type { Project } from '../../../src-contract/projects/project.ts';
import type { SharedParts } from '../shared-parts.ts';
import type { Connections } from '../instances/connections.ts';

export interface Coverage {
  chosen: Project[];
  skipped: { project: string; why: string }[];
  /** The scope in words; null for projects that are named. */
  covers: string | null;
  /** How many more projects the account sees; null where the instance does not say. */
  beyond: number | null;
}

/** A project that left the scope of a plan (`plan`: its name) or of "back up all" (null). */
export interface DepartedProject {
  instance: string;
  project: string;
  projectId: number;
  reason: DepartureReason;
  detail: string | null;
  /** How many archives of it are kept. */
  archives: number;
  plan: string | null;
  /** ISO 8601 UTC. */
  leftAt: string;
}

interface Parts extends Pick<SharedParts, 'announce' | 'clock' | 'lists' | 'log' | 'settings'> {
  scopes: ScopeProjects;
  projectsWithArchives: Pick<ProjectsWithArchives, 'hasGoodArchive' | 'countOf'>;
  connections: Connections;
}

export class ScopeSurveys {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Returns the present projects of a selection, and stores the list. `scope`: the id of the plan, or `backUpAllKey`. */
  async survey(
    instance: Instance,
    selection: Selection,
    scope: string,
    source: ProjectSource,
    signal: AbortSignal,
  ): Promise<Survey> {
    const found = await surveyScope(source, selection, {
      before: this.#before(instance, selection, scope),
      isHeld: this.#heldOn(instance),
      username: instance.username,
      now: this.#parts.clock.now(),
      signal,
    });
    this.#storeList(instance, selection, found);
    return found;
  }

  /** Asks what "all" covers now, stores the list, and finds what left since the last time. */
  async surveyAll(
    instance: Instance,
    scope: Scope,
    signal: AbortSignal,
  ): Promise<Omit<Coverage, 'beyond'> & Survey> {
    const selection: Selection = { kind: 'all', scope };
    const source = this.#parts.connections.connect(instance);
    const found = await this.survey(instance, selection, backUpAllKey(instance.name, scope), source, signal);
    return { ...found, covers: coversText(selection, instance.username) };
  }

  /** Stores what a backup of "all" covered, for the next one to compare with. */
  keepAll(
    instance: string,
    scope: Scope,
    { chosen, departures }: Pick<Survey, 'chosen' | 'departures'>,
  ): void {
    const { scopes, clock } = this.#parts;
    scopes.record(backUpAllKey(instance, scope), chosen, departures, clock.now());
  }

  async preview(instance: Instance, selection: Selection, signal: AbortSignal): Promise<Coverage> {
    const source = this.#parts.connections.connect(instance);
    const now = this.#parts.clock.now();
    const choice = await selectProjects(source, selection, now, signal, this.#heldOn(instance));
    const beyond = await countBeyond(source, selection, signal);
    return { ...choice, beyond, covers: coversText(selection, instance.username) };
  }

  /** Projects that left a scope since then (epoch milliseconds) and did not come back, newest first, each once. */
  departed(since: number): DepartedProject[] {
    const { settings, scopes, projectsWithArchives: projectsWithArchives } = this.#parts;
    const { plans, instances } = settings.read();
    const reported = new Set<string>();
    /** A project that left only one of two plans is still backed up. */
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
          archives: projectsWithArchives.countOf(instance.url, id),
          plan: plan?.name ?? null,
          leftAt: isoTime(leftAt),
        },
      ];
    });
  }

  forget(instance: string): void {
    this.#parts.scopes.forgetAll(instance);
  }

  #heldOn({ url }: Instance): (projectId: number) => boolean {
    return (projectId) => this.#parts.projectsWithArchives.hasGoodArchive(url, projectId);
  }

  /**
   * At the first run of "all", the earlier scope is the members' projects of the stored list that have an archive: a deletion
   * since then must be noticed although no run had met the project.
   */
  #before(instance: Instance, selection: Selection, scope: string) {
    const { scopes, lists } = this.#parts;
    const met = scopes.projectsInScope(scope);
    if (selection.kind !== 'all' || selection.scope !== 'member') return met;
    const known = new Set(scopes.seenProjectIds(scope));
    const isHeld = this.#heldOn(instance);
    return [...met, ...lists.exportable(instance.name).filter(({ id }) => !known.has(id) && isHeld(id))];
  }

  /** The survey counts, whether or not its list can be stored. */
  #storeList(instance: Instance, selection: Selection, { listed, departures }: Survey): void {
    const { lists, clock, log, announce } = this.#parts;
    try {
      const isWhole = selection.kind === 'all' && selection.scope !== 'owned';
      lists.merge(instance, listed, clock.now(), isWhole);
      for (const { id, reason } of departures) {
        if (reason === 'deleted' || reason === 'deleted-or-hidden') lists.drop(instance.name, id);
      }
      announce('project.changed', { instance: instance.name });
    } catch (thrown) {
      log.error({ err: AppError.from(thrown), instance: instance.name }, 'a project list was not stored');
    }
  }
}
