/** @file The sources of pipelines that no export contains, although the list of pipelines shows them (gitlab-facts 5.6). */
import { z } from '../../../src-contract/schema.ts';
import type { InstanceClient } from '../http/client.ts';
import type { FullList } from '../http/full-list.ts';
import { listTotal } from '../http/list-total.ts';
import { getPage, type ListOptions } from '../http/pages.ts';
import { valueOnError } from '../http/value-on-error.ts';

/** In the order in which GitLab added them. The list leaves out child pipelines, which no export contains either. */
const unexportedSources = [
  'webide',
  'ondemand_dast_scan',
  'ondemand_dast_validation',
  'security_orchestration_policy',
  'container_registry_push',
  'duo_workflow',
  'pipeline_execution_policy_schedule',
] as const;

export const isUnexportedSource = (source: unknown): source is string =>
  unexportedSources.some((unexported) => unexported === source);

const wire = z.looseObject({ id: z.number().int().nullish(), source: z.string().nullish() });
const toSource = ({ source }: z.infer<typeof wire>): string | null => source ?? null;

/**
 * Counts the pipelines that an export contains. Only a list of more than 100 pipelines is asked for each source that is
 * not exported. Returns how a list contradicts itself.
 */
export async function countExportedPipelines(
  client: InstanceClient,
  path: string,
  options: ListOptions,
): Promise<number | Extract<FullList<unknown>, { records: null }>> {
  const found = await listTotal(client, path, { ...options, record: wire, toRecord: toSource });
  if (typeof found === 'number') return found - (await countUnexported(client, path, options));
  return found.records === null
    ? found
    : found.records.filter((source) => !isUnexportedSource(source)).length;
}

/** Returns 0 if the version of GitLab does not filter pipelines by source. */
async function countUnexported(client: InstanceClient, path: string, options: ListOptions): Promise<number> {
  let count = 0;
  for (const source of unexportedSources) {
    const page = { limit: 1, signal: options.signal };
    const filtered = {
      ...options,
      query: { ...options.query, source },
      record: wire,
      toRecord: toSource,
      page,
    };
    // A version that does not know the source does not know later ones, either.
    const found = await valueOnError({ 'request-refused': null }, getPage(client, path, filtered));
    if (found === null || found.records.some((shown) => shown !== source)) return count;
    count += found.records.length === 0 ? 0 : (found.total ?? 0);
  }
  return count;
}
