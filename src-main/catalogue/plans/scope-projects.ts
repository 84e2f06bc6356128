/** @file The projects that scopes contain and that left them, as a class for the services; see `plan-projects.ts`. */
import { CatalogueTable } from '../catalogue-table.ts';
import {
  forgetProjects,
  recordDepartures,
  recordProjects,
  projectsInScope,
  readDepartures,
  knownProjectIds,
  type ScopeDeparture,
} from './plan-projects.ts';

export class ScopeProjects extends CatalogueTable {
  projectsInScope(scope: string): { id: number; fullPath: string }[] {
    return projectsInScope(this.catalogue, scope);
  }

  seenProjectIds(scope: string): number[] {
    return knownProjectIds(this.catalogue, scope);
  }

  record(
    scope: string,
    projects: ReadonlyArray<{ id: number; fullPath: string }>,
    departures: readonly ScopeDeparture[],
    at: number,
  ): void {
    this.catalogue.transaction(() => {
      recordProjects(this.catalogue, scope, projects);
      recordDepartures(this.catalogue, scope, departures, at);
    });
  }

  departuresSince(since: number): (ScopeDeparture & { planId: string; leftAt: number })[] {
    return readDepartures(this.catalogue, since);
  }

  /** Removes a plan whose selection a user changed: its former coverage is no loss. */
  forget(scope: string): void {
    forgetProjects(this.catalogue, scope);
  }

  forgetAll(instance: string): void {
    this.catalogue.run('DELETE FROM plan_projects WHERE plan_id GLOB ?', `all:${instance}:*`);
  }
}
