/**
 * @file Counts the parts of a project that an export never contains (gitlab-facts 7, "Not exported"). Most are visible
 * to maintainers only. If a feature is disabled or the instance lacks it, the request is refused, and the part cannot
 * be counted.
 */
import type { NotExportedKind, NotExportedCounts } from '../../../src-contract/migrations/migration.ts';
import { z } from '../../../src-contract/schema.ts';
import type { InstanceClient } from '../http/client.ts';
import type { Cancellable } from '../http/exchange.ts';
import { countOf } from '../http/pages.ts';
import { valueOnError } from '../http/value-on-error.ts';
import { projectPath } from './project-wire.ts';

/** Lists below a project. Each needs at most Maintainer; 200 with `X-Total`, 403 or 404 if it is not visible. */
const lists: Record<Exclude<NotExportedKind, 'pages'>, string> = {
  variables: 'variables',
  hooks: 'hooks',
  deploy_keys: 'deploy_keys',
  triggers: 'triggers',
  registry_repositories: 'registry/repositories',
  packages: 'packages',
  environments: 'environments',
  secure_files: 'secure_files',
  mirrors: 'remote_mirrors',
};

const nullIfUnreadable = {
  forbidden: null,
  'not-found': null,
  'project-missing': null,
  'request-refused': null,
};

/** GitLab responds with 200 if Pages is enabled, even without a deployed site. */
const pagesWire = z.object({ deployments: z.array(z.unknown()).nullish() });

/** A count is null if the part cannot be counted. Throws other errors, such as a lost connection. */
export async function notExportedCounts(
  client: InstanceClient,
  projectId: number,
  { signal }: Cancellable = {},
): Promise<NotExportedCounts> {
  const call = { signal, requiresAccount: true } as const;
  const listPath = (path: string): string => `${projectPath(projectId)}/${path}`;
  const counts = await Promise.all(
    Object.entries(lists).map(async ([kind, path]) => {
      const count = await valueOnError(nullIfUnreadable, countOf(client, listPath(path), call));
      return [kind, count] as const;
    }),
  );
  const response = await valueOnError(nullIfUnreadable, client.getJson(listPath('pages'), pagesWire, call));
  // Some instances do not list deployments.
  const deployments = response?.data.deployments ?? null;
  const pages = deployments === null ? null : Math.min(deployments.length, 1);
  return { ...(Object.fromEntries(counts) as NotExportedCounts), pages };
}
