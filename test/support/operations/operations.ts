/** @file Every operation of the specification with all its facts: the product's rows, completed. */
import { operations as known, type KnownOperation } from '../../../src-contract/operations.ts';
import type { OperationId } from '../../../src-contract/operations.ts';
import { projectDetailOperations } from './project-detail-operations.ts';
import { projectListOperations } from './project-list-operations.ts';
import { projectOperations } from './project-operations.ts';
import type { Specified } from './specified.ts';
import { tokenOperations } from './token-operations.ts';
import { transferOperations } from './transfer-operations.ts';
import { uploadOperations } from './upload-operations.ts';

export const specified: Readonly<Record<OperationId, Specified>> = {
  ...projectListOperations,
  ...projectDetailOperations,
  ...projectOperations,
  ...uploadOperations,
  ...transferOperations,
  ...tokenOperations,
};

export type SpecifiedOperation = KnownOperation & Specified;

export const operations: readonly SpecifiedOperation[] = known.map((row) => ({
  ...row,
  ...specified[row.id],
}));
