/** @file What the checks before a migration ask both instances for. Types, but for one rule; null always means: not told to this account. */
import type { LintFinding } from '../../../src-contract/migrations/lint.ts';
import type { MigrationDraft, Placement, ProjectExtras } from '../../../src-contract/migrations/migration.ts';

export type Side = 'source' | 'target';

export interface SideFacts {
  /** Of the instance, as it is called here. */
  name: string;
  url: string;
  /** For example `18.1.1-ee`. */
  version: string | null;
  user: SideUser;
  token: { scopes: string[]; expiresOn: string | null } | null;
  settings: SideSettings | null;
}

/** Whether both are one instance, perhaps under two names. */
export const isSame = (one: Pick<SideFacts, 'url'>, other: Pick<SideFacts, 'url'>): boolean =>
  one.url.replace(/\/+$/, '').toLowerCase() === other.url.replace(/\/+$/, '').toLowerCase();

export interface SideUser {
  id: number;
  username: string;
  administrator: boolean;
  /** A group's or a project's token has one; so has a service account. */
  bot: boolean;
  mayCreateGroups: boolean | null;
  /** How many projects it may have of its own; 0 for none. */
  projectsLimit: number | null;
}

/** Sizes in bytes, 0 for no limit. */
export interface SideSettings {
  importSources: string[] | null;
  exportEnabled: boolean | null;
  maxImportBytes: number | null;
  maxExportBytes: number | null;
  maxUnpackedBytes: number | null;
  restrictedVisibilities: string[];
}

/** A place on the target that projects go to. */
export interface PlaceFacts {
  fullPath: string;
  /** `missing`: there is none, or the account does not see it. */
  kind: 'group' | 'user' | 'missing';
  visibility: string | null;
  projectCreation: string | null;
  subgroupCreation: string | null;
  sharedRunners: string | null;
  markedForDeletionOn: string | null;
  /** Access level of the account, inherited ones with it; 0 for none. */
  role: number | null;
}

export interface SourceFacts {
  fullPath: string;
  archived: boolean;
  visibility: string | null;
  role: number | null;
  ownedByUser: boolean;
  markedForDeletionOn: string | null;
  sharedRunnersEnabled: boolean | null;
  repositoryBytes: number | null;
  /** Repository, wiki, uploads, LFS objects and the like: what an export may hold. */
  storageBytes: number | null;
  /** Of an export that may be under way. */
  exportState: string | null;
  extras: ProjectExtras;
  /** Direct members, and how many of them tell a public e-mail address. */
  members: { total: number; withEmail: number } | null;
}

/** What is where a project is to go. */
export interface TakenFacts {
  /** Another path than was asked for: that one leads there. */
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
  /** Null: it is gone from the source, or cannot be seen, or `unreadable` says what came instead. */
  source: SourceFacts | null;
  /** What the source said when it was asked for this project; null: it answered. */
  unreadable: string | null;
  taken: TakenFacts | null;
  /** Of the newest archive that is held of it; null: none is. */
  archiveBytes: number | null;
  /** Of that archive. */
  lint: readonly LintFinding[];
  /** A job of ours works on an export of it. */
  exportsHere: boolean;
}

export interface Facts {
  draft: Pick<MigrationDraft, 'source' | 'target' | 'freeze' | 'overrideParams' | 'rules'>;
  source: SideFacts;
  target: SideFacts;
  /** By path in lower case. */
  places: ReadonlyMap<string, PlaceFacts>;
  missingGroups: readonly string[];
  projects: readonly ProjectFacts[];
  /** Where archives are stored. */
  freeBytes: number | null;
  /** Epoch milliseconds: now, and when the last wave is expected to end. */
  now: number;
  endsAt: number | null;
}
