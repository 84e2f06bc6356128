/**
 * @file The browser host: the whole app behind a page on 127.0.0.1. Composes the app, runs its jobs and serves
 * the pages to browsers that have a session. The caller decides what is printed. Runs under Node, from source and from
 * the build.
 */
import { join } from 'node:path';
import { AppError } from '../../src-contract/errors.ts';
import { z } from '../../src-contract/schema.ts';
import type { App, AppOptions } from '../compose/app.ts';
import { composeApp } from '../compose/compose.ts';
import { inProcessClient, type Client } from '../bridge/transports/in-process.ts';
import type { HostActions } from '../bridge/host/host-port.ts';
import { createSharedLimits } from '../bridge/transports/shared-limits.ts';
import { servePage } from '../bridge/transports/websocket.ts';
import { systemClock } from '../platform/clock.ts';
import { buildFolder } from '../platform/paths.ts';
import { systemPower } from '../platform/power.ts';
import { listJobs } from './reply-pages.ts';
import { createAccess } from './browser/access.ts';
import { readPageFiles } from './browser/pages.ts';
import { openPageServer } from './browser/page-server.ts';
import { openUploads } from './browser/uploads.ts';

export interface BrowserHostOptions extends Pick<AppOptions, 'dataDir' | 'env' | 'clock' | 'keychain'> {
  port: number;
  /** The folder of the built pages; only tests pass another. */
  pagesFolder?: string;
  /** Called when a browser has opened a link and received its session. */
  onLinkUsed?: () => void;
}

export interface BrowserHost {
  app: App;
  port: number;
  /** Returns a link that gives one browser a session. The link works once, within `validForMs` milliseconds. */
  newLink(validForMs?: number): string;
  /** Disconnects all pages, stores jobs as interrupted, closes everything. */
  close(): Promise<void>;
}

/** Extracts the path of an uploaded file from a job's input: an archive to import, or a file to attach to a project. */
const uploadedFileSchema = z.union([
  z.object({ archivePath: z.string() }).transform(({ archivePath }) => archivePath),
  z.object({ change: z.object({ file: z.string() }) }).transform(({ change }) => change.file),
]);

/** Throws `page-not-built`, `invalid-input` if the port is not available, and the errors of opening the data folder. */
export async function openBrowserHost(options: BrowserHostOptions): Promise<BrowserHost> {
  const {
    port,
    pagesFolder = join(buildFolder, 'renderer'),
    onLinkUsed = () => undefined,
    ...appOptions
  } = options;
  const { clock = systemClock } = appOptions;
  const pages = await readPageFiles(pagesFolder);
  const power = systemPower(process.platform, appOptions.env);
  const app = await composeApp({ ...appOptions, host: browserHost, power, longLived: true });
  try {
    const client = inProcessClient(app.dispatch, new AbortController().signal);
    const { dataFolder } = await client.call('host.describe', {});
    const uploads = openUploads({
      folder: join(dataFolder, 'uploads'),
      clock,
      findUsedPaths: () => filesOfOpenJobs(client),
    });
    const access = createAccess(clock);
    const sharedLimits = createSharedLimits();
    const server = await openPageServer({
      port,
      files: pages,
      access,
      uploads,
      clock,
      onPageConnected: (socket, { grantedPaths: paths }) =>
        servePage(socket, app.dispatch, (listener) => app.subscribe(listener), clock, paths, sharedLimits),
      onLinkUsed,
    });
    app.startJobs(() => true);
    app.startSchedule();
    return {
      app,
      port: server.port,
      newLink: (validForMs) =>
        `http://127.0.0.1:${server.port}/open?link=${access.newLinkSecret(validForMs)}`,
      async close() {
        await server.close();
        await uploads.close();
        await app.close();
      },
    };
  } catch (thrown) {
    await app.close();
    throw thrown;
  }
}

/** The browser may be on another machine, so this host opens nothing. */
const browserHost: HostActions = {
  capabilities: {
    host: 'browser',
    choosePath: false,
    reveal: false,
    openLink: false,
    tray: false,
    notify: false,
    startAtLogin: false,
  },
  choosePath: () => refuse('open a file dialog'),
  reveal: () => refuse('open a file manager'),
  openLink: () => refuse('open a link'),
};

function refuse(action: string): Promise<never> {
  return Promise.reject(new AppError('host-cannot', `A page in a browser cannot ${action}.`));
}

async function filesOfOpenJobs(client: Client): Promise<ReadonlySet<string>> {
  const jobs = await listJobs(client, { status: 'open' });
  return new Set(jobs.flatMap(({ input }) => uploadedFileSchema.safeParse(input).data ?? []));
}
