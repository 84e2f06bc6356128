/** @file What the handlers need of the stored project lists. Types only. */
import type { ParsedRequest } from '../../../src-contract/calls.ts';
import type { Instance } from '../../../src-contract/instance.ts';
import type { InstanceOverview } from '../../../src-contract/overview.ts';
import type {
  HeldOfProject,
  JudgedProject,
  Project,
  ProjectRow,
  BackupStatus,
} from '../../../src-contract/projects/project.ts';

export interface ProjectListPort {
  /** Stores a list that was asked for anew; one that breaks off loses nothing. */
  replace(
    instance: Instance,
    pages: AsyncIterable<Project[]>,
  ): Promise<{ projects: number; refreshedAt: number }>;
  /** `importedSince` in epoch milliseconds limits which projects are new copies. */
  page(filter: ParsedRequest<'project.page'> & { importedSince: number }): {
    projects: ProjectRow[];
    total: number;
  };
  /** Epoch milliseconds of the last refresh by instance; a list that never was refreshed is absent. */
  refreshed(): Map<string, number>;
  /** How many projects of each instance stand how; standings that none has are absent. */
  standings(): { instance: string; standing: BackupStatus; projects: number }[];
  /** What the number of projects by status does not say. `importedSince` in epoch milliseconds limits `newCopies`. */
  protection(
    instance: string,
    importedSince: number,
  ): Pick<InstanceOverview, 'failedHeld' | 'newCopies' | 'oldestArchive'>;
  /** Projects without an archive of their own whose contents are in one that they were imported from after that (epoch milliseconds). */
  newCopies(importedSince: number): { instance: string; id: number }[];
  count(instance: string): number;
  /** The one of the stored list at this path, whatever its case; null where the list has none. */
  withPath(instance: string, fullPath: string): Pick<Project, 'id' | 'fullPath' | 'name'> | null;
  /** Those of the stored list that have one of these ids. */
  withIds(instance: string, ids: number[]): Pick<Project, 'id' | 'fullPath'>[];
  /** What is held of any projects of the instance, listed or not, in the order in which they are named. */
  held(instance: Instance, projects: JudgedProject[]): HeldOfProject[];
  forget(instance: string): void;
}
