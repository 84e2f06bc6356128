/** @file Decides whether two inputs of a kind of job request the same work, so that one job serves both. */
import { isDeepStrictEqual } from 'node:util';
import { changeInputSchema } from '../../../src-contract/projects/change-schema.ts';
import type { JobKind } from '../../../src-contract/runs/job.ts';
import {
  exportInputSchema,
  importInputSchema,
  relationImportInputSchema,
} from '../../../src-contract/runs/job-schema.ts';
import type { z } from '../../../src-contract/schema.ts';
import { tokenInputSchema } from '../../../src-contract/tokens/token-schema.ts';

/**
 * Removes fields that do not describe the work: who requested it, who compares its result, a secret's key, and whether
 * the preflight could read the project.
 */
const workSchemas = {
  export: exportInputSchema.omit({ planId: true, asked: true, knownUnreadable: true }),
  import: importInputSchema
    .omit({ comparedLater: true, knownUnreadable: true })
    .transform(({ source, ...input }) => ({
      ...input,
      compare: input.compare ?? 'contents',
      source: { ...source, secret: null },
    })),
  change: changeInputSchema.omit({ secret: true, knownUnreadable: true }),
  'relation-import': relationImportInputSchema,
  token: tokenInputSchema,
} satisfies Record<JobKind, z.ZodType>;

/** Returns the part of an input that describes the work, for inputs of any version of this program. */
function workOf(kind: JobKind, input: unknown): unknown {
  const parsed = workSchemas[kind].safeParse(input);
  return parsed.success ? parsed.data : input;
}

export function isSameWork(kind: JobKind, a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(workOf(kind, a), workOf(kind, b));
}

/** Returns the input of an open job after a request with another input has joined it. Both request the same work. */
export function mergeInput(kind: JobKind, openInput: unknown, request: unknown): unknown {
  if (kind !== 'export') return openInput;
  const [parsedOpen, parsedRequest] = [
    exportInputSchema.safeParse(openInput),
    exportInputSchema.safeParse(request),
  ];
  const isByUser = parsedRequest.success && parsedRequest.data.planId === null;
  return parsedOpen.success && parsedOpen.data.planId !== null && isByUser
    ? { ...parsedOpen.data, asked: true }
    : openInput;
}
