/** @file Version and metadata (gitlab-facts 11). */
import type { FastifyInstance } from 'fastify';
import { callerOf } from '../../requests/server.ts';
import type { Services } from '../../services.ts';
import { hexDigest } from '../../sandbox-database.ts';

export function instanceRoutes(app: FastifyInstance, { version }: Services): void {
  for (const path of ['/version', '/metadata']) {
    app.get(path, { config: { scopes: ['api', 'read_api', 'read_user', 'ai_features'] } }, (request) => {
      callerOf(request);
      return {
        version,
        revision: hexDigest(version, 11),
        kas: { enabled: false, externalUrl: null, externalK8sProxyUrl: null, version: null },
        enterprise: version.endsWith('-ee'),
      };
    });
  }
}
