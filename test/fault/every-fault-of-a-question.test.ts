/**
 * @file Injects every fault of the sandbox into the two requests that precede a job: the version of the instance, and
 * the projects that a plan selects. The user gets the error at once, and a job would report the same error.
 */
import { expect, it } from 'vitest';
import { AppError } from '../../src-contract/errors.ts';
import { actionOf } from '../support/faults/fault-actions.ts';
import { openOrigin } from '../support/servers/origin.ts';
import { planDraft } from '../support/jobs/plan-draft.ts';
import { ended, openTestSandbox, openWorld, register } from '../support/world.ts';
import { jobFilter } from '../support/requests.ts';

/**
 * Faults of an export affect neither request. Neither request is retried, so a late reply and a stalled reply give the
 * same error.
 */
const table = `
                    version              projects
no response         timeout              timeout
stalls              timeout              timeout
HTTP 401            token-invalid        token-invalid
HTTP 403            forbidden            forbidden
HTTP 404            not-gitlab           not-found
HTTP 429            rate-limited         rate-limited
HTTP 500            server-error         server-error
HTTP 502            server-error         server-error
HTTP 503            server-error         server-error
web page            not-gitlab           not-gitlab
other origin        redirect-refused     redirect-refused
reset               connection-lost      connection-lost
response lost       connection-lost      connection-lost
cut with length     connection-lost      connection-lost
cut in a chunk      connection-lost      connection-lost
cut without length  not-gitlab           unexpected-response
reset half-way      connection-lost      connection-lost
length too large    connection-lost      connection-lost
length too small    not-gitlab           unexpected-response
flipped byte        not-gitlab           unexpected-response
`;

it('a fault of a request that precedes a job is reported to the caller, and no job starts', async () => {
  const sandbox = await openTestSandbox({ projectCount: 1 });
  const elsewhere = await openOrigin((_sent, reply) => {
    reply.setHeader('content-type', 'text/html').end('<!DOCTYPE html><title>Sign in</title>');
  });
  const world = await openWorld({ httpLimits: { responseTimeoutMs: 1_000, bodyTimeoutMs: 1_000 } });
  await register(world, 'work', sandbox);
  const { plan } = await world.client.call('plan.save', planDraft());
  const requests = {
    version: { path: '/version$', send: () => world.client.call('instance.check', { name: 'work' }) },
    projects: { path: '/projects\\?', send: () => world.client.call('plan.run', { id: plan.id }) },
  };
  const actual: string[] = [];
  const rows = table.trim().split('\n').slice(1);
  for (const line of rows) {
    const [row = ''] = line.split(/ {2,}/);
    const codes: string[] = [];
    for (const { path, send } of Object.values(requests)) {
      sandbox.faults.add({ match: { method: 'GET', path }, action: actionOf(row, 5, elsewhere.url) });
      const code = await send().then(
        () => 'answered',
        (error: unknown) => AppError.from(error).code,
      );
      codes.push(code);
      sandbox.faults.clear();
    }
    actual.push([row.padEnd(19), (codes[0] ?? '').padEnd(20), codes[1]].join(' '));
  }
  expect(actual).toEqual(rows);
  expect(elsewhere.sent).toEqual([]);

  const { jobs } = await world.client.call('job.list', jobFilter({ limit: 9 }));
  expect(jobs).toEqual([]);
  const { runId } = await world.client.call('plan.run', { id: plan.id });
  expect((await ended(world, runId)).map(({ state }) => state.status)).toEqual(['succeeded']);
});
