/** @file A job as replies hold it: what it holds is what the schema of its kind says, or null. */
import type { JobContents } from './job-contents.ts';
import {
  exportInputSchema,
  exportResultSchema,
  importInputSchema,
  importResultSchema,
  jobSchema,
  relationImportInputSchema,
  type Job,
  type JobKind,
} from './job.ts';
import { changeInputSchema, changeResultSchema } from './projects/change.ts';
import { relationImportResultSchema } from './projects/transfer.ts';
import type { z } from './schema.ts';
import { tokenInputSchema, tokenResultSchema } from './token.ts';

const contents: {
  [Kind in JobKind]: { [Part in 'input' | 'result']: z.ZodType<JobContents[Kind][Part]> };
} = {
  export: { input: exportInputSchema, result: exportResultSchema },
  import: { input: importInputSchema, result: importResultSchema },
  change: { input: changeInputSchema, result: changeResultSchema },
  'relation-import': { input: relationImportInputSchema, result: relationImportResultSchema },
  token: { input: tokenInputSchema, result: tokenResultSchema },
};

/** Whoever receives it reads it with `job-contents.ts`; what another version wrote otherwise breaks no list. */
export const shownJobSchema = jobSchema.transform((job): Job => {
  const { input, result } = contents[job.kind];
  return {
    ...job,
    input: input.safeParse(job.input).data ?? null,
    result: result.safeParse(job.result).data ?? null,
  };
});
