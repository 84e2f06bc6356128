/**
 * @file Controls a running sandbox below `/-/sandbox`: only for programs on this machine, not for pages in a browser.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isoTime } from '../../platform/clock.ts';
import { AppError } from '../../../src-contract/errors.ts';
import { parameterError, messageError } from '../requests/api-error.ts';
import { parseFaults, type Fault } from '../faults/fault-kinds.ts';
import type { RequestLogEntry } from '../requests/server.ts';
import type { Services } from '../services.ts';
import type { SandboxState } from '../state.ts';
import { fullPath } from '../sandbox-database.ts';

export function controlRoutes(
  app: FastifyInstance,
  { database, faults, tokens, exporter }: Services,
  { requests, state }: { requests: readonly RequestLogEntry[]; state: SandboxState },
): void {
  const options = { config: { control: true }, preHandler: checkCaller } as const;

  app.get('/faults', options, () => faults.list());

  app.post('/faults', options, (request, reply) => {
    for (const fault of faultsIn(request)) faults.add(fault);
    return reply.code(201).send(faults.list());
  });

  app.delete('/faults', options, (_request, reply) => {
    faults.clear();
    return reply.code(204).send();
  });

  app.get('/requests', options, () => requests);

  app.get('/projects', options, () =>
    [...database.projects.values()].map((project) => ({
      id: project.id,
      full_path: fullPath(project),
      archived: project.archived,
      import_status: project.importStatus,
    })),
  );

  app.get<{ Params: { path: string } }>('/projects/:path', options, async (request) => {
    if (database.projectAt(request.params.path) === undefined)
      throw messageError(404, '404 Project Not Found');
    const project = await state.project(request.params.path);
    const counts = Object.entries(project.relations).map(([name, records]) => [name, records.length]);
    return {
      id: project.id,
      full_path: project.fullPath,
      import_status: project.importStatus,
      import_error: project.importError,
      import_failures: project.importFailures,
      attributes: project.attributes,
      relations: Object.fromEntries(counts) as Record<string, number>,
      notes: project.notes,
      branches: project.branches,
      tags: project.tags,
    };
  });

  app.get('/losses', options, () => state.losses);

  app.get('/mails', options, () => exporter.mails);

  app.get('/tokens', options, () =>
    tokens.rows.map((token) => ({
      id: token.id,
      name: token.name,
      user: token.user.username,
      scopes: token.scopes,
      family: token.family,
      active: tokens.isActive(token),
      revoked: token.revoked,
      expires_at: token.expiresOn,
      last_used_at: token.lastUsedAt === null ? null : isoTime(token.lastUsedAt),
    })),
  );
}

function faultsIn(request: FastifyRequest): Fault[] {
  try {
    return parseFaults(request.body);
  } catch (error) {
    throw parameterError(400, AppError.from(error).message);
  }
}

const loopback = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

/** Refuses DNS names that point to this machine, and pages of other sites. */
async function checkCaller(request: FastifyRequest): Promise<void> {
  const { host, origin } = request.headers;
  if (!loopback.test(host ?? '') || origin !== undefined) throw messageError(403, '403 Forbidden');
  await Promise.resolve();
}
