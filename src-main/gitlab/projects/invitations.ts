/** @file Reads the invitations to a project: people without an account, invited by their e-mail address. */
import { z } from '../../../src-contract/schema.ts';
import { dayOf, parseTime } from '../../platform/clock.ts';
import type { InstanceClient } from '../http/client.ts';
import type { Cancellable } from '../http/exchange.ts';
import { readFullList } from '../http/full-list.ts';
import { projectPath } from './project-wire.ts';
import { nullIfDenied } from './relation-lists.ts';

/** Leaves out `invite_token`, which is never needed. The address identifies an invitation in its list. */
const wire = z
  .object({
    invite_email: z.string(),
    created_at: z.string().nullish(),
    access_level: z.number().int().nullish(),
    expires_at: z.string().nullish(),
  })
  .transform((row) => ({ ...row, name: row.invite_email }));

/**
 * Returns the invitations that nobody has accepted yet; null if they may not be read, or the server has no such list.
 * `createdAt` is in epoch milliseconds. `GET /projects/:id/invitations`, since 13.6, Maintainer, 200, 403, 404.
 */
export function pendingInvitations(client: InstanceClient, projectId: number, { signal }: Cancellable = {}) {
  const list = readFullList(client, `${projectPath(projectId)}/invitations`, {
    ...{ signal, details: { project: projectId } },
    record: wire,
    toRecord: ({ name, created_at: at, access_level: level, expires_at: end }) => ({
      email: name,
      createdAt: parseTime(at ?? undefined),
      accessLevel: level ?? null,
      expiresAt: typeof end === 'string' ? dayOf(end) : null,
    }),
  });
  return nullIfDenied(list);
}
