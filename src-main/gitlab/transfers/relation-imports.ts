/** @file Imports one relation again from an archive, and reads the result (gitlab-facts 8). */
import type { ImportableRelation, RelationImport } from '../../../src-contract/transfers/transfer.ts';
import { AppError } from '../../../src-contract/errors.ts';
import { z } from '../../../src-contract/schema.ts';
import type { InstanceClient } from '../http/client.ts';
import type { Cancellable } from '../http/exchange.ts';
import type { ImportUpload } from './imports.ts';
import { multipartBody } from './multipart.ts';
import { projectCallOptions, type IdOrPath, projectPath } from '../projects/project-wire.ts';

const relationImportWire = z.object({
  id: z.number().int(),
  project_path: z.string(),
  relation: z.string(),
  status: z.string(),
  created_at: z.string().nullish(),
  updated_at: z.string().nullish(),
});

const callOptions = {
  needs: ['relation-import'],
  featureFlag: 'single_relation_import',
  subject: 'project',
} as const;
const states = ['created', 'started', 'finished', 'failed'] as const;

interface RelationUpload extends Pick<
  ImportUpload,
  'signal' | 'path' | 'sizeBytes' | 'fileName' | 'onProgress'
> {
  fullPath: string;
  relation: ImportableRelation;
  sha256: string;
}

/**
 * Uploads an archive and starts importing one relation of it; existing records are skipped. A second upload would
 * replace the file of a first import that is still `created`. `POST /projects/import-relation`, Maintainer, 201; 404
 * `project-missing` or `feature-off`, 400 and 409 `request-refused`, 403, 413, 422, 429 (gitlab-facts 15.3; since
 * 16.11). Sent once. [Note: POST is not idempotent]
 */
export async function importRelation(
  client: InstanceClient,
  { fullPath, relation, signal, onProgress, ...file }: RelationUpload,
): Promise<RelationImport> {
  const fields = [
    ['path', fullPath],
    ['relation', relation],
  ] as const;
  const body = multipartBody(fields, { ...file, field: 'file' });
  const { data } = await client.upload('POST', 'projects/import-relation', body, relationImportWire, {
    ...callOptions,
    signal,
    ...(onProgress && { onProgress }),
    details: { project: fullPath, relation },
  });
  return toRelationImport(data);
}

/**
 * Returns all relation imports of a project, without pages. `GET /projects/:id/relation-imports`, Maintainer, 200, 403,
 * 404 (gitlab-facts 15.3; since 16.11). Throws `unknown-state` for an unknown state.
 */
export async function relationImports(
  client: InstanceClient,
  idOrPath: IdOrPath,
  { signal }: Cancellable = {},
): Promise<RelationImport[]> {
  const call = { ...callOptions, ...projectCallOptions(idOrPath), signal, requiresAccount: true } as const;
  const path = `${projectPath(idOrPath)}/relation-imports`;
  const { data } = await client.getJson(path, z.array(relationImportWire), call);
  return data.map(toRelationImport);
}

function toRelationImport(wire: z.infer<typeof relationImportWire>): RelationImport {
  const status = states.find((known) => known === wire.status);
  if (status === undefined) {
    throw new AppError('unknown-state', `The instance reports the relation import state "${wire.status}".`, {
      details: { project: wire.project_path, relation: wire.relation, state: wire.status },
    });
  }
  return {
    id: wire.id,
    projectPath: wire.project_path,
    relation: wire.relation,
    status,
    createdAt: wire.created_at ?? null,
    updatedAt: wire.updated_at ?? null,
  };
}
