/** @file The parts of one sandbox that routes use, built in `sandbox.ts`. */
import type { Clock } from '../platform/clock.ts';
import type { Background } from './background.ts';
import type { Cloner } from './projects/cloning.ts';
import type { Deletions } from './projects/deleting.ts';
import type { ExportFile, Exporter } from './exporting/exporting.ts';
import type { FaultRegistry } from './faults/faults.ts';
import type { Importer } from './importing/importing.ts';
import type { RateLimiter } from './requests/limits.ts';
import type { Outbound } from './exporting/outbound.ts';
import type { RelationImporter } from './importing/relation-importing.ts';
import type { Tier } from './tier.ts';
import type { TokenRegistry } from './accounts/tokens.ts';
import { notFound } from './requests/api-error.ts';
import type { Project, User, World } from './world.ts';

/**
 * Features that administrators can disable: exports, all imports of archives, one of their newer forms, or repositories
 * by URL.
 */
export type Feature = 'export' | 'import' | 'remote-import' | 'relation-import' | 'repository-import';

export interface Services {
  world: World;
  clock: Clock;
  faults: FaultRegistry;
  limiter: RateLimiter;
  tokens: TokenRegistry;
  exporter: Exporter;
  importer: Importer;
  relationImporter: RelationImporter;
  outbound: Outbound;
  cloner: Cloner;
  deletions: Deletions;
  background: Background;
  version: string;
  tier: Tier;
  /** Folder for uploads in progress. */
  folder: string;
  /** Largest upload in bytes; 0 for no limit. */
  maxImportSize: number;
  /** Largest project that may be exported, in bytes; 0 for no limit. */
  maxExportSize: number;
  /** Origin of the object storage for imports from S3; null for Amazon's. */
  s3Endpoint: string | null;
  /** Features that the administrators have disabled. */
  disabled: ReadonlySet<Feature>;
  /** Whether the API reports why a record of an import was refused. */
  failureMessages: boolean;
  /** Largest file of a project's Markdown in bytes; 0 for no limit. */
  maxAttachmentSize: number;
  /** Returns the server's configured URL, the base of every link. Available once the server listens. */
  url: () => string;
  /** Returns its host name, for addresses other than web links. */
  hostname: () => string;
  /** Returns the address that a download is redirected to; null if the server sends files itself. */
  storageUrl: (file: ExportFile) => string | null;
}

/** Returns the project with this id or full path; throws 404 unless the user can read it. */
export function findProject(world: World, user: User | null, idOrPath: string): Project {
  const project = lookUp(world, idOrPath);
  if (project === undefined || project.pendingDelete || !world.canRead(user, project)) {
    throw notFound('Project');
  }
  return project;
}

/** Returns the project with this id or full path, for any caller. */
export function lookUp(world: World, idOrPath: string): Project | undefined {
  return /^\d+$/.test(idOrPath) ? world.projects.get(Number(idOrPath)) : world.projectAt(idOrPath);
}
