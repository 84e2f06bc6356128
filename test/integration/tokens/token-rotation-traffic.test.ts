/**
 * @file Jobs that use an instance during the rotation of its token. Running requests are completed, and no job fails
 * because of the rotation.
 */
import { expect, test } from 'vitest';
import { tokenInUse, openScene, rotate, rotationsOf } from '../../support/tokens/rotation-scene.ts';
import { backUp, importInto } from '../../support/world.ts';

test('jobs that run while their token is rotated do not fail', async () => {
  const scene = await openScene({ spare: true, sandbox: { projectCount: 4 } });
  const backup = backUp(scene.world, 'source', 'all');
  for (let round = 0; round < 3; round += 1) {
    expect(await rotate(scene)).toMatchObject({ state: { status: 'succeeded' } });
  }
  expect((await backup).map(({ state }) => state.status)).toEqual(Array(4).fill('succeeded'));
});

test('jobs wait while the state of the token is unknown, and then continue with the new token', async () => {
  // The exports take longer than the rotation.
  const slow = { projectCount: 4, speed: { exportStartedMs: 700 } };
  const scene = await openScene({ spare: true, sandbox: slow });
  const { client } = scene.world;
  const backup = backUp(scene.world, 'source', 'all');
  await expect.poll(() => scene.sandbox.requests.some(({ method }) => method === 'POST')).toBe(true);
  scene.sandbox.faults.add({ match: { path: 'rotate', nth: 1 }, action: { kind: 'lose-reply' } });
  const rotation = rotate(scene);
  const jobs = await backup;
  expect(await rotation).toMatchObject({ state: { status: 'succeeded' } });
  expect(jobs.map(({ state }) => state.status)).toEqual(Array(4).fill('succeeded'));
  const waits = await Promise.all(
    jobs.map(async ({ id }) => {
      const { events } = await client.call('job.log', { job: id, afterId: 0, limit: 100 });
      return events.some(({ message }) => message.includes('is being replaced'));
    }),
  );
  expect(waits).toContain(true);
  expect(await tokenInUse(scene)).toMatchObject({ name: 'maintainer' });
});

test('an upload in progress finishes before the token is rotated', async () => {
  const scene = await openScene({ spare: true, sandbox: { projectCount: 1 } });
  const { world, sandbox } = scene;
  const [stored] = await backUp(world, 'source', 'all');
  const { archivePath } = stored?.result as { archivePath: string };
  sandbox.faults.add({ match: { path: '/projects/import$' }, action: { kind: 'delay', ms: 600 } });
  const imported = importInto(world, 'source', archivePath, { namespace: 'borealis', path: 'copy' });
  const upload = () => sandbox.requests.find(({ path }) => path === '/api/v4/projects/import');
  await expect.poll(upload, { interval: 5 }).toBeDefined();
  const rotation = rotate(scene);
  await expect.poll(() => rotationsOf(scene).length, { interval: 5 }).toBe(1);
  expect(upload()).toMatchObject({ status: 201 });
  expect(await rotation).toMatchObject({ state: { status: 'succeeded' } });
  expect(await imported).toMatchObject({ state: { status: 'succeeded' } });
});
