/**
 * @file The facts that the checks before a migration need. Unless described otherwise, null means that the instance
 * does not report the value to this account.
 */
import type { Lint } from '../../../../src-contract/archives/lint-schema.ts';
import type {
  MigrationDraft,
  Placement,
  NotExportedCounts,
} from '../../../../src-contract/migrations/migration.ts';
import type { ForecastNumbers } from '../../../../src-contract/transfers/comparison-forecast.ts';
import type { applicationSettings } from '../../../gitlab/instances/application-settings.ts';
import type { currentUser } from '../../../gitlab/instances/server.ts';
import type { getGroup } from '../../../gitlab/projects/groups.ts';

export type Side = 'source' | 'target';

export interface SideFacts {
  name: string;
  url: string;
  /** For example `18.1.1-ee`. */
  version: string | null;
  user: SideUser;
  token: { scopes: string[]; expiresOn: string | null } | null;
  settings: SideSettings;
}

/** Returns whether both are the same instance, perhaps under two names. */
export const isSameInstance = (a: Pick<SideFacts, 'url'>, b: Pick<SideFacts, 'url'>): boolean =>
  a.url.replace(/\/+$/, '').toLowerCase() === b.url.replace(/\/+$/, '').toLowerCase();

/** A `projectsLimit` of 0 means that the user may own no project. */
export type SideUser = Awaited<ReturnType<typeof currentUser>>;
type SideSettings = Awaited<ReturnType<typeof applicationSettings>>;

export interface NamespaceFacts extends Omit<Awaited<ReturnType<typeof getGroup>>, 'id'> {
  /** `missing` if the namespace does not exist, or the account cannot see it. */
  kind: 'group' | 'user' | 'missing';
  /** Access level of the account, including inherited ones; 0 for none. */
  role: number | null;
}

export interface SourceProjectFacts {
  fullPath: string;
  archived: boolean;
  visibility: string | null;
  role: number | null;
  ownedByUser: boolean;
  markedForDeletionOn: string | null;
  sharedRunnersEnabled: boolean | null;
  repositoryBytes: number | null;
  /** Repository, wiki, uploads, LFS objects and other parts that an export may contain. */
  storageBytes: number | null;
  /** The state of an export that may be running. */
  exportState: string | null;
  extras: NotExportedCounts;
  /** Direct members, and how many of them have a public e-mail address. */
  members: { total: number; withEmail: number } | null;
}

/** The project that already uses a wanted path. */
export interface ExistingProjectFacts {
  /** If this differs from the requested path, that path redirects here. */
  fullPath: string;
  markedForDeletionOn: string | null;
  role: number | null;
}

export interface ProjectFacts {
  sourceId: number;
  sourcePath: string;
  wave: number;
  placement: Placement;
  conflicts: string[];
  /** Null if the project is gone or not visible, or if `sourceError` is not null. */
  source: SourceProjectFacts | null;
  /** Null if they could not be read. */
  numbers?: ForecastNumbers | null;
  /** The error of the source when this project was read; null if it was read. */
  sourceError: string | null;
  existingProject: ExistingProjectFacts | null;
  /** The error of the target when its group or the project at the path was read; null if both were read. */
  targetError: string | null;
  /** Size of the newest stored archive of the project; null if there is none. */
  archiveBytes: number | null;
  /** The check of that archive; null if there is none. */
  lint: Lint | null;
  /** True while a job of ours exports the project. */
  hasExportJob: boolean;
}

export interface Facts {
  draft: Pick<MigrationDraft, 'source' | 'target' | 'freeze' | 'overrideParams' | 'rules'>;
  source: SideFacts;
  target: SideFacts;
  /** By path in lower case. Lacks namespaces that the target could not show. */
  namespacesByPath: ReadonlyMap<string, NamespaceFacts>;
  missingGroups: readonly string[];
  projects: readonly ProjectFacts[];
  freeBytes: number | null;
  /** Epoch milliseconds. `endsAt` is the expected end of the last wave. */
  now: number;
  endsAt: number | null;
}
