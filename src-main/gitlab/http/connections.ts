/**
 * @file The connections to an instance: how many, which are kept, whose certificates are believed. Reads share few kept
 * ones. What must not be sent twice gets a connection of its own, since a kept one may be closing as it is used; so does
 * a download, which would hold up the reads.
 */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { SecureContext } from 'node:tls';
import { secureContextFor } from './trust.ts';

const socketsPerHost = 4;

export interface ConnectionPool {
  /** The agents for a request to `url`. Throws `ca-file-unusable`; the file is read when https is first needed. */
  agentsFor: (url: URL, connection: 'kept' | 'own') => Promise<{ http: HttpAgent } | { https: HttpsAgent }>;
  close: () => void;
}

/** This machine itself is asked directly: a proxy would look for it on its own side. */
const neverThroughProxy = ['localhost', '127.0.0.1', '::1', '[::1]'];

/** Host and port of the proxy that a request to `url` goes through; null for a direct one. */
export function proxyHostFor(url: URL, proxy: string | null): string | null {
  return proxy === null || neverThroughProxy.includes(url.hostname) ? null : new URL(proxy).host;
}

/** @param proxy address that requests go through, or null. */
export function connectionPool(caFile: string | null, proxy: string | null): ConnectionPool {
  const through =
    proxy === null
      ? {}
      : { proxyEnv: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy, NO_PROXY: neverThroughProxy.join(',') } };
  const limits = {
    kept: { ...through, keepAlive: true, maxSockets: socketsPerHost },
    own: { ...through, keepAlive: false },
  };
  const plain = { kept: new HttpAgent(limits.kept), own: new HttpAgent(limits.own) };
  let secure: Promise<{ kept: HttpsAgent; own: HttpsAgent }> | null = null;

  async function secureAgents() {
    // One context for all: building it from hundreds of authorities takes longer than a request.
    const secureContext: SecureContext = await secureContextFor(caFile);
    return {
      kept: new HttpsAgent({ ...limits.kept, secureContext }),
      own: new HttpsAgent({ ...limits.own, secureContext }),
    };
  }

  return {
    async agentsFor(url, connection) {
      const isPlain = url.protocol === 'http:';
      if (isPlain && caFile === null) return { http: plain[connection] };
      // A CA file that is of no use is refused where it is named, not once the address has become an https one.
      secure ??= secureAgents();
      try {
        const { [connection]: https } = await secure;
        return isPlain ? { http: plain[connection] } : { https };
      } catch (error) {
        // A CA file that was put right is read again.
        secure = null;
        throw error;
      }
    },
    close() {
      plain.kept.destroy();
      void secure?.then(({ kept }) => {
        kept.destroy();
      });
    },
  };
}
