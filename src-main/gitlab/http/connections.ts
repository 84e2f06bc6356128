/**
 * @file The connections to an instance. Reads share a few keep-alive connections. A request that must not be sent twice
 * gets its own, because the server may be closing a keep-alive connection. A download gets its own, because it would
 * block the reads.
 */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { secureContextFor } from './trust.ts';

const socketsPerHost = 4;

export interface ConnectionPool {
  /** Reads the CA file when https is first needed; throws `ca-file-unusable`. */
  agentsFor: (url: URL, connection: 'kept' | 'own') => Promise<{ http: HttpAgent } | { https: HttpsAgent }>;
  close: () => void;
}

/** Hosts that are never reached through the proxy. For the proxy, each of these names means the proxy's own machine. */
const neverThroughProxy = ['localhost', '127.0.0.1', '::1', '[::1]'];

/** Returns host and port of the proxy for a request to `url`; null for a direct request. */
export function proxyHostFor(url: URL, proxy: string | null): string | null {
  return proxy === null || neverThroughProxy.includes(url.hostname) ? null : new URL(proxy).host;
}

export function connectionPool(caFile: string | null, proxy: string | null): ConnectionPool {
  const proxyOptions =
    proxy === null
      ? {}
      : { proxyEnv: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy, NO_PROXY: neverThroughProxy.join(',') } };
  const agentOptions = {
    kept: { ...proxyOptions, keepAlive: true, maxSockets: socketsPerHost },
    own: { ...proxyOptions, keepAlive: false },
  };
  const plain = { kept: new HttpAgent(agentOptions.kept), own: new HttpAgent(agentOptions.own) };
  let secure: Promise<{ kept: HttpsAgent; own: HttpsAgent }> | null = null;

  async function secureAgents() {
    // All connections share one context, because building it from hundreds of authorities takes longer than a request.
    const secureContext = await secureContextFor(caFile);
    return {
      kept: new HttpsAgent({ ...agentOptions.kept, secureContext }),
      own: new HttpsAgent({ ...agentOptions.own, secureContext }),
    };
  }

  return {
    async agentsFor(url, connection) {
      const isPlain = url.protocol === 'http:';
      if (isPlain && caFile === null) return { http: plain[connection] };
      // An unusable CA file is refused even if the address uses http.
      secure ??= secureAgents();
      try {
        const { [connection]: https } = await secure;
        return isPlain ? { http: plain[connection] } : { https };
      } catch (error) {
        // The next request reads the CA file again, which may be corrected by then.
        secure = null;
        throw error;
      }
    },
    close() {
      plain.kept.destroy();
      secure?.then(
        ({ kept }) => {
          kept.destroy();
        },
        // The request that needed the CA file reports its error.
        () => undefined,
      );
    },
  };
}
