/** @file What routes are given: the parts of one sandbox, built in `sandbox.ts`. */
import type { Clock } from '../platform/clock.ts';
import type { Background } from './background.ts';
import type { Cloner } from './projects/cloning.ts';
import type { Deletions } from './projects/deleting.ts';
import type { ExportFile, Exporter } from './exporting/exporting.ts';
import type { FaultBook } from './faults/faults.ts';
import type { Importer } from './importing/importing.ts';
import type { RateLimiter } from './requests/limits.ts';
import type { Outbound } from './exporting/outbound.ts';
import type { RelationImporter } from './importing/relation-importing.ts';
import type { Tier } from './tier.ts';
import type { TokenBook } from './accounts/tokens.ts';
import { notFound } from './requests/api-error.ts';
import type { Project, User, World } from './world.ts';

/** What administrators can turn off: exports, all imports of archives, one of their newer forms, or repositories by URL. */
export type Feature = 'export' | 'import' | 'remote-import' | 'relation-import' | 'repository-import';

export interface Services {
  world: World;
  clock: Clock;
  faults: FaultBook;
  limiter: RateLimiter;
  tokens: TokenBook;
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
  /** Origin of the object storage for imports by coordinates; null for Amazon's. */
  s3Endpoint: string | null;
  /** What the administrators have turned off. */
  disabled: ReadonlySet<Feature>;
  /** Whether the API says why a record of an import was refused. */
  failureMessages: boolean;
  /** Largest file of a project's Markdown in bytes; 0 for no limit. */
  maxAttachmentSize: number;
  /** The URL the server believes it has: base of every link. Known once it listens. */
  url: () => string;
  /** Its host name, for addresses that are not web links. */
  hostname: () => string;
  /** Where a download is redirected to; null when the server sends files itself. */
  storageUrl: (file: ExportFile) => string | null;
}

/** The project with this id or full path; throws 404 when there is none that the user can read. */
export function findProject(world: World, user: User | null, idOrPath: string): Project {
  const project = lookUp(world, idOrPath);
  if (project === undefined || project.pendingDelete || !world.canRead(user, project)) {
    throw notFound('Project');
  }
  return project;
}

/** The project with this id or full path, whoever asks. */
export function lookUp(world: World, idOrPath: string): Project | undefined {
  return /^\d+$/.test(idOrPath) ? world.projects.get(Number(idOrPath)) : world.projectAt(idOrPath);
}
