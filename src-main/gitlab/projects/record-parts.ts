/** @file Reads parts of records that no list shows. Each part of a record costs a request. */
import { createHash } from 'node:crypto';
import type { InstanceClient } from '../http/client.ts';
import type { Cancellable } from '../http/exchange.ts';
import { valueOnError } from '../http/value-on-error.ts';
import { projectPath } from './project-wire.ts';
import { nullIfDenied } from './relation-lists.ts';

interface SnippetFiles {
  part: 'snippet-files';
  id: number;
  /** The paths in the repository of the snippet, as the list of snippets shows them. */
  paths: readonly string[];
}

/** A part of a record, with the number by which GitLab addresses the record. */
export type RecordPart = SnippetFiles;

/** The columns that a list would have if it showed the part. */
export type PartColumns = Readonly<Record<string, unknown>>;

/** Resolves with null if the account may not read the part, or the instance does not offer it. */
export function readRecordPart(
  client: InstanceClient,
  projectId: number,
  part: RecordPart,
  options: Cancellable = {},
): Promise<PartColumns | null> {
  return nullIfDenied(snippetFiles(client, projectId, part, options));
}

/**
 * `GET /projects/:id/snippets/:snippet_id/raw`, any reader, 200, 403, 404: the first file of the snippet.
 * `GET …/snippets/:snippet_id/files/:ref/:file_path/raw`: any of its files. Returns null for a reply that is no file.
 */
async function snippetFiles(
  client: InstanceClient,
  projectId: number,
  { id, paths }: SnippetFiles,
  { signal }: Cancellable,
): Promise<PartColumns | null> {
  const path = `${projectPath(projectId)}/snippets/${id}`;
  const files: object[] = [];
  for (const name of paths) {
    const file = paths.length === 1 ? 'raw' : `files/HEAD/${encodeURIComponent(name)}/raw`;
    const hash = createHash('sha256');
    const download = client.download(`${path}/${file}`, {
      ...{ signal, details: { project: projectId } },
      onChunk: (chunk) => {
        hash.update(chunk);
        return Promise.resolve();
      },
    });
    const result = await valueOnError({ 'not-gitlab': null, 'unexpected-response': null }, download);
    if (result === null) return null;
    files.push({ path: name, sha256: hash.digest('hex') });
  }
  return { file_digests: files };
}
