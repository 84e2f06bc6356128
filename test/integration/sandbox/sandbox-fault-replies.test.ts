/** @file Faults of connections and tokens that `sandbox-faults.test.ts` does not test, and faults from a file. */
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { parseFaultText, type Fault } from '../../../src-main/sandbox/faults/fault-kinds.ts';
import { startSandbox, type Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { SandboxCalls } from '../../support/servers/sandbox-calls.ts';

async function started(...faults: Fault[]): Promise<{ sandbox: Sandbox; calls: SandboxCalls }> {
  const sandbox = await startSandbox({ clock: systemClock, projectCount: 2, faults });
  onTestFinished(() => sandbox.close());
  return { sandbox, calls: new SandboxCalls(sandbox) };
}

test.each([301, 302, 303, 307, 308] as const)(
  'redirect replies with %d and puts the requested path into the new address',
  async (status) => {
    const action = { kind: 'redirect', to: 'http://other.example{path}', status } as const;
    const { calls } = await started({ match: { path: '/user' }, action });
    const reply = await calls.fetch('/user?a=b', { redirect: 'manual' });

    expect(reply.status).toBe(status);
    expect(reply.headers.get('location')).toBe('http://other.example/api/v4/user?a=b');
  },
);

test('drip sends the whole body, a few bytes at a time', async () => {
  const { calls } = await started({ match: {}, action: { kind: 'drip', bytes: 100, everyMs: 2 } });
  const before = systemClock.monotonic();
  const reply = await calls.fetch('/user');
  const length = (await reply.text()).length;

  expect(reply.headers.get('content-length')).toBe(`${length}`);
  expect(systemClock.monotonic() - before).toBeGreaterThanOrEqual(Math.floor(length / 100));
});

test('wrong-length can state more bytes than it sends', async () => {
  const { calls } = await started({ match: {}, action: { kind: 'wrong-length', by: 5 } });
  const reply = await calls.fetch('/user');

  await expect(reply.text()).rejects.toThrow();
});

test('wrong-length can state fewer bytes than it sends', async () => {
  const { sandbox, calls } = await started();
  const whole = await (await calls.fetch('/version')).text();
  sandbox.faults.add({ match: {}, action: { kind: 'wrong-length', by: -5 } });

  expect(await (await calls.fetch('/version')).text()).toBe(whole.slice(0, -5));
});

test.each([
  ['expired', 'Token is expired. You can either do re-authorization or token refresh.'],
  ['revoked', 'Token was revoked. You have to re-authorize from the user.'],
] as const)('end-token makes the token %s from that request on', async (as, error_description) => {
  const { calls } = await started({ match: { nth: 2 }, action: { kind: 'end-token', as } });
  const refusal = { status: 401, body: { error: 'invalid_token', error_description } };

  expect((await calls.call('/user')).status).toBe(200);
  expect(await calls.call('/user')).toEqual(refusal);
  expect(await calls.call('/user')).toEqual(refusal);
});

test.each<[string, RegExp]>([
  ['{', /^A fault file must contain a JSON list/],
  ['[{"match":{},"action":{"kind":"reset"}},{"match":{}}]', /^Fault 2 \(action\): /],
  ['[{"match":{},"action":{"kind":"explode"}}]', /^Fault 1 \(action\.kind\): /],
  ['[{"match":{},"action":{"kind":"delay"}}]', /^Fault 1 \(action\.ms\): /],
  ['[{"match":{"path":"("},"action":{"kind":"reset"}}]', /^Fault 1 \(match\.path\): must be a regular/],
  ['[{"match":{"metod":"GET"},"action":{"kind":"reset"}}]', /^Fault 1 \(match\): .*metod/],
])('the error for %s names the wrong entry', (text, message) => {
  expect(() => parseFaultText(text)).toThrow(
    expect.objectContaining({
      code: 'invalid-input',
      message: expect.stringMatching(message) as string,
    }) as Error,
  );
});
