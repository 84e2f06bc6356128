/** @file Whether two inputs of a kind of job ask for the same work, so that one job does for both. */
import { isDeepStrictEqual } from 'node:util';
import { changeInputSchema } from '../../../src-contract/projects/change-schema.ts';
import type { JobKind } from '../../../src-contract/job.ts';
import {
  exportInputSchema,
  importInputSchema,
  relationImportInputSchema,
} from '../../../src-contract/job-schema.ts';
import type { z } from '../../../src-contract/schema.ts';
import { tokenInputSchema } from '../../../src-contract/token-schema.ts';

/** Without what says nothing of the work: who asked, who compares what arrived, and under which name a secret lies in memory. */
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

/** An input as far as it says which work is done and how, whatever version of this program wrote it. */
function workOf(kind: JobKind, input: unknown): unknown {
  const read = work[kind].safeParse(input);
  return read.success ? read.data : input;
}

export function isSameWork(kind: JobKind, one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(workOf(kind, one), workOf(kind, other));
}

/** The input of an open job once a request with another input has joined it. Both ask for the same work. */
export function joinedInput(kind: JobKind, open: unknown, request: unknown): unknown {
  if (kind !== 'export') return open;
  const [one, other] = [exportInputSchema.safeParse(open), exportInputSchema.safeParse(request)];
  const byPerson = other.success && other.data.planId === null;
  return one.success && one.data.planId !== null && byPerson ? { ...one.data, asked: true } : open;
}
