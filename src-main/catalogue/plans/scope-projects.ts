/** @file What scopes have met and what left them, as the app asks for it; see `plan-projects.ts`. */
import type { Catalogue } from '../database.ts';
import {
  forgetProjects,
  leaveScope,
  meetProjects,
  projectsInScope,
  projectsLeft,
  projectsMet,
  type LeftProject,
} from './plan-projects.ts';

/** Synchronous: when a method returns, the change is on disk. */
export class ScopeProjects {
  readonly #catalogue: Catalogue;

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  /** Projects that were in the scope at its last run. */
  inScope(scope: string): { id: number; fullPath: string }[] {
    return projectsInScope(this.#catalogue, scope);
  }

  /** Ids of all projects that the scope has ever met. */
  met(scope: string): number[] {
    return projectsMet(this.#catalogue, scope);
  }

  keep(
    scope: string,
    projects: ReadonlyArray<{ id: number; fullPath: string }>,
    departures: readonly LeftProject[],
    at: number,
  ): void {
    this.#catalogue.transaction(() => {
      meetProjects(this.#catalogue, scope, projects);
      leaveScope(this.#catalogue, scope, departures, at);
    });
  }

  /** Projects that left a scope since then, newest first. */
  left(since: number): (LeftProject & { planId: string; leftAt: number })[] {
    return projectsLeft(this.#catalogue, since);
  }

  /** Forgets a plan whose selection was changed by a person: what it covered before is no loss. */
  forget(scope: string): void {
    forgetProjects(this.#catalogue, scope);
  }

  /** Forgets every "back up all" of an instance that was removed. */
  forgetAll(instance: string): void {
    this.#catalogue.run('DELETE FROM plan_projects WHERE plan_id GLOB ?', `all:${instance}:*`);
  }
}
