/** @file The one entrance to all calls; every transport ends here. */
import type { Result } from '../../src-preload/contract/calls.ts';
import type { Progress } from '../../src-preload/contract/job.ts';

/** Validates name, request and reply, and answers; never throws. */
export type Dispatch = (
  name: string,
  request: unknown,
  context: { signal: AbortSignal; progress(progress: Progress): void },
) => Promise<Result<unknown>>;
