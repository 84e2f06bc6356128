/**
 * @file An embedded GitLab-compatible server for tests and for practice. State is in memory and in one temporary folder
 * that closing removes. Listens on loopback only, and shares no code with the product's reading of GitLab.
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
import { FaultBook } from './faults/faults.ts';
import { Importer, type ImportSpeed } from './importing/importing.ts';
import { limitPresets, RateLimiter, type SandboxLimits } from './requests/limits.ts';
import { atLeast } from './releases.ts';
import { everyRoute } from './routes/every-route.ts';
import { controlRoutes } from './routes/control-routes.ts';
import { sendFile } from './routes/transfers/export-routes.ts';
import { seedArchive, seedGroups, seedProjects } from './seeding.ts';
import { createApp, type RequestLogEntry, type ServerParts } from './requests/server.ts';
import type { Outbound } from './exporting/outbound.ts';
import { RelationImporter, type RelationImportSpeed } from './importing/relation-importing.ts';
import { lookUp, type Feature, type ServerSettings, type Services } from './services.ts';
import { SandboxState } from './state.ts';
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

export interface SandboxOptions extends Partial<ServerSettings> {
  clock: Clock;
  /** Default: any free port. */
  port?: number;
  /** Determines tokens and seeded content. */
  seed?: number;
  /** Number of projects created by recipe. */
  projects?: number;
  /** Export archives to seed from. */
  files?: readonly string[];
  limits?: 'none' | 'gitlab' | Partial<SandboxLimits>;
  speed?: Partial<SandboxSpeed>;
  /** PEM texts; if given, the server uses HTTPS. */
  https?: { key: string; cert: string };
  /** Default: projects are marked and deleted after 30 days, or earlier on request; tier `free` has this since 18.0. */
  deletion?: Partial<Omit<DeletionOptions, 'deletionMs'>>;
  faults?: readonly Fault[];
  /** Features that the administrators have disabled. */
  disabled?: readonly Feature[];
  /** Whether archives may come from a URL by plain http, which a real server refuses. */
  allowHttpImports?: boolean;
  /** Whether the server itself may call loopback addresses, which a real one refuses. */
  allowLocalRequests?: boolean;
  /** Effect of a new export on the previous file. */
  previousExport?: PreviousExport;
  /** Whether a token without a date gets one, as since 16.0 unless administrators disable it. */
  tokensMustExpire?: boolean;
  /** The server's configured URL, used in links. Default: the real one. */
  configuredUrl?: string;
  /** Whether downloads are redirected to another origin, as with object storage. */
  objectStorage?: boolean;
}

const defaults = {
  port: 0,
  seed: 1,
  projects: 0,
  files: [],
  limits: 'none',
  version: '18.5.0-ee',
  tier: 'premium',
  faults: [],
  maxImportSize: 0,
  maxAttachmentSize: 100 << 20,
  maxExportSize: 0,
  disabled: [],
  allowHttpImports: true,
  allowLocalRequests: true,
  previousExport: 'kept',
  tokensMustExpire: true,
  s3Endpoint: null,
} satisfies Partial<SandboxOptions>;

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
  faults: Pick<FaultBook, 'add' | 'clear' | 'list'>;
  /** Every request so far to both origins, oldest first. */
  requests: readonly RequestLogEntry[];
  state: SandboxState;
  /** Ends connections and running work, and removes the temporary folder. Idempotent. */
  close(): Promise<void>;
}

export async function startSandbox(given: SandboxOptions): Promise<Sandbox> {
  const options = { ...defaults, ...given };
  const { clock, seed, version, tier, https = null } = options;
  const speed = { ...fast, ...options.speed };
  const limits =
    typeof options.limits === 'object'
      ? { ...limitPresets.none, ...options.limits }
      : limitPresets[options.limits];
  const folder = await mkdtemp(join(tmpdir(), 'packhorse-sandbox-'));
  const background = new Background();

  const world = new World();
  const accounts = createAccounts(world, clock, seed, options.tokensMustExpire);
  const faults = new FaultBook();
  for (const fault of options.faults) faults.add(fault);
  const requests: RequestLogEntry[] = [];
  const limiter = new RateLimiter(limits, clock);
  const { allowLocalRequests, allowHttpImports, previousExport: previous } = options;
  const outbound: Outbound = { clock, signal: background.signal, allowLocalRequests, allowHttpImports };
  const work = { world, clock, speed, folder, background };
  const deletions = new Deletions(work, {
    // Until 18.0 only paid tiers had delayed deletion.
    delayed: tier !== 'free' || atLeast(version, '18.0'),
    delayDays: 30,
    immediateAllowed: true,
    deletionMs: speed.deletionMs,
    ...options.deletion,
  });
  const apps: FastifyInstance[] = [];
  const close = async (): Promise<void> => {
    await Promise.all([background.close(), ...apps.map((app) => app.close())]);
    await rm(folder, { recursive: true, force: true });
  };

  try {
    seedGroups(world);
    const skipped: SkippedFile[] = [];
    for (const file of options.files) {
      await seedArchive(world, file, folder).catch((error: unknown) => {
        if (!(error instanceof AppError)) throw error;
        skipped.push({ file, error });
      });
    }
    seedProjects(world, options.projects, seed);

    const projectPath = (idOrPath: string): string | null => {
      const project = lookUp(world, idOrPath);
      return project === undefined ? null : fullPath(project);
    };
    const { signal } = background;
    const parts: ServerParts = { accounts, clock, faults, limiter, requests, projectPath, signal };
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
      failureMessages: !atLeast(version, '13.0'),
      ...options,
      world,
      faults,
      limiter,
      tokens: accounts.book,
      exporter: new Exporter({ ...work, version, outbound, previous }),
      importer: new Importer(work),
      relationImporter: new RelationImporter(work),
      outbound,
      cloner: new Cloner(work),
      deletions,
      background,
      folder,
      disabled: new Set(options.disabled),
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
    url = await listen(app, options.port, https);

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
    throw new AppError('already-exists', 'the port is in use', { details: { port }, cause: error });
  }
  const { port: actual } = app.server.address() as AddressInfo;
  return `${https === null ? 'http' : 'https'}://127.0.0.1:${actual}`;
}
