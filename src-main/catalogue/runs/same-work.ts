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

/** Removes the fields that do not describe the work: who requested or compares it, and the key of a secret. */
const work = {
  export: exportInputSchema.omit({ planId: true, asked: true }),
  import: importInputSchema.omit({ comparedLater: true }).transform(({ source, ...input }) => ({
    ...input,
    source: { ...source, secret: null },
  })),
  change: changeInputSchema.omit({ secret: true }),
  'relation-import': relationImportInputSchema,
  token: tokenInputSchema,
} satisfies Record<JobKind, z.ZodType>;

/** Returns the part of an input that describes the work, for inputs of any version of this program. */
function workOf(kind: JobKind, input: unknown): unknown {
  const read = work[kind].safeParse(input);
  return read.success ? read.data : input;
}

export function isSameWork(kind: JobKind, one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(workOf(kind, one), workOf(kind, other));
}

/** Returns the input of an open job after a request with another input has joined it. Both request the same work. */
export function joinedInput(kind: JobKind, open: unknown, request: unknown): unknown {
  if (kind !== 'export') return open;
  const [one, other] = [exportInputSchema.safeParse(open), exportInputSchema.safeParse(request)];
  const byPerson = other.success && other.data.planId === null;
  return one.success && one.data.planId !== null && byPerson ? { ...one.data, asked: true } : open;
}
