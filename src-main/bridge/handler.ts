/** @file The type of a call's handler, and of its context. Types only. */
import type { CallName } from '../../src-contract/call-names.ts';
import type { HandlerReply, ParsedRequest } from '../../src-contract/calls.ts';
import type { Progress } from '../../src-contract/runs/job.ts';
import type { PathGrants } from './archives/granted-paths.ts';

export interface CallContext {
  signal: AbortSignal;
  progress(progress: Progress): void;
  grants: PathGrants;
}

/** A handler for every call; each returns the reply or throws an `AppError`. */
export type Handlers = {
  [Name in CallName]: (
    request: ParsedRequest<Name>,
    context: CallContext,
  ) => Promise<HandlerReply<Name>> | HandlerReply<Name>;
};
