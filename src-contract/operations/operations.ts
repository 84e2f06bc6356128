/** @file The one list of the operations: all that the specification names, and nothing else. */
import type { Operation } from './operation.ts';
import { projectDetailOperations } from './project-detail-operations.ts';
import { projectListOperations } from './project-list-operations.ts';
import { projectOperations } from './project-operations.ts';
import { tokenOperations } from './token-operations.ts';
import { transferOperations } from './transfer-operations.ts';
import { uploadOperations } from './upload-operations.ts';

const rows = [
  ...projectListOperations,
  ...projectDetailOperations,
  ...projectOperations,
  ...uploadOperations,
  ...transferOperations,
  ...tokenOperations,
] as const satisfies readonly Operation[];

export type OperationId = (typeof rows)[number]['id'];

/** An operation of the list: its id is one of the closed set. */
export type KnownOperation = Operation & { readonly id: OperationId };

export const operations: readonly KnownOperation[] = rows;

const byId = new Map<OperationId, KnownOperation>(operations.map((row) => [row.id, row]));

export function operation(id: OperationId): KnownOperation {
  const found = byId.get(id);
  if (found === undefined) throw new Error(`There is no operation ${id}.`);
  return found;
}

/** The operation as the specification writes its address, for example `POST /projects/:id/fork`. */
export const endpointOf = ({ method, path }: Pick<Operation, 'method' | 'path'>): string =>
  `${method} ${path}`;
