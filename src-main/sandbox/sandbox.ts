/**
 * @file An embedded GitLab-compatible server for tests and for trying Packhorse. State is in memory and in one
 * temporary folder that closing removes. Listens on loopback only, and shares no code with the product's GitLab client.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../src-contract/errors.ts';
import type { Clock } from '../platform/clock.ts';
import { Background, fastSpeed, type SandboxSpeed } from './background.ts';
import { Cloner } from './projects/cloning.ts';
import { Deletions, type DeletionOptions } from './projects/deleting.ts';
import { createAccounts, type SandboxTokens } from './accounts/accounts.ts';
import { notFound } from './requests/api-error.ts';
import { Exporter, type ExportFile, type EarlierFilePolicy } from './exporting/exporting.ts';
import type { Fault } from './faults/fault-kinds.ts';
import { FaultRegistry } from './faults/faults.ts';
import { Importer } from './importing/importing.ts';
import { limitPresets, RateLimiter, type SandboxLimits } from './requests/limits.ts';
import { isAtLeast } from './releases.ts';
import { registerRoutes } from './routes/every-route.ts';
import { gitRoutes } from './routes/git-routes.ts';
import { controlRoutes } from './routes/control-routes.ts';
import { sendFile } from './routes/transfers/export-routes.ts';
import { seedArchive, seedGroups, seedProjects } from './seeding.ts';
import { createApp, type RequestLogEntry, type ServerDeps } from './requests/server.ts';
import type { OutboundOptions } from './exporting/outbound.ts';
import { RelationImporter } from './importing/relation-importing.ts';
import { type Feature, type ServerSettings, type Services } from './services.ts';
import { SandboxState } from './state.ts';
import { hexDigest, SandboxDatabase } from './sandbox-database.ts';

export interface SandboxOptions extends Partial<ServerSettings> {
  clock: Clock;
  /** Default: any free port. */
  port?: number;
  /** Determines tokens and seeded content. */
  seed?: number;
  projectCount?: number;
  /** True if even the first projects have few records (see `recipeOf`). */
  areProjectsLight?: boolean;
  seedArchives?: readonly string[];
  limits?: 'none' | 'gitlab' | Partial<SandboxLimits>;
  speed?: Partial<SandboxSpeed>;
  /** PEM texts; if given, the server uses HTTPS. */
  https?: { key: string; cert: string };
  /**
   * Default: projects are marked and deleted after 30 days, or earlier on request; tier `free` has delayed deletion
   * since 18.0.
   */
  deletion?: Partial<DeletionOptions>;
  faults?: readonly Fault[];
  disabledFeatures?: readonly Feature[];
  /** True if archives may be downloaded from a URL by plain http, which a real server refuses. */
  allowHttpImports?: boolean;
  /** True if the server itself may call loopback addresses, which a real server refuses. */
  allowLocalRequests?: boolean;
  earlierExportPolicy?: EarlierFilePolicy;
  /** True if a token without an expiry date gets one, like on servers since 16.0 unless administrators disable it. */
  tokensMustExpire?: boolean;
  /** The server's configured URL, used in links. Default: the URL on which it listens. */
  externalUrl?: string;
  /** True if downloads are redirected to another origin, as with object storage. */
  hasObjectStorage?: boolean;
}

const defaults = {
  port: 0,
  seed: 1,
  projectCount: 0,
  areProjectsLight: false,
  seedArchives: [],
  limits: 'none',
  version: '18.5.0-ee',
  tier: 'premium',
  faults: [],
  maxImportSize: 0,
  maxAttachmentSize: 100 << 20,
  maxExportSize: 0,
  disabledFeatures: [],
  allowHttpImports: true,
  allowLocalRequests: true,
  earlierExportPolicy: 'kept',
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
  skippedArchives: readonly SkippedFile[];
  faults: Pick<FaultRegistry, 'add' | 'clear' | 'list'>;
  /** Every request so far to both origins, oldest first. */
  requests: readonly RequestLogEntry[];
  state: SandboxState;
  /** Ends connections and running work, and removes the temporary folder. Idempotent. */
  close(): Promise<void>;
}

export async function startSandbox(overrides: SandboxOptions): Promise<Sandbox> {
  const options = { ...defaults, ...overrides };
  const { clock, seed, version, tier, https = null } = options;
  const speed = { ...fastSpeed, ...options.speed };
  const limits =
    typeof options.limits === 'object'
      ? { ...limitPresets.none, ...options.limits }
      : limitPresets[options.limits];
  const folder = await mkdtemp(join(tmpdir(), 'packhorse-sandbox-'));
  const background = new Background();

  const database = new SandboxDatabase();
  const accounts = createAccounts(database, clock, seed, options.tokensMustExpire);
  const faults = new FaultRegistry();
  for (const fault of options.faults) faults.add(fault);
  const requests: RequestLogEntry[] = [];
  const limiter = new RateLimiter(limits, clock);
  const { allowLocalRequests, allowHttpImports, earlierExportPolicy: earlierFilePolicy } = options;
  const outbound: OutboundOptions = {
    clock,
    signal: background.signal,
    allowLocalRequests,
    allowHttpImports,
  };
  const work = { database, clock, speed, folder, background };
  const deletions = new Deletions(work, {
    // Until 18.0 only paid tiers had delayed deletion.
    delayed: tier !== 'free' || isAtLeast(version, '18.0'),
    delayDays: 30,
    immediateAllowed: true,
    ...options.deletion,
  });
  const apps: FastifyInstance[] = [];
  const close = async (): Promise<void> => {
    await Promise.all([background.close(), ...apps.map((app) => app.close())]);
    await rm(folder, { recursive: true, force: true });
  };

  try {
    seedGroups(database);
    const skippedArchives: SkippedFile[] = [];
    for (const file of options.seedArchives) {
      await seedArchive(database, file, folder).catch((error: unknown) => {
        if (!(error instanceof AppError)) throw error;
        skippedArchives.push({ file, error });
      });
    }
    seedProjects(database, { count: options.projectCount, seed, areLight: options.areProjectsLight });

    const { signal } = background;
    const deps: ServerDeps = { accounts, clock, faults, limiter, requests, database, signal };
    const app = createApp(deps, 'api', https);
    apps.push(app);

    const filesByKey = new Map<string, ExportFile>();
    let storageUrl: string | null = null;
    if (options.hasObjectStorage === true) {
      const storage = createApp(deps, 'storage', https);
      apps.push(storage);
      storage.get<{ Params: { key: string } }>('/exports/:key', (request, reply) => {
        const file = filesByKey.get(request.params.key);
        if (file === undefined) throw notFound('File');
        return sendFile(request, reply, file);
      });
      storageUrl = await listen(storage, 0, https);
    }

    let url = '';
    const hostname = new URL(options.externalUrl ?? 'http://127.0.0.1').hostname;
    const services: Services = {
      showsFailureMessages: !isAtLeast(version, '13.0'),
      ...options,
      database,
      faults,
      limiter,
      tokens: accounts.tokenRegistry,
      exporter: new Exporter({ ...work, version, outbound, earlierFilePolicy }),
      importer: new Importer(work),
      relationImporter: new RelationImporter(work),
      outbound,
      cloner: new Cloner(work),
      deletions,
      background,
      folder,
      disabledFeatures: new Set(options.disabledFeatures),
      url: () => options.externalUrl ?? url,
      hostname: () => hostname,
      storageUrl: (file) => {
        if (storageUrl === null) return null;
        const key = hexDigest(file.path, 32);
        filesByKey.set(key, file);
        return `${storageUrl}/exports/${key}?X-Amz-Expires=600&X-Amz-Signature=${hexDigest(`${seed} ${key}`, 64)}`;
      },
    };
    await app.register(
      (api, _options, done) => {
        registerRoutes(api, services);
        done();
      },
      { prefix: '/api/v4' },
    );
    const state = new SandboxState(database, clock);
    await app.register(
      (control, _options, done) => {
        controlRoutes(control, services, { requests, state });
        done();
      },
      { prefix: '/-/sandbox' },
    );
    gitRoutes(app, services);
    url = await listen(app, options.port, https);

    return {
      url,
      storageUrl,
      tokens: accounts.tokens,
      skippedArchives,
      faults,
      requests,
      state,
      close,
    };
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
  const { port: actualPort } = app.server.address() as AddressInfo;
  return `${https === null ? 'http' : 'https'}://127.0.0.1:${actualPort}`;
}
