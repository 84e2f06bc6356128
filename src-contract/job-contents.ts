/**
 * @file What a job holds, by its kind, as whoever has it from a call may read it: there it is either what the schema of its
 * kind says or null (`shown-job.ts`). Needs no schema when it runs, so that the page carries none.
 */
import type {
  ExportInput,
  ExportResult,
  ImportInput,
  ImportResult,
  Job,
  JobKind,
  RelationImportInput,
} from './job.ts';
import type { ChangeInput, ChangeResult } from './projects/change.ts';
import type { RelationImportResult } from './projects/transfer.ts';
import type { TokenInput, TokenResult } from './token.ts';

export interface JobContents extends Record<JobKind, { input: unknown; result: unknown }> {
  export: { input: ExportInput; result: ExportResult };
  import: { input: ImportInput; result: ImportResult };
  change: { input: ChangeInput; result: ChangeResult };
  'relation-import': { input: RelationImportInput; result: RelationImportResult };
  token: { input: TokenInput; result: TokenResult };
}

/** What the job works on; null: there is no such job, it is of another kind, or of a version that wrote it otherwise. */
export function inputOf<Kind extends JobKind>(
  job: Pick<Job, 'kind' | 'input'> | null | undefined,
  kind: Kind,
): JobContents[Kind]['input'] | null {
  return job?.kind === kind ? (job.input as JobContents[Kind]['input'] | null) : null;
}

/** What came of it; null as of `inputOf`, and until it has succeeded. */
export function resultOf<Kind extends JobKind>(
  job: Pick<Job, 'kind' | 'result'> | null | undefined,
  kind: Kind,
): JobContents[Kind]['result'] | null {
  return job?.kind === kind ? (job.result as JobContents[Kind]['result'] | null) : null;
}
