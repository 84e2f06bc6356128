import { expect, test } from 'vitest';
import { AppError } from '../../../src-contract/errors.ts';
import { createDispatch } from '../../../src-main/bridge/dispatch.ts';
import { commandLinePaths } from '../../../src-main/bridge/archives/granted-paths.ts';
import { inProcessClient } from '../../../src-main/bridge/transports/in-process.ts';
import type { CallContext, Handlers } from '../../../src-main/bridge/handler.ts';

/** Has only the handlers that a test needs. A call of another one is a mistake of the test. */
function dispatchOf(handlers: Partial<Handlers>) {
  const internal: AppError[] = [];
  const dispatch = createDispatch(
    handlers as Handlers,
    () => Promise.resolve(),
    (error) => internal.push(error),
  );
  const { signal } = new AbortController();
  const context: CallContext = { signal, progress: () => undefined, grants: commandLinePaths };
  return { internal, dispatch, call: (name: string, request: unknown) => dispatch(name, request, context) };
}

test('an unknown call name is refused, also one that is a property of every object', async () => {
  const { call, internal } = dispatchOf({});
  for (const name of ['archive.erase', 'constructor', '__proto__', '']) {
    expect(await call(name, {}), name).toMatchObject({ ok: false, error: { code: 'invalid-input' } });
  }
  expect(internal).toEqual([]);
});

test('an invalid request never reaches the handler, and the error names the field', async () => {
  let reached = 0;
  const { call } = dispatchOf({
    'job.list': () => {
      reached += 1;
      return Promise.resolve({ jobs: [], next: null });
    },
  });
  const good = { runId: null, status: null, before: null, limit: 5 };
  for (const [request, field] of [
    [{ ...good, limit: 0 }, 'limit'],
    [{ ...good, status: 'lost' }, 'status'],
    [null, 'job.list'],
  ] as const) {
    const result = await call('job.list', request);
    expect(result).toMatchObject({ ok: false, error: { code: 'invalid-input' } });
    expect(result.ok ? '' : result.error.message).toContain(field);
  }
  expect(reached).toBe(0);
  expect(await call('job.list', good)).toEqual({ ok: true, value: { jobs: [], next: null } });
});

test('a handler receives only the fields of the schema, and its error is returned', async () => {
  let seen: unknown;
  const { call } = dispatchOf({
    'job.show': (request) => {
      seen = request;
      throw new AppError('job-missing', 'gone');
    },
  });
  const result = await call('job.show', { job: 'a', extra: 'x' });
  expect(result).toMatchObject({ ok: false, error: { code: 'job-missing', message: 'gone' } });
  expect(seen).toEqual({ job: 'a' });
});

test('a reply that breaks the contract and an unexpected exception are returned and logged as internal errors, not thrown', async () => {
  const { call, internal } = dispatchOf({
    'instance.list': () => Promise.resolve({ instances: 'none' } as never),
    'doctor.run': () => {
      throw new TypeError('x is not a function');
    },
  });
  expect(await call('instance.list', {})).toMatchObject({ ok: false, error: { code: 'internal' } });
  expect(await call('doctor.run', {})).toMatchObject({ ok: false, error: { code: 'internal' } });
  expect(internal).toHaveLength(2);
});

test('a client in the same process throws the error of the handler with its code, retry and details', async () => {
  const { dispatch } = dispatchOf({
    'job.show': () => {
      throw new AppError('rate-limited', 'slow', { retry: { afterMs: 5 }, details: { status: 429 } });
    },
  });
  const client = inProcessClient(dispatch, new AbortController().signal);
  const thrown = await client.call('job.show', { job: 'a' }).catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(AppError);
  expect(thrown).toMatchObject({ code: 'rate-limited', retry: { afterMs: 5 }, details: { status: 429 } });
});

test('an aborted call fails as cancelled or with the reason of the abort, not as an internal error', async () => {
  const { dispatch, internal } = dispatchOf({
    'doctor.run': () => Promise.reject(new DOMException('This operation was aborted', 'AbortError')),
    'instance.list': () => Promise.reject(new AppError('disk-full', 'for another reason')),
  });
  const progress = () => undefined;
  const codeOf = async (name: string, signal: AbortSignal) => {
    const result = await dispatch(name, {}, { signal, progress, grants: commandLinePaths });
    return result.ok ? 'ok' : result.error.code;
  };
  expect(await codeOf('doctor.run', AbortSignal.abort())).toBe('cancelled');
  expect(await codeOf('doctor.run', AbortSignal.abort(new AppError('interrupted', '')))).toBe('interrupted');
  expect(await codeOf('instance.list', AbortSignal.abort())).toBe('disk-full');
  expect(internal).toEqual([]);
});
