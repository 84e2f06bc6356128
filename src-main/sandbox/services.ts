/** @file The parts of one sandbox that routes use, built in `sandbox.ts`. */
import type { Clock } from '../platform/clock.ts';
import type { Background } from './background.ts';
import type { Cloner } from './projects/cloning.ts';
import type { Deletions } from './projects/deleting.ts';
import type { ExportFile, Exporter } from './exporting/exporting.ts';
import type { FaultRegistry } from './faults/faults.ts';
import type { Importer } from './importing/importing.ts';
import type { RateLimiter } from './requests/limits.ts';
import type { OutboundOptions } from './exporting/outbound.ts';
import type { RelationImporter } from './importing/relation-importing.ts';
import type { Tier } from './tier.ts';
import type { TokenRegistry } from './accounts/tokens.ts';
import { notFound } from './requests/api-error.ts';
import type { Project, User, SandboxDatabase } from './sandbox-database.ts';

/**
 * A feature that can be disabled: exports, all imports of archives, one of the newer forms of import, or the import of
 * repositories by URL.
 */
export type Feature = 'export' | 'import' | 'remote-import' | 'relation-import' | 'repository-import';

/** Sizes in bytes; 0 for no limit. */
export interface ServerSettings {
  version: string;
  /** Subscription; the server accepts and ignores attributes of higher tiers. */
  tier: Tier;
  maxImportSize: number;
  maxExportSize: number;
  /** Maximum size of a file attached in Markdown. */
  maxAttachmentSize: number;
  /** Origin of the object storage for imports from S3; null for Amazon's own storage. */
  s3Endpoint: string | null;
  /** True if `failed_relations` has the text of each failure, which servers hide since 13.0. */
  showsFailureMessages: boolean;
}

export interface Services extends ServerSettings {
  database: SandboxDatabase;
  clock: Clock;
  faults: FaultRegistry;
  limiter: RateLimiter;
  tokens: TokenRegistry;
  exporter: Exporter;
  importer: Importer;
  relationImporter: RelationImporter;
  outbound: OutboundOptions;
  cloner: Cloner;
  deletions: Deletions;
  background: Background;
  /** Folder for uploads in progress. */
  folder: string;
  disabledFeatures: ReadonlySet<Feature>;
  /** The server's configured URL, the base of every link. Available once the server listens. */
  url: () => string;
  /** Returns the host name of the server, for addresses other than web links. */
  hostname: () => string;
  /** Returns the address that a download is redirected to; null if the server sends files itself. */
  storageUrl: (file: ExportFile) => string | null;
}

/** Finds a project by id or full path; throws 404 unless the user can read it. */
export function findProject(database: SandboxDatabase, user: User | null, idOrPath: string): Project {
  const project = findAnyProject(database, idOrPath);
  if (project === undefined || project.pendingDelete || !database.canRead(user, project)) {
    throw notFound('Project');
  }
  return project;
}

/** Finds a project by id or full path, for any caller. */
export function findAnyProject(database: SandboxDatabase, idOrPath: string): Project | undefined {
  return /^\d+$/.test(idOrPath) ? database.projects.get(Number(idOrPath)) : database.projectAt(idOrPath);
}
