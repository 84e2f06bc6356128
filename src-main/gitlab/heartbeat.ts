/**
 * @file Reports to a monitoring service that a plan has run: a GET to a secret address, without project data. Only the
 * origin of the address appears in messages.
 */
import type { IncomingMessage } from 'node:http';
import { isIP, BlockList } from 'node:net';
import { AppError } from '../../src-contract/errors.ts';
import type { Clock } from '../platform/clock.ts';
import { registerSecret } from '../platform/redact.ts';
import type { ConnectionPool } from './http/connections.ts';

const timeLimitMs = 10_000;
const maxAttempts = 3;
const retryDelayMs = 2_000;
const maxRedirects = 3;
const maxAddressLength = 2_048;

/**
 * Parses the address of a heartbeat and returns its printable origin. `isEncrypted` is false for http, which is allowed
 * only for this machine and private networks. Throws `invalid-input`, without the address.
 */
export function parseHeartbeatUrl(address: string): { url: URL; origin: string; isEncrypted: boolean } {
  const invalidAddress = (why: string): AppError =>
    new AppError('invalid-input', `The address of the heartbeat cannot be used: ${why}.`, {
      details: { parameter: 'heartbeat' },
    });
  const url = address.length > maxAddressLength ? null : URL.parse(address.trim());
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw invalidAddress('it must begin with https://');
  }
  registerHeartbeatSecrets(url);
  if (url.username !== '' || url.password !== '')
    throw invalidAddress('it must not contain a user name or password');
  url.hash = '';
  const isEncrypted = url.protocol === 'https:';
  if (!isEncrypted && !isPrivateHost(url.hostname)) {
    throw invalidAddress('http:// is allowed only for this machine and for addresses of private networks');
  }
  return { url, origin: url.origin, isEncrypted };
}

/** Keeps the complete address, and its parts without the origin, out of later log lines. */
function registerHeartbeatSecrets(url: URL): void {
  registerSecret(url.href);
  const { pathname, search } = url;
  registerSecret(`${pathname}${search}`);
  for (const part of [...pathname.split('/'), ...url.searchParams.values()]) {
    if (part.length >= 16) registerSecret(part);
  }
}

const privateAddresses = new BlockList();
privateAddresses.addSubnet('127.0.0.0', 8);
privateAddresses.addSubnet('10.0.0.0', 8);
privateAddresses.addSubnet('172.16.0.0', 12);
privateAddresses.addSubnet('192.168.0.0', 16);
privateAddresses.addSubnet('169.254.0.0', 16);
privateAddresses.addAddress('::1', 'ipv6');
privateAddresses.addSubnet('fc00::', 7, 'ipv6');
privateAddresses.addSubnet('fe80::', 10, 'ipv6');

/** A name may resolve to any address, so only an IP address counts. */
function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  const family = isIP(host);
  return family === 0
    ? host === 'localhost' || host.endsWith('.localhost')
    : privateAddresses.check(host, family === 6 ? 'ipv6' : 'ipv4');
}

/**
 * Sends the heartbeat in up to three attempts of ten seconds each. Rejects with the error of the last attempt, which
 * names only the origin, or with the reason of `signal`.
 */
export async function sendHeartbeat(
  address: string,
  proxy: string | null,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const { url } = parseHeartbeatUrl(address);
  // Loaded late for the reason given in `http/client.ts`.
  const { connectionPool } = await import('./http/connections.ts');
  const pool = connectionPool(null, proxy);
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await ping(url, pool, clock, signal);
        return;
      } catch (thrown) {
        signal.throwIfAborted();
        if (attempt === maxAttempts || AppError.from(thrown).retry === 'never') throw thrown;
      }
      await clock.sleep(retryDelayMs, signal);
    }
  } finally {
    pool.close();
  }
}

async function ping(firstUrl: URL, pool: ConnectionPool, clock: Clock, signal: AbortSignal): Promise<void> {
  const timeout = new AbortController();
  const cancelTimer = clock.timer(timeLimitMs, () => {
    timeout.abort(
      heartbeatError('timeout', firstUrl, `did not respond within ${timeLimitMs / 1000} seconds`),
    );
  });
  const anySignal = AbortSignal.any([signal, timeout.signal]);
  try {
    let url = firstUrl;
    for (let hops = 0; ; hops += 1) {
      const { status, location } = await sendGet(url, pool, anySignal);
      if (status >= 200 && status < 300) return;
      if (status < 300 || status >= 400 || location === undefined) {
        throw heartbeatError('unexpected-response', firstUrl, `responded with the status ${status}`);
      }
      const next = URL.parse(location, url.href);
      if (next?.origin !== firstUrl.origin || hops === maxRedirects) {
        throw heartbeatError(
          'redirect-refused',
          firstUrl,
          hops === maxRedirects
            ? `redirects more than ${maxRedirects} times`
            : 'redirects to another address, which is not followed',
          'never',
        );
      }
      url = next;
    }
  } catch (thrown) {
    if (timeout.signal.aborted) throw timeout.signal.reason;
    throw thrown;
  } finally {
    cancelTimer();
  }
}

async function sendGet(url: URL, pool: ConnectionPool, signal: AbortSignal) {
  const agents = await pool.agentsFor(url, 'own');
  const options = { method: 'GET', headers: { 'user-agent': 'Packhorse' }, signal };
  const [{ request: httpRequest }, { request: httpsRequest }] = await Promise.all([
    import('node:http'),
    import('node:https'),
  ]);
  return new Promise<{ status: number; location: string | undefined }>((resolve, reject) => {
    const onResponse = (response: IncomingMessage): void => {
      resolve({ status: response.statusCode ?? 0, location: response.headers.location });
      // The body of the response is ignored, whatever its length.
      response.destroy();
    };
    const request =
      'http' in agents
        ? httpRequest(url, { ...options, agent: agents.http }, onResponse)
        : httpsRequest(url, { ...options, agent: agents.https }, onResponse);
    request.once('error', (error: NodeJS.ErrnoException) => {
      if (signal.aborted) reject(signal.reason as Error);
      else
        reject(
          heartbeatError('connection-lost', url, `could not be reached (${error.code ?? 'no connection'})`),
        );
    });
    request.end();
  });
}

function heartbeatError(
  code: 'timeout' | 'unexpected-response' | 'redirect-refused' | 'connection-lost',
  url: URL,
  problem: string,
  retry: 'later' | 'never' = 'later',
): AppError {
  return new AppError(code, `The heartbeat at ${url.origin} ${problem}.`, { retry });
}
