/** @file The sources of pipelines that no export contains, although the list of pipelines shows them (gitlab-facts 5.6). */
import { z } from '../../../src-contract/schema.ts';
import type { InstanceClient } from '../http/client.ts';
import { readFullList, type FullList } from '../http/full-list.ts';
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
 * not exported, and is read in full if its filter cannot be trusted. Returns how a list contradicts itself.
 */
export async function countExportedPipelines(
  client: InstanceClient,
  path: string,
  options: ListOptions,
): Promise<number | Extract<FullList<unknown>, { records: null }>> {
  const list = { ...options, record: wire, toRecord: toSource };
  let found = await listTotal(client, path, list);
  if (typeof found === 'number') {
    const unexported = await countUnexported(client, path, options, found);
    if (unexported !== null) return found - unexported;
    found = await readFullList(client, path, list);
  }
  return found.records === null
    ? found
    : found.records.filter((source) => !isUnexportedSource(source)).length;
}

/**
 * Returns null if the responses do not prove that this version of GitLab filters pipelines by source.
 * @param total number of all pipelines, which is not 0.
 */
async function countUnexported(
  client: InstanceClient,
  path: string,
  options: ListOptions,
  total: number,
): Promise<number | null> {
  let count = 0;
  let isFilterProven = false;
  for (const source of unexportedSources) {
    const page = { limit: 1, signal: options.signal };
    const filtered = {
      ...options,
      query: { ...options.query, source },
      record: wire,
      toRecord: toSource,
      page,
    };
    const found = await valueOnError({ 'request-refused': null }, getPage(client, path, filtered));
    // A version that filters by source, but does not know this one, does not know later ones, either.
    if (found === null) return isFilterProven ? count : null;
    const { records } = found;
    const filteredTotal = found.total ?? (records.length === 0 ? 0 : null);
    // A version that ignores the filter lists all pipelines, and the newest one may have this source.
    if (filteredTotal === null || filteredTotal >= total) return null;
    if (filteredTotal > 0 !== records.length > 0 || records.some((shown) => shown !== source)) return null;
    isFilterProven = true;
    count += filteredTotal;
  }
  return count;
}
