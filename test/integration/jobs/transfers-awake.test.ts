import { expect, test } from 'vitest';
import type { Power } from '../../../src-main/platform/power.ts';
import { writeTestFile } from '../../support/jobs/change-scene.ts';
import { backUp, ended, importInto, openTestSandbox, openWorld, register } from '../../support/world.ts';
import { archiveFilter } from '../../support/requests.ts';

/** Counts the current requests to keep the machine awake, and all of them. */
class CountingPower implements Power {
  current = 0;
  total = 0;

  keepAwake(): () => void {
    this.current += 1;
    this.total += 1;
    return () => {
      this.current -= 1;
    };
  }
}

async function openSite() {
  const sandbox = await openTestSandbox({ projectCount: 1 });
  const power = new CountingPower();
  const world = await openWorld({ power });
  await register(world, 'source', sandbox);
  return { sandbox, power, world, projects: sandbox.state.paths };
}

test('the machine is kept awake while an archive is downloaded and while it is uploaded, and not in between', async () => {
  const { sandbox, power, world, projects } = await openSite();
  sandbox.faults.add({ match: { path: '/export/download' }, action: { kind: 'stall', afterBytes: 900 } });
  const start = { instance: 'source', projects, keepExisting: false };
  const { runId, jobIds } = await world.client.call('backup.start', start);
  await expect.poll(() => power.current, { interval: 2 }).toBe(1);
  await world.client.call('job.cancel', { job: jobIds[0] ?? '', by: 'me' });
  expect(await ended(world, runId)).toMatchObject([{ state: { status: 'cancelled' } }]);
  expect(power).toMatchObject({ current: 0, total: 1 });

  sandbox.faults.clear();
  await backUp(world, 'source', projects);
  expect(power).toMatchObject({ current: 0, total: 2 });
  const filter = archiveFilter({ limit: 1 });
  const { archives } = await world.client.call('archive.list', filter);
  const [project = ''] = projects;
  const namespace = project.slice(0, project.lastIndexOf('/'));
  const job = await importInto(world, 'source', archives[0]?.id ?? '', { namespace, path: 'copy' });
  expect(job.state.status).toBe('succeeded');
  expect(power).toMatchObject({ current: 0, total: 3 });
});

test('the machine is kept awake while a file is uploaded to a project', async () => {
  const { power, world, projects } = await openSite();
  const [project = ''] = projects;
  const upload = { kind: 'upload' as const, file: writeTestFile(), sizeBytes: 12 };
  const request = { instance: 'source', project, change: upload, confirmation: null };
  const { runId } = await world.client.call('project.change', request);
  expect(await ended(world, runId)).toMatchObject([{ state: { status: 'succeeded' } }]);
  expect(power).toMatchObject({ current: 0, total: 1 });
});

test('the machine is kept awake while an export is downloaded to a place outside the archive store', async () => {
  const { power, world, projects } = await openSite();
  await backUp(world, 'source', projects);
  expect(power).toMatchObject({ current: 0, total: 1 });
  await world.client.call('export.download', { instance: 'source', project: projects[0] ?? '', to: null });
  expect(power).toMatchObject({ current: 0, total: 2 });
});

test('the machine may sleep again after a failed transfer', async () => {
  const { sandbox, power, world, projects } = await openSite();
  sandbox.faults.add({ match: { path: '/export/download' }, action: { kind: 'html', status: 200 } });
  expect(await backUp(world, 'source', projects)).toMatchObject([{ state: { status: 'failed' } }]);
  expect(power).toMatchObject({ current: 0, total: 1 });
});
