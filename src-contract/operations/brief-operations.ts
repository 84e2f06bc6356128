/**
 * @file What the page has of the operations: how each is asked for, and by whom, without what else the specification says of it. It
 * is computed when the page is built (`electron.vite.config.ts`), so that the tables stay out of it.
 */
import type { Parameter } from './operation.ts';
import { operations, type KnownOperation, type OperationId } from './operations.ts';

export type BriefParameter = Omit<Parameter, 'note'>;

interface BriefOperation extends Pick<KnownOperation, 'method' | 'who' | 'since'> {
  readonly parameters: readonly BriefParameter[];
}

/** The fields of the operation that the page needs; plain data. */
function brief({ method, who, since, parameters }: KnownOperation): BriefOperation {
  return {
    method,
    who,
    ...(since === undefined ? {} : { since }),
    parameters: parameters.map(({ note: _note, ...parameter }) => parameter),
  };
}

export const briefOperations = Object.fromEntries(
  operations.map((operation) => [operation.id, brief(operation)]),
) as Readonly<Record<OperationId, BriefOperation>>;
