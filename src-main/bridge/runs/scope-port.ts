/** @file What the handlers need of scopes: which projects "all" and a selection cover, and what left. Types only. */
import type { Instance } from '../../../src-contract/instance.ts';
import type { Selection } from '../../../src-contract/plans/plan.ts';
import type { RunNote } from '../../../src-contract/plans/run.ts';
import type { Project } from '../../../src-contract/projects/project.ts';
import type { DepartureReason, Scope } from '../../../src-contract/projects/scope.ts';

interface Left {
  id: number;
  fullPath: string;
  reason: DepartureReason;
  detail: string | null;
}

/** What a selection covers, and what the account may not export of it. */
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

export interface ScopePort {
  /** Asks what "all" covers now, stores the list, and finds what left since the last time. */
  surveyAll(
    instance: Instance,
    scope: Scope,
    signal: AbortSignal,
  ): Promise<Coverage & { departures: Left[]; notes: RunNote[] }>;
  /** Keeps what a backup of "all" covered, for the next one to compare with. */
  keepAll(instance: string, scope: Scope, covered: { chosen: Project[]; departures: Left[] }): void;
  /** Asks what a selection covers now; changes nothing. */
  preview(instance: Instance, selection: Selection, signal: AbortSignal): Promise<Coverage>;
  /** Projects that left a scope since then (epoch milliseconds) and did not come back, newest first, each once. */
  departed(since: number): DepartedProject[];
  forget(instance: string): void;
}
