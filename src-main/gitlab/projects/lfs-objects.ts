/** @file Asks which LFS objects a project has, by the batch API of Git LFS (gitlab-facts 11.1). */
import { AppError, isReadDenied } from '../../../src-contract/errors.ts';
import { z } from '../../../src-contract/schema.ts';
import type { InstanceClient } from '../http/client.ts';
import type { Cancellable } from '../http/exchange.ts';

export interface LfsObject {
  /** The SHA-256 of the content. */
  oid: string;
  bytes: number;
}

/** Maximum number of objects in one request. The clients of Git LFS send no more either. */
export const lfsBatchSize = 100;

/** The addresses of the objects are left out, so nothing can request them. */
const batchWire = z.object({
  objects: z.array(
    z.object({
      oid: z.string(),
      actions: z.object({ download: z.object({}).optional() }).nullish(),
      error: z.object({ code: z.number() }).nullish(),
    }),
  ),
});

/**
 * `POST /:path.git/info/lfs/objects/batch`, any account that may read the repository, 200, 401, 403, 404, 501. Returns the
 * oids of those objects that the project has; null if the server does not answer for each of them, because LFS or Git over
 * HTTP is off, or because the account may not read the repository.
 */
export async function findLfsObjects(
  client: InstanceClient,
  fullPath: string,
  objects: readonly LfsObject[],
  { signal }: Cancellable = {},
): Promise<ReadonlySet<string> | null> {
  const path = `${fullPath.split('/').map(encodeURIComponent).join('/')}.git/info/lfs/objects/batch`;
  const found = new Set<string>();
  for (let from = 0; from < objects.length; from += lfsBatchSize) {
    const asked = objects.slice(from, from + lfsBatchSize);
    const body = {
      operation: 'download',
      objects: asked.map(({ oid, bytes }) => ({ oid, size: bytes })),
    };
    const options = { signal, details: { project: fullPath } };
    const response = await nullIfNotOffered(client.askGit(path, body, batchWire, options));
    if (response === null) return null;
    const answers = new Map(response.data.objects.map((answer) => [answer.oid, answer]));
    for (const { oid } of asked) {
      const answer = answers.get(oid);
      if (answer?.actions?.download !== undefined) found.add(oid);
      else if (answer?.error?.code !== 404) return null;
    }
  }
  return found;
}

/** Redirects lead to a sign-in page, and a proxy may answer 405 if it has only the API behind it. */
const refusals: readonly unknown[] = [301, 302, 303, 307, 308, 401, 403, 404, 405, 406, 501];

async function nullIfNotOffered<T>(request: Promise<T>): Promise<T | null> {
  try {
    return await request;
  } catch (thrown) {
    const { code, details } = AppError.from(thrown);
    if (isReadDenied(thrown) || code === 'not-gitlab' || refusals.includes(details['status'])) return null;
    throw thrown;
  }
}
