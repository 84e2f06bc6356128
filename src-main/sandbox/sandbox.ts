/**
 * @file An embedded GitLab-compatible server for tests and for practice. State is in memory and in one temporary folder
 * that closing removes. Listens on loopback only, and shares no code with the product's archive reader, its GitLab
 * client or its table of attributes.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../src-contract/errors.ts';
import type { Clock } from '../platform/clock.ts';
import { Background } from './background.ts';
import { Cloner, type CloneSpeed } from './projects/cloning.ts';
import { Deletions, type DeletionOptions } from './projects/deleting.ts';
import { createAccounts, type SandboxTokens } from './accounts/accounts.ts';
import { notFound } from './requests/api-error.ts';
import { Exporter, type ExportFile, type ExportSpeed, type PreviousExport } from './exporting/exporting.ts';
import type { Fault } from './faults/fault-kinds.ts';
import { FaultRegistry } from './faults/faults.ts';
import { Importer, type ImportSpeed } from './importing/importing.ts';
import { limitPresets, RateLimiter, type SandboxLimits } from './requests/limits.ts';
import { isAtLeast } from './releases.ts';
import { everyRoute } from './routes/every-route.ts';
import { controlRoutes } from './routes/control-routes.ts';
import { sendFile } from './routes/transfers/export-routes.ts';
import { seedArchive, seedGroups, seedProjects } from './seeding.ts';
import { createApp, type RequestLogEntry, type ServerParts } from './requests/server.ts';
import type { Outbound } from './exporting/outbound.ts';
import { RelationImporter, type RelationImportSpeed } from './importing/relation-importing.ts';
import { lookUp, type Feature, type Services } from './services.ts';
import { SandboxState } from './state.ts';
import type { Tier } from './tier.ts';
import { fullPath, hexOf, World } from './world.ts';

export type SandboxSpeed = ExportSpeed &
  ImportSpeed &
  RelationImportSpeed &
  CloneSpeed &
  Pick<DeletionOptions, 'deletionMs'>;

/** Milliseconds; an export or import of a small project takes about 40 ms. */
const fast: SandboxSpeed = {
  exportPendingMs: 5,
  exportQueuedMs: 5,
  exportStartedMs: 10,
  exportClosingMs: 10,
  importScheduledMs: 10,
  importStartedMs: 10,
  relationCreatedMs: 5,
  relationStartedMs: 5,
  forkScheduledMs: 10,
  forkStartedMs: 10,
  deletionMs: 10,
};

export interface SandboxOptions {
  clock: Clock;
  /** Default: 0, any free port. */
  port?: number;
  /** Determines tokens and seeded content. Default: 1. */
  seed?: number;
  /** Number of projects created by recipe. Default: 0. */
  projects?: number;
  /** Export archives to seed from. */
  files?: readonly string[];
  /** Default: `none`. */
  limits?: 'none' | 'gitlab' | Partial<SandboxLimits>;
  speed?: Partial<SandboxSpeed>;
  /** PEM texts; if given, the server uses HTTPS. */
  https?: { key: string; cert: string };
  version?: string;
  /** Subscription; the server accepts and ignores attributes of higher tiers. Default: `premium`. */
  tier?: Tier;
  /** Default: projects are marked and deleted after 30 days, or earlier on request; tier `free` has this since 18.0. */
  deletion?: Partial<Omit<DeletionOptions, 'deletionMs'>>;
  faults?: readonly Fault[];
  /** Largest upload in bytes. Default: 0, no limit. */
  maxImportSize?: number;
  /** Largest file of a project's Markdown in bytes; 0 for no limit. Default: 100 MiB. */
  maxAttachmentSize?: number;
  /** Largest project that may be exported, in bytes. Default: 0, no limit. */
  maxExportSize?: number;
  /** Features that the administrators have disabled. Default: none. */
  disabled?: readonly Feature[];
  /** Whether archives may come from a URL by plain http, which a real server refuses. Default: true. */
  allowHttpImports?: boolean;
  /** Whether the server itself may call loopback addresses, which a real one refuses. Default: true. */
  allowLocalRequests?: boolean;
  /** Effect of a new export on the previous file. Default: `kept`. */
  previousExport?: PreviousExport;
  /** Whether a token without a date gets one, as since 16.0 unless administrators disable it. Default: true. */
  tokensMustExpire?: boolean;
  /** Whether `failed_relations` holds the text of each failure, which servers hide since 13.0. Default: by version. */
  failureMessages?: boolean;
  /** Origin of the object storage for imports from S3. Default: Amazon's. */
  s3Endpoint?: string;
  /** The server's configured URL, used in links. Default: the real one. */
  configuredUrl?: string;
  /** Whether downloads are redirected to another origin, as with object storage. Default: false. */
  objectStorage?: boolean;
}

/** An archive that could not be used for seeding, and why. */
export interface SkippedFile {
  file: string;
  error: AppError;
}

export interface Sandbox {
  /** Base URL without a trailing slash. */
  url: string;
  /** Origin of the object storage; null without one. */
  storageUrl: string | null;
  tokens: SandboxTokens;
  /** Files of `options.files` that were skipped. */
  skipped: readonly SkippedFile[];
  faults: Pick<FaultRegistry, 'add' | 'clear' | 'list'>;
  /** Every request so far to both origins, oldest first. */
  requests: readonly RequestLogEntry[];
  state: SandboxState;
  /** Ends connections and running work, and removes the temporary folder. Idempotent. */
  close(): Promise<void>;
}

export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { clock } = options;
  const https = options.https ?? null;
  const seed = options.seed ?? 1;
  const version = options.version ?? '18.5.0-ee';
  const tier = options.tier ?? 'premium';
  const speed = { ...fast, ...options.speed };
  const limits =
    typeof options.limits === 'object'
      ? { ...limitPresets.none, ...options.limits }
      : limitPresets[options.limits ?? 'none'];
  const folder = await mkdtemp(join(tmpdir(), 'packhorse-sandbox-'));
  const background = new Background();

  const world = new World();
  const accounts = createAccounts(world, clock, seed, {
    tokensMustExpire: options.tokensMustExpire ?? true,
  });
  const faults = new FaultRegistry();
  for (const fault of options.faults ?? []) faults.add(fault);
  const requests: RequestLogEntry[] = [];
  const limiter = new RateLimiter(limits, clock);
  const outbound: Outbound = {
    clock,
    signal: background.signal,
    allowLocalRequests: options.allowLocalRequests ?? true,
    allowHttpImports: options.allowHttpImports ?? true,
  };
  const previous = options.previousExport ?? 'kept';
  const exporter = new Exporter({ world, clock, speed, folder, version, background, outbound, previous });
  const importer = new Importer({ world, clock, speed, folder, background });
  const relationImporter = new RelationImporter({ world, clock, speed, folder, background });
  const cloner = new Cloner({ clock, speed, folder, background });
  const deletions = new Deletions({
    world,
    clock,
    background,
    options: {
      // Until 18.0 only paid tiers had delayed deletion.
      delayed: tier !== 'free' || isAtLeast(version, '18.0'),
      delayDays: 30,
      immediateAllowed: true,
      deletionMs: speed.deletionMs,
      ...options.deletion,
    },
  });
  const apps: FastifyInstance[] = [];
  const close = async (): Promise<void> => {
    await Promise.all([background.close(), ...apps.map((app) => app.close())]);
    await rm(folder, { recursive: true, force: true });
  };

  try {
    seedGroups(world);
    const skipped: SkippedFile[] = [];
    for (const file of options.files ?? []) {
      await seedArchive(world, file, folder).catch((error: unknown) => {
        if (!(error instanceof AppError)) throw error;
        skipped.push({ file, error });
      });
    }
    seedProjects(world, options.projects ?? 0, seed);

    const projectPath = (idOrPath: string): string | null => {
      const project = lookUp(world, idOrPath);
      return project === undefined ? null : fullPath(project);
    };
    const parts: ServerParts = {
      accounts,
      clock,
      faults,
      limiter,
      requests,
      projectPath,
      signal: background.signal,
    };
    const app = createApp(parts, 'api', https);
    apps.push(app);

    const stored = new Map<string, ExportFile>();
    let storageUrl: string | null = null;
    if (options.objectStorage === true) {
      const storage = createApp(parts, 'storage', https);
      apps.push(storage);
      storage.get<{ Params: { key: string } }>('/exports/:key', (request, reply) => {
        const file = stored.get(request.params.key);
        if (file === undefined) throw notFound('File');
        return sendFile(request, reply, file);
      });
      storageUrl = await listen(storage, 0, https);
    }

    let url = '';
    const hostname = new URL(options.configuredUrl ?? 'http://127.0.0.1').hostname;
    const services: Services = {
      world,
      clock,
      faults,
      limiter,
      tokens: accounts.book,
      exporter,
      importer,
      relationImporter,
      outbound,
      cloner,
      deletions,
      background,
      version,
      tier,
      folder,
      maxImportSize: options.maxImportSize ?? 0,
      maxExportSize: options.maxExportSize ?? 0,
      s3Endpoint: options.s3Endpoint ?? null,
      disabled: new Set(options.disabled),
      failureMessages: options.failureMessages ?? !isAtLeast(version, '13.0'),
      maxAttachmentSize: options.maxAttachmentSize ?? 100 << 20,
      url: () => options.configuredUrl ?? url,
      hostname: () => hostname,
      storageUrl: (file) => {
        if (storageUrl === null) return null;
        const key = hexOf(file.path, 32);
        stored.set(key, file);
        return `${storageUrl}/exports/${key}?X-Amz-Expires=600&X-Amz-Signature=${hexOf(`${seed} ${key}`, 64)}`;
      },
    };
    await app.register(
      (api, _options, done) => {
        everyRoute(api, services);
        done();
      },
      { prefix: '/api/v4' },
    );
    const state = new SandboxState(world, clock);
    await app.register(
      (control, _options, done) => {
        controlRoutes(control, services, { requests, state });
        done();
      },
      { prefix: '/-/sandbox' },
    );
    url = await listen(app, options.port ?? 0, https);

    return { url, storageUrl, tokens: accounts.tokens, skipped, faults, requests, state, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Listens on loopback and returns the origin. Throws `already-exists` when the port is in use. */
async function listen(app: FastifyInstance, port: number, https: object | null): Promise<string> {
  try {
    await app.listen({ host: '127.0.0.1', port });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new AppError('already-exists', 'The port is in use.', { details: { port }, cause: error });
  }
  const { port: actual } = app.server.address() as AddressInfo;
  return `${https === null ? 'http' : 'https'}://127.0.0.1:${actual}`;
}
