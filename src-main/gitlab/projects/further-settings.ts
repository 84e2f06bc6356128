/** @file Reads settings that the project itself does not show, to compare a migration's result. */
import { z } from '../../../src-contract/schema.ts';
import type { InstanceClient } from '../http/client.ts';
import type { Cancellable } from '../http/exchange.ts';
import { valueOnError } from '../http/value-on-error.ts';
import { projectPath } from './project-wire.ts';
import { nullIfDenied } from './relation-lists.ts';

const errorTrackingWire = z.object({ api_url: z.string().nullish(), project_name: z.string().nullish() });

/**
 * `GET /projects/:id/error_tracking/settings` (since 12.7), Maintainer, 200, 403, 404. A project without error tracking
 * gets 404, so its settings are null. Resolves with null if they may not be read.
 */
export async function readErrorTracking(
  client: InstanceClient,
  projectId: number,
  { signal }: Cancellable = {},
): Promise<z.infer<typeof errorTrackingWire> | null> {
  const request = client.getJson(`${projectPath(projectId)}/error_tracking/settings`, errorTrackingWire, {
    ...{ signal, details: { project: projectId } },
  });
  const none = { data: { api_url: null, project_name: null } };
  const response = await nullIfDenied(valueOnError({ 'not-found': none }, request));
  return response?.data ?? null;
}
