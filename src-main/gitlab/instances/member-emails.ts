/** @file Counts members with a visible e-mail address. An import maps members by this address (gitlab-facts 7). */
import { z } from '../../../src-contract/schema.ts';
import type { InstanceClient } from '../http/client.ts';
import type { Cancellable } from '../http/exchange.ts';
import { readAllRecords } from '../http/pages.ts';
import { valueOnError } from '../http/value-on-error.ts';
import { projectPath } from '../projects/project-wire.ts';

const memberWire = z.object({ public_email: z.string().nullish() });

/**
 * Counts direct members. `GET /projects/:id/members`, any reader, 200, 403, 404. Returns null if they may not be read.
 */
export async function countMembers(client: InstanceClient, projectId: number, { signal }: Cancellable = {}) {
  const path = `${projectPath(projectId)}/members`;
  const request = readAllRecords(client, path, memberWire, { signal, requiresAccount: true });
  const members = await valueOnError({ forbidden: null, 'not-found': null }, request);
  if (members === null) return null;
  const withEmail = members.filter(({ public_email: email }) => (email ?? '') !== '').length;
  return { total: members.length, withEmail };
}
