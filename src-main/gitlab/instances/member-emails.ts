/**
 * @file Counts the members of a project whose e-mail address is visible; an import maps members by it (gitlab-facts 7).
 */
import { AppError } from '../../../src-contract/errors.ts';
import { z } from '../../../src-contract/schema.ts';
import type { InstanceClient } from '../http/client.ts';
import { offsetPages } from '../http/pages.ts';
import { projectPath } from '../projects/project-wire.ts';

const memberWire = z.object({ public_email: z.string().nullish() });

/**
 * Counts direct members. `GET /projects/:id/members`, any reader, 200, 403, 404. Returns null if they may not be read.
 */
export async function countMembers(
  client: InstanceClient,
  projectId: number,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<{ total: number; withEmail: number } | null> {
  const counts = { total: 0, withEmail: 0 };
  const options = { signal, signedIn: true as const };
  try {
    for await (const page of offsetPages(client, `${projectPath(projectId)}/members`, memberWire, options)) {
      counts.total += page.length;
      counts.withEmail += page.filter(({ public_email: email }) => (email ?? '') !== '').length;
    }
    return counts;
  } catch (thrown) {
    if (thrown instanceof AppError && ['forbidden', 'not-found'].includes(thrown.code)) return null;
    throw thrown;
  }
}
