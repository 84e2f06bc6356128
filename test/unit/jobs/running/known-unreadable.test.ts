/** @file Exports of a project that its instance cannot show, although it responds to other requests. */
import { expect, it } from 'vitest';
import { AppError } from '../../../../src-contract/errors.ts';
import { maxOutageMs } from '../../../../src-main/jobs/running/retry.ts';
import { ExportHarness, minute } from '../export-harness.ts';

const failed = new AppError('server-error', 'The instance failed with HTTP 500.', {
  retry: 'later',
  details: { status: 500 },
});

function harnessWithBrokenProject(): ExportHarness {
  const harness = new ExportHarness();
  harness.instance.onProject = () => {
    throw failed;
  };
  return harness;
}

it('an export of a project that the preflight could not read fails at the first error', async () => {
  const harness = harnessWithBrokenProject();
  const { state } = await harness.run({ knownUnreadable: true, fullPath: 'group/broken' });
  expect(state).toMatchObject({
    status: 'failed',
    error: { code: 'server-error', details: { status: 500, project: 'group/broken' } },
  });
  expect(harness.instance.times('project')).toHaveLength(1);
});

it('such an export waits like all others if the whole instance does not respond', async () => {
  const harness = new ExportHarness().states('none', 'finished');
  harness.instance.unreachableError = failed;
  const { id } = harness.enqueue({ knownUnreadable: true });
  await harness.clock.advance(10 * minute);
  expect(harness.bench.job(id).state).toMatchObject({
    status: 'waiting',
    text: expect.stringMatching(/^The instance has not answered since/) as string,
  });
  harness.instance.unreachableError = null;
  expect((await harness.bench.ended(id)).state.status).toBe('succeeded');
});

it('any other export is retried for the time of an outage, and does not claim that the instance is unavailable', async () => {
  const harness = harnessWithBrokenProject();
  const { id } = harness.enqueue();
  await harness.clock.advance(10 * minute);
  expect(harness.bench.job(id).state).toMatchObject({
    status: 'waiting',
    text: expect.stringMatching(
      /^The instance responds, but has failed for this project since \d\d:\d\d \(HTTP 500\)\.$/,
    ) as string,
  });
  await harness.clock.advance(maxOutageMs);
  expect(harness.bench.job(id).state).toMatchObject({ status: 'failed', error: { code: 'server-error' } });
});
