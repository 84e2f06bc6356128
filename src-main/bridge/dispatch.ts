/** @file The single entry point of all calls. Every transport uses it. */
import { calls, type Result } from '../../src-contract/calls.ts';
import { callNames, type CallName } from '../../src-contract/call-names.ts';
import { AppError } from '../../src-contract/errors.ts';
import { pathsIn } from '../../src-contract/path-schema.ts';
import type { PathGate } from './archives/path-gate.ts';
import type { CallContext, Handlers } from './handler.ts';

/**
 * Validates the name of the call, its request, the paths in the request, and the reply. Returns a `Result`; never
 * throws.
 */
export type Dispatch = (name: string, request: unknown, context: CallContext) => Promise<Result<unknown>>;

const isCallName = (name: string): name is CallName => (callNames as readonly string[]).includes(name);

/** After an abort, replaces an internal error by the reason of the abort, because such an error is no bug. */
function withAbortReason(error: AppError, signal: AbortSignal): AppError {
  if (!signal.aborted || error.code !== 'internal') return error;
  return signal.reason instanceof AppError
    ? signal.reason
    : new AppError('cancelled', 'The call was cancelled.');
}

/** `onInternalError` receives internal errors for the log. Users see the general message for `internal`. */
export function createDispatch(
  handlers: Handlers,
  gate: PathGate,
  onInternalError: (error: AppError) => void,
): Dispatch {
  return async (name, request, context) => {
    try {
      if (!isCallName(name)) throw new AppError('invalid-input', `There is no call "${name}".`);
      const parsed = calls[name].request.safeParse(request);
      if (!parsed.success) {
        const issue = parsed.error.issues[0];
        const fieldPath = issue?.path.join('.') ?? '';
        throw new AppError(
          'invalid-input',
          `${fieldPath === '' ? name : fieldPath}: ${issue?.message ?? 'not valid'}.`,
        );
      }
      for (const requestPath of pathsIn(calls[name].request, parsed.data))
        await gate(requestPath, context.grants);
      const handler = handlers[name] as (request: unknown, context: CallContext) => Promise<unknown>;
      const reply = await handler(parsed.data, context);
      return { ok: true, value: calls[name].reply.parse(reply) };
    } catch (thrown) {
      const error = withAbortReason(AppError.from(thrown), context.signal);
      if (error.code === 'internal') onInternalError(error);
      return { ok: false, error: error.toData() };
    }
  };
}
