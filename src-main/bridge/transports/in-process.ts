/** @file The transport of the command line: calls in the same process, typed, with errors as exceptions. */
import type { CallReply, CallRequest } from '../../../src-contract/calls.ts';
import type { CallName } from '../../../src-contract/call-names.ts';
import { AppError } from '../../../src-contract/errors.ts';
import type { Progress } from '../../../src-contract/runs/job.ts';
import type { Dispatch } from '../dispatch.ts';
import { commandLinePaths } from '../archives/granted-paths.ts';

export interface Client {
  /** Throws the `AppError` of a failed call. */
  call<Name extends CallName>(
    name: Name,
    request: CallRequest<Name>,
    onProgress?: (progress: Progress) => void,
  ): Promise<CallReply<Name>>;
}

export function inProcessClient(dispatch: Dispatch, signal: AbortSignal): Client {
  return {
    async call(name, request, onProgress = () => undefined) {
      const result = await dispatch(name, request, {
        signal,
        progress: onProgress,
        grants: commandLinePaths,
      });
      if (!result.ok) throw AppError.fromData(result.error);
      return result.value as CallReply<typeof name>;
    },
  };
}
