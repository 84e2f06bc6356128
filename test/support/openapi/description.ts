/**
 * @file GitLab's own description of its API, as facts: parameters and replies of each operation. The description is
 * never in the repository: `PACKHORSE_OPENAPI` names the folder with its `fields.json`, default `../shared/openapi`.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { skip } from '../requirement.ts';

/** The shape of a value; all parts are optional, as in the description. */
export interface Schema {
  type?: string;
  format?: string;
  example?: unknown;
  enum?: readonly unknown[];
  items?: Schema;
  properties?: Record<string, Schema>;
}

export interface Parameter extends Schema {
  in: 'path' | 'query' | 'body' | 'formData';
  required: boolean;
}

export interface DescribedOperation {
  params: Record<string, Parameter>;
  /** Status to the shape of the reply; null for a reply without one. */
  ok: Record<string, Schema | null>;
}

const folder = process.env['PACKHORSE_OPENAPI'] ?? resolve(import.meta.dirname, '../../../../shared/openapi');
const file = join(folder, 'fields.json');

/** For `describe.skipIf(…)`. No machine can install it, so its absence is reported but is never a failure. */
export const withoutDescription =
  !existsSync(file) &&
  skip("GitLab's description of its API", 'set PACKHORSE_OPENAPI to the folder of fields.json');

/** Operations by method and path, such as `GET /projects/{id}`; empty if the description is missing. */
export const described: Record<string, DescribedOperation> = withoutDescription
  ? {}
  : (JSON.parse(readFileSync(file, 'utf8')) as Record<string, DescribedOperation>);
