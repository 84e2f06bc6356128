/** @file Reads protected branches, tags, environments and approval rules of a project, to compare a migration's result. */
import { z } from '../../../src-contract/schema.ts';
import type { InstanceClient } from '../http/client.ts';
import type { Cancellable } from '../http/exchange.ts';
import { readFullList, type FullList } from '../http/full-list.ts';
import { projectPath } from './project-wire.ts';
import { nullIfDenied } from './relation-lists.ts';

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
  id: z.number().int().nullish(),
  name: z.string(),
  push_access_levels: levels,
  merge_access_levels: levels,
  create_access_levels: levels,
  deploy_access_levels: levels,
  /** Only Premium shows them. */
  unprotect_access_levels: levels,
  rule_type: z.string().nullish(),
  approvals_required: z.number().int().nullish(),
  applies_to_all_protected_branches: z.boolean().nullish(),
  users: z.array(z.object({ id: z.number().int(), username: z.string() })).nullish(),
  groups: z.array(z.looseObject({})).nullish(),
  /** True if a rule has groups that the account may not see. */
  contains_hidden_groups: z.boolean().nullish(),
  protected_branches: z.array(z.looseObject({ name: z.string() })).nullish(),
  allow_force_push: z.boolean().nullish(),
  /** True for a protected branch of a group, which Premium lists with those of the project. */
  inherited: z.boolean().nullish(),
  code_owner_approval_required: z.boolean().nullish(),
  required_approval_count: z.number().int().nullish(),
  approval_rules: z.array(z.looseObject({})).nullish(),
});
/** Uses the API's names, which are also those of an export. */
export type ProtectedRefWire = z.infer<typeof protectedWire>;

/**
 * `GET /projects/:id/protected_branches` (likewise tags, environments, and approval rules), Developer or a higher role,
 * depending on the version, 200. Only Premium has protected environments and approval rules.
 * Returns null for 403 and 404.
 */
export function protectedRefs(
  client: InstanceClient,
  projectId: number,
  kind: 'protected_branches' | 'protected_tags' | 'protected_environments' | 'approval_rules',
  { signal }: Cancellable = {},
): Promise<FullList<ProtectedRefWire> | null> {
  const list = readFullList(client, `${projectPath(projectId)}/${kind}`, {
    ...{ signal, details: { project: projectId } },
    record: protectedWire,
    toRecord: (ref) => ref,
  });
  return nullIfDenied(list);
}
