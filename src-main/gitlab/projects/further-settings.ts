/** @file Reads settings that the project itself does not show, to compare a migration's result. */
import { z } from '../../../src-contract/schema.ts';
import type { InstanceClient } from '../http/client.ts';
import type { Cancellable } from '../http/exchange.ts';
import { valueOnError } from '../http/value-on-error.ts';
import { projectPath } from './project-wire.ts';
import { nullIfDenied } from './relation-lists.ts';

const errorTrackingWire = z.object({ api_url: z.string().nullish(), project_name: z.string().nullish() });

const approvalsWire = z.object({
  reset_approvals_on_push: z.boolean().nullish(),
  disable_overriding_approvers_per_merge_request: z.boolean().nullish(),
  merge_requests_author_approval: z.boolean().nullish(),
  merge_requests_disable_committers_approval: z.boolean().nullish(),
  require_password_to_approve: z.boolean().nullish(),
});

const jobTokenScopeWire = z.object({ inbound_enabled: z.boolean().nullish() });

/**
 * Returns the settings by the names under which a comparison knows them. Leaves out those that may not be read.
 * @param asked which settings of the project are requested besides the job token scope.
 */
export async function readFurtherSettings(
  client: InstanceClient,
  projectId: number,
  asked: { errorTracking: boolean; approvals: boolean },
  options: Cancellable = {},
): Promise<Readonly<Record<string, object>>> {
  const settings = {
    error_tracking: asked.errorTracking ? await readErrorTracking(client, projectId, options) : null,
    approvals: asked.approvals ? await readApprovalSettings(client, projectId, options) : null,
    job_token_scope: await readJobTokenScope(client, projectId, options),
  };
  return Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );
}

/**
 * `GET /projects/:id/job_token_scope` (since 15.9), Maintainer, 200, 403, 404. Resolves with null if the settings may not
 * be read.
 */
async function readJobTokenScope(
  client: InstanceClient,
  projectId: number,
  { signal }: Cancellable,
): Promise<z.infer<typeof jobTokenScopeWire> | null> {
  const request = client.getJson(`${projectPath(projectId)}/job_token_scope`, jobTokenScopeWire, {
    ...{ signal, details: { project: projectId } },
  });
  return (await nullIfDenied(valueOnError({ 'not-found': { data: null } }, request)))?.data ?? null;
}

/**
 * `GET /projects/:id/approvals`, Maintainer, 200, 403, 404. Only Premium has it. Resolves with null if the settings may
 * not be read.
 */
async function readApprovalSettings(
  client: InstanceClient,
  projectId: number,
  { signal }: Cancellable,
): Promise<z.infer<typeof approvalsWire> | null> {
  const request = client.getJson(`${projectPath(projectId)}/approvals`, approvalsWire, {
    ...{ signal, details: { project: projectId } },
  });
  return (await nullIfDenied(request))?.data ?? null;
}

/**
 * `GET /projects/:id/error_tracking/settings` (since 12.7), Maintainer, 200, 403, 404. A project without error tracking
 * gets 404, so its settings are null. Resolves with null if they may not be read.
 */
async function readErrorTracking(
  client: InstanceClient,
  projectId: number,
  { signal }: Cancellable,
): Promise<z.infer<typeof errorTrackingWire> | null> {
  const request = client.getJson(`${projectPath(projectId)}/error_tracking/settings`, errorTrackingWire, {
    ...{ signal, details: { project: projectId } },
  });
  const none = { data: { api_url: null, project_name: null } };
  const response = await nullIfDenied(valueOnError({ 'not-found': none }, request));
  return response?.data ?? null;
}
