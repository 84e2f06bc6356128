/**
 * @file Reads protected branches and tags of a project, and counts its wiki pages, to compare the result of a
 * migration.
 */
import { z } from '../../../src-contract/schema.ts';
import type { InstanceClient } from '../http/client.ts';
import { offsetPages } from '../http/pages.ts';
import { projectPath } from './project-wire.ts';
import { readable } from './relation-lists.ts';

const levels = z
  .array(
    z.looseObject({
      access_level: z.number().int().nullish(),
      user_id: z.number().int().nullish(),
      group_id: z.number().int().nullish(),
    }),
  )
  .nullish();

const protectedWire = z.object({
  name: z.string(),
  push_access_levels: levels,
  merge_access_levels: levels,
  create_access_levels: levels,
  allow_force_push: z.boolean().nullish(),
});
/** Uses the API's names, which are also those of an export. */
export type ProtectedRefWire = z.infer<typeof protectedWire>;

/**
 * `GET /projects/:id/protected_branches` and `/protected_tags`, Developer or more, by version, 200, 403, 404. Returns
 * null if they may not be read.
 */
export async function protectedRefs(
  client: InstanceClient,
  projectId: number,
  kind: 'protected_branches' | 'protected_tags',
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<ProtectedRefWire[] | null> {
  const list = async (): Promise<ProtectedRefWire[]> => {
    const found: ProtectedRefWire[] = [];
    const options = { signal, details: { project: projectId } };
    const path = `${projectPath(projectId)}/${kind}`;
    for await (const page of offsetPages(client, path, protectedWire, options)) found.push(...page);
    return found;
  };
  return readable(list());
}

/**
 * Returns the number of wiki pages. `GET /projects/:id/wikis`, any reader, 200, 403, 404. Returns null if they may not
 * be read.
 */
export function wikiPages(
  client: InstanceClient,
  projectId: number,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<number | null> {
  const list = async (): Promise<number> => {
    const options = { signal, details: { project: projectId } };
    const pages = z.array(z.object({ slug: z.string() }));
    const { data } = await client.getJson(`${projectPath(projectId)}/wikis`, pages, options);
    return data.length;
  };
  return readable(list());
}
