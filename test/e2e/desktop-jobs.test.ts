/**
 * @file Jobs in the built product: the system shows them outside the window, and quitting loses none.
 *
 * The tests are slow: each one starts the whole product with its window, which updates its state twice a second.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { composeApp } from '../../src-main/compose/compose.ts';
import { inProcessClient } from '../../src-main/bridge/transports/in-process.ts';
import { callIn, openDesktop, registerHome, type DesktopWindow } from '../support/electron/desktop-app.ts';
import { allEnded, openTestSandbox } from '../support/world.ts';
import { jobFilter } from '../support/requests.ts';

const backUp = (desktop: DesktopWindow, projects: string[] | 'all') =>
  callIn(desktop, 'backup.start', { instance: 'home', projects, keepExisting: false });

/** An export that lasts for several polls. The program polls for running jobs twice a second. */
const seenRunning = { projectCount: 1, speed: { exportStartedMs: 2_000 } };

/** Opens the program's data folder in another app that runs no jobs. */
async function stored(dataDir: string, env: Record<string, string> = {}) {
  const app = await composeApp({ dataDir, env });
  onTestFinished(() => app.close());
  return { app, dataDir, client: inProcessClient(app.dispatch, new AbortController().signal) };
}

async function jobsOf({ client }: Awaited<ReturnType<typeof stored>>) {
  return (await client.call('job.list', jobFilter())).jobs;
}

describe('a run that ends', () => {
  test('is reported in one notification if a backup failed, and a click on the notification opens the activity view', async () => {
    const sandbox = await openTestSandbox({ projectCount: 3 });
    const desktop = await openDesktop();
    const { process, page } = desktop;
    await registerHome(desktop, sandbox);
    const { paths } = sandbox.state;
    sandbox.faults.add({
      match: { method: 'POST', path: '/export$', project: paths[0] ?? '' },
      action: { kind: 'respond', status: 403, body: { message: '403 Forbidden' } },
    });
    await process.request('focus', { has: false });
    await backUp(desktop, paths);
    const { notifications } = await process.until((state) => state.notifications.length > 0);
    expect(notifications).toEqual([
      { title: '1 of 3 projects were not backed up', body: expect.any(String) as unknown },
    ]);
    await process.request('clickNotification', { title: '1 of 3 projects were not backed up' });
    await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor();
    const { progress, awake } = await process.until((state) => state.awake.active === 0);
    expect(progress.at(-1)).toBe(-1);
    expect(awake.active).toBe(0);
  });

  test('sends no notification while the window has the focus or if notifications are turned off', async () => {
    const sandbox = await openTestSandbox(seenRunning);
    const desktop = await openDesktop();
    await registerHome(desktop, sandbox);
    const { process } = desktop;
    await callIn(desktop, 'settings.change', { preferences: { notifications: 'all' } });
    const { tray } = await process.until((state) => state.tray);
    expect(tray?.toolTip).toBe('Packhorse: Nothing is running');
    await backUp(desktop, 'all');
    await process.until(({ progress }) => progress.at(-1) === -1 && progress.length > 1);
    await callIn(desktop, 'settings.change', { preferences: { notifications: 'none' } });
    await process.request('focus', { has: false });
    await backUp(desktop, 'all');
    await process.until(({ progress }) => progress.filter((value) => value === -1).length > 2);
    expect(process.state?.notifications).toEqual([]);
  });
});

describe('the machine', () => {
  test('is kept awake once while an archive is downloaded, and may sleep after a cancellation and after a failure', async () => {
    const sandbox = await openTestSandbox({ projectCount: 1 });
    sandbox.faults.add({ match: { path: '/export/download' }, action: { kind: 'stall', afterBytes: 1000 } });
    const desktop = await openDesktop();
    await registerHome(desktop, sandbox);
    const { process } = desktop;
    const { jobIds } = await backUp(desktop, 'all');
    await process.until(({ awake, progress }) => awake.active === 1 && (progress.at(-1) ?? 0) > 0);
    await callIn(desktop, 'job.cancel', { job: jobIds[0] ?? '', by: 'me' });
    await process.until(({ awake }) => awake.active === 0);

    sandbox.faults.clear();
    sandbox.faults.add({ match: { path: '/export/download' }, action: { kind: 'html', status: 200 } });
    const before = process.state?.awake.total ?? 0;
    await backUp(desktop, 'all');
    const { awake } = await process.until((state) => state.awake.total > before && state.awake.active === 0);
    expect(awake.active).toBe(0);
  });
});

describe('quitting while a job runs', () => {
  /** Opens the desktop with a download that has started and then stalls. */
  async function busyDesktop() {
    const sandbox = await openTestSandbox({ projectCount: 1 });
    sandbox.faults.add({ match: { path: '/export/download' }, action: { kind: 'stall', afterBytes: 1000 } });
    const desktop = await openDesktop();
    await registerHome(desktop, sandbox);
    await backUp(desktop, 'all');
    await desktop.process.until(({ awake, progress }) => awake.active === 1 && (progress.at(-1) ?? 0) > 0);
    return { ...desktop, sandbox };
  }
  const interrupted = { state: { status: 'waiting', reason: 'interrupted' } };

  test('requires a confirmation; the interrupted job is stored, and resumes later without another export request', async () => {
    const { process, sandbox } = await busyDesktop();
    await process.request('clickMenu', { of: 'tray', id: 'quit' });
    await process.until(({ dialogs }) => dialogs.length === 1);
    expect(process.state?.dialogs).toMatchObject([{ message: 'Quit while work is in progress?' }]);
    await process.request('answerDialog', { button: 'Keep running' });
    await process.request('clickMenu', { of: 'window', id: 'quit' });
    await process.until(({ dialogs }) => dialogs.length === 2);
    expect(process.running).toBe(true);
    await process.request('answerDialog', { button: 'Quit' });
    expect(await process.exited).toEqual({ code: 0, stderr: '' });

    const world = await stored(process.dataDir, { PACKHORSE_TOKEN_HOME: sandbox.tokens.maintainer });
    expect(await jobsOf(world)).toMatchObject([interrupted]);
    const posts = () => sandbox.requests.filter(({ method }) => method === 'POST').length;
    const postsBefore = posts();
    sandbox.faults.clear();
    world.app.startJobs(() => true);
    expect(await allEnded(world)).toMatchObject([{ state: { status: 'succeeded' } }]);
    expect(posts()).toBe(postsBefore);
  });

  test.each([
    [
      'a signal',
      ({ process }: DesktopWindow) => {
        process.signal('SIGTERM');
        return Promise.resolve();
      },
    ],
    [
      'a shutdown of the system',
      async ({ process }: DesktopWindow) => {
        expect(await process.request('emit', { of: 'powerMonitor', event: 'shutdown' })).toBe(true);
      },
    ],
  ])(
    'because of %s opens no dialog, exits with code 0, and stores the interrupted job',
    async (_cause, end) => {
      const desktop = await busyDesktop();
      await end(desktop);
      expect(await desktop.process.exited).toEqual({ code: 0, stderr: '' });
      expect(desktop.process.state).toMatchObject({ dialogs: [], visible: false });
      expect(await jobsOf(await stored(desktop.process.dataDir))).toMatchObject([interrupted]);
    },
  );
});

test('a token that the user entered is in no reply, no event and no file', async () => {
  const sandbox = await openTestSandbox(seenRunning);
  const desktop = await openDesktop();
  await registerHome(desktop, sandbox);
  await backUp(desktop, 'all');
  await desktop.process.until(({ progress }) => progress.length > 1 && progress.at(-1) === -1);
  await callIn(desktop, 'instance.check', { name: 'home' });
  desktop.process.signal('SIGTERM');
  await desktop.process.exited;

  const token = sandbox.tokens.maintainer;
  const forms = [
    token,
    Buffer.from(token).toString('base64'),
    Buffer.from(token).toString('hex'),
    encodeURIComponent(token),
  ];
  const files = globSync('**/*', { cwd: desktop.process.dataDir, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const texts = files.map((file) => readFileSync(join(file.parentPath, file.name), 'latin1'));
  expect(texts.length).toBeGreaterThan(2);
  expect(desktop.traffic.length).toBeGreaterThan(5);
  for (const form of forms) {
    expect(desktop.traffic.filter((message) => message.includes(form))).toEqual([]);
    expect(texts.filter((text) => text.includes(form))).toEqual([]);
  }
});
