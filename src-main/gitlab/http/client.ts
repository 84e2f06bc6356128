/**
 * @file The client of an instance over HTTP. The modules that send requests are loaded at the first request, so that
 * commands without requests start faster. [Note: token stays on its origin]
 */
import { AppError } from '../../../src-contract/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Token } from '../../platform/token.ts';
import { createInstanceCalls, type InstanceCalls } from './calls.ts';
import { checkCall, type Gate } from './gate.ts';
import { defaultLimits, type HttpLimits } from './limits.ts';
import type { ProjectMove } from './redirects.ts';
import { scrubError } from './scrub.ts';
import type { RequestLogEntry, Sender, SentWrite } from './sender.ts';

export interface InstanceClientOptions {
  baseUrl: string;
  /**
   * Called before every request, so that a rotated token is used at once. Null if there is no account, for public
   * projects only.
   */
  token: (() => Promise<Token>) | null;
  /** Absolute path of a PEM file with additional certificate authorities. */
  caFile?: string | null;
  /** Address of the proxy for all requests, without a password. */
  proxy?: string | null;
  clock: Clock;
  userAgent: string;
  log?: (line: RequestLogEntry) => void;
  /** Called before every write. If it returns false, the write is refused as `instance-read-only`. */
  mayWrite?: () => boolean;
  /** Called after every write that was sent, once its response or failure is known. */
  onWrite?: (write: SentWrite) => void;
  /** Returns the server's last known version, or null. A call that needs a newer version is refused with the reason. */
  version?: () => string | null;
  /** Called when a project was found at another path than requested. */
  onProjectMoved?: (move: ProjectMove) => void;
  limits?: Partial<HttpLimits>;
}

export interface InstanceClient extends InstanceCalls {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** True if requests are sent without a token. */
  readonly anonymous: boolean;
  readonly clock: Clock;
  close: () => void;
}

/** @throws AppError `invalid-input` when the base URL is not a plain http(s) address. */
export function createInstanceClient(options: InstanceClientOptions): InstanceClient {
  const { clock, userAgent, log } = options;
  const base = parseBaseUrl(options.baseUrl);
  const limits = { ...defaultLimits, ...options.limits };
  const { caFile = null, proxy = null } = options;
  const gate: Gate = {
    host: base.host,
    anonymous: options.token === null,
    mayWrite: options.mayWrite ?? (() => true),
    version: options.version ?? (() => null),
  };
  const baseUrl = base.href.replace(/\/+$/, '');
  const apiRoot = new URL(`${baseUrl}/api/v4`).pathname;
  /** Every token that was sent, to remove it from errors and log lines. */
  const secrets = new Set<string>();
  const senderOptions = {
    base,
    apiRoot,
    limits,
    caFile,
    proxy,
    secrets,
    token: options.token,
    clock,
    userAgent,
  };
  let senderPromise: Promise<Sender> | null = null;

  const send: Sender['send'] = async (request, connection) => {
    senderPromise ??= import('./sender.ts').then(({ openSender }) =>
      openSender({ ...senderOptions, log, onWrite: options.onWrite }),
    );
    return (await senderPromise).send(request, connection);
  };

  return {
    baseUrl,
    anonymous: gate.anonymous,
    clock,
    ...createInstanceCalls(send, {
      baseUrl,
      clock,
      limits,
      onProjectMoved: options.onProjectMoved ?? (() => undefined),
      async guard(method, call, make) {
        try {
          return await make(checkCall(gate, method, call));
        } catch (error) {
          throw scrubError(error, [...secrets, ...(call.secrets ?? [])]);
        }
      },
    }),
    close() {
      void senderPromise?.then(({ close }) => {
        close();
      });
    },
  };
}

function parseBaseUrl(text: string): URL {
  const url = URL.parse(text);
  const isPlain =
    url !== null &&
    (url.protocol === 'http:' || url.protocol === 'https:') &&
    `${url.username}${url.password}${url.search}${url.hash}` === '';
  if (isPlain) return url;
  throw new AppError(
    'invalid-input',
    'The URL of an instance looks like https://gitlab.example.com, without user name, password, "?" or "#".',
  );
}
