/**
 * @file Counts the parts of a project that an export never contains (gitlab-facts 7, "Not exported"). Most are visible
 * to maintainers only. A disabled feature, or an instance that lacks it, refuses: then it cannot be counted.
 */
import { AppError, type ErrorCode } from '../../../src-contract/errors.ts';
import type { ExtraKind, ProjectExtras } from '../../../src-contract/migrations/migration.ts';
import { z } from '../../../src-contract/schema.ts';
import type { InstanceClient } from '../http/client.ts';
import { countOf } from '../http/pages.ts';
import { projectPath } from './project-wire.ts';

/**
 * Lists below a project. Each needs Maintainer or a lower role; 200 with `X-Total`, 403 or 404 if it is not visible.
 */
const lists: Record<Exclude<ExtraKind, 'pages'>, string> = {
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

const unreadable: readonly ErrorCode[] = ['forbidden', 'not-found', 'project-missing', 'request-refused'];

/** Returns null if it cannot be counted. Throws errors that are unrelated to it, such as a lost connection. */
export async function projectExtras(
  client: InstanceClient,
  projectId: number,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<ProjectExtras> {
  const below = (path: string): string => `${projectPath(projectId)}/${path}`;
  const counts = await Promise.all(
    Object.entries(lists).map(async ([kind, path]) => {
      const count = await readable(countOf(client, below(path), { signal, signedIn: true }));
      return [kind, count] as const;
    }),
  );
  const pages = await readable(client.getJson(below('pages'), pagesWire, { signal, signedIn: true }));
  return { ...(Object.fromEntries(counts) as ProjectExtras), pages: siteCount(pages?.data ?? null) };
}

/** GitLab replies with 200 wherever Pages is enabled, even without a deployed site. */
const pagesWire = z.object({ deployments: z.array(z.unknown()).nullish() });

/** Returns null if the instance does not list deployments. */
function siteCount(pages: z.infer<typeof pagesWire> | null): number | null {
  const deployments = pages?.deployments ?? null;
  if (deployments === null) return null;
  return deployments.length > 0 ? 1 : 0;
}

async function readable<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (thrown) {
    if (thrown instanceof AppError && unreadable.includes(thrown.code)) return null;
    throw thrown;
  }
}
