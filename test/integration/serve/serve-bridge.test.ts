/** @file A page's WebSocket: calls, events, cancellation, and the treatment of misbehaving pages. */
import { connect } from 'node:net';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { SettingsStore } from '../../../src-main/platform/settings.ts';
import { callNames } from '../../../src-contract/call-names.ts';
import { presetPaces, type Instance, instanceDefaults } from '../../../src-contract/instances/instance.ts';
import {
  openPageSocket,
  openServing,
  upgrade,
  type PageSocket,
  type Serving,
} from '../../support/browser/serving.ts';
import { filesContaining, encodingsOf } from '../../support/secret-search.ts';
import { scriptedServer } from '../../support/servers/scripted-server.ts';
import { SteppedClock } from '../../support/clocks/stepped-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { openTestSandbox } from '../../support/world.ts';
import { jobFilter } from '../../support/requests.ts';

async function openPage(serving: Serving): Promise<PageSocket> {
  return openPageSocket(serving, await serving.signIn());
}

async function addSandbox(serving: Serving, projects: number) {
  const sandbox = await openTestSandbox({ projectCount: projects });
  const { client } = serving;
  await client.call('instance.setToken', { name: 'gl', token: sandbox.tokens.maintainer, keep: 'session' });
  await client.call('instance.add', {
    name: 'gl',
    url: sandbox.url,
    caFile: null,
    pace: 'sandbox',
    keep: 'session',
  });
  return sandbox;
}

const refresh = { name: 'gl', visible: false };

/** Serves a data folder with an instance that never replies. */
async function openServingOfSilentInstance(options: Parameters<typeof openServing>[0] = {}) {
  const silent = await scriptedServer(() => undefined);
  const dataDir = temporaryFolder();
  await new SettingsStore(join(dataDir, 'settings.json'), systemClock).change((known) => ({
    ...known,
    instances: [instanceAt('gl', silent.url)],
  }));
  const env = { PACKHORSE_TOKEN_GL: 'glpat-anything' };
  return { silent, serving: await openServing({ ...options, dataDir, env }) };
}

/** Returns a text frame as a browser sends it, with a mask of zeros. */
function maskedFrame(text: string): Buffer {
  const content = Buffer.from(text);
  return Buffer.concat([Buffer.from([0x81, 0x80 | content.length, 0, 0, 0, 0]), content]);
}

const instanceAt = (name: string, url: string): Instance => ({
  name,
  url,
  caFile: null,
  pacePreset: 'sandbox',
  pace: presetPaces.sandbox,
  username: 'maintainer',
  userId: null,
  administrator: false,
  serverVersion: null,
  tokenExpiresOn: null,
  tokenCanWrite: null,
  addedAt: '2026-11-20T00:00:00.000Z',
  ...instanceDefaults,
});

test('every call gets a result under its id, even a call that fails', async () => {
  const serving = await openServing();
  const page = await openPage(serving);
  expect(await page.call('host.describe', {})).toMatchObject({
    ok: true,
    value: { dataFolder: serving.dataDir },
  });
  expect(await page.call('job.show', { job: 'none' })).toMatchObject({
    ok: false,
    error: { code: 'job-missing' },
  });
  expect(await page.call('job.show', { job: 7 })).toMatchObject({
    ok: false,
    error: { code: 'invalid-input' },
  });
  expect(await page.call('no.such', {})).toMatchObject({ ok: false, error: { code: 'invalid-input' } });
});

test('the host reports that it can do nothing outside the page', async () => {
  const serving = await openServing();
  const page = await openPage(serving);
  expect(await page.call('host.capabilities', {})).toMatchObject({
    ok: true,
    value: { host: 'browser', choosePath: false, reveal: false, openLink: false, tray: false, notify: false },
  });
  expect(await page.call('host.choosePath', { what: 'folder' })).toMatchObject({
    ok: false,
    error: { code: 'host-cannot' },
  });
});

test('a second tab of the same browser works beside the first, and both receive the events', async () => {
  const serving = await openServing();
  const cookie = await serving.signIn();
  const [first, second] = [await openPageSocket(serving, cookie), await openPageSocket(serving, cookie)];
  const sandbox = await addSandbox(serving, 1);
  const started = await first.call('backup.start', {
    instance: 'gl',
    projects: sandbox.state.paths,
    keepExisting: false,
  });
  const { jobIds } = (started as { value: { jobIds: string[] } }).value;
  for (const page of [first, second]) {
    const event = await page.waitForFrame(
      ({ event, payload }) => event === 'job.changed' && (payload as { jobId: string }).jobId === jobIds[0],
    );
    expect(event['payload']).toMatchObject({ jobId: jobIds[0], revision: expect.any(Number) as number });
  }
});

describe('a long call', () => {
  test('reports its progress only to its page, and ends when that page cancels it', async () => {
    const serving = await openServing();
    const sandbox = await addSandbox(serving, 120);
    const cookie = await serving.signIn();
    const [page, other] = [await openPageSocket(serving, cookie), await openPageSocket(serving, cookie)];
    sandbox.faults.add({
      match: { path: '/projects\\?', nth: 3 },
      action: { kind: 'stall', afterBytes: 10 },
    });
    const answer = page.call('instance.refresh', refresh, 'mine');
    const progress = (done: number) => ({ step: 'list', unit: 'records', done, total: 120 });
    for (const done of [0, 100]) {
      await page.waitForFrame(
        ({ event, payload }) =>
          event === 'call.progress' && isDeepStrictEqual(payload, { id: 'mine', progress: progress(done) }),
      );
    }
    page.socket.send(JSON.stringify({ cancel: 'mine' }));
    expect(await answer).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    expect(other.frames.filter(({ event }) => event === 'call.progress')).toEqual([]);
  });

  test('is cancelled when its page disconnects', async () => {
    const { silent, serving } = await openServingOfSilentInstance();
    const page = await openPage(serving);
    void page.call('instance.refresh', refresh);
    await expect.poll(() => silent.requests.length).toBe(1);
    expect(silent.connections()).toBe(1);
    page.socket.close();
    await expect.poll(() => silent.connections()).toBe(0);
  });
});

describe('a page', () => {
  test('is disconnected if it sends a frame that is not a call', async () => {
    const serving = await openServing();
    const cookie = await serving.signIn();
    for (const frame of [
      'no JSON',
      '',
      'null',
      '[]',
      '"call"',
      '{}',
      '{"id":"a","request":{}}',
      '{"call":"host.describe","request":{}}',
      '{"call":"host.describe","id":7,"request":{}}',
      '{"__proto__":{"call":"host.describe","id":"a"}}',
    ]) {
      const page = await openPageSocket(serving, cookie);
      page.socket.send(frame);
      expect(await page.closed, frame).toEqual({ code: 1008 });
    }
  });

  test('is disconnected if it sends bytes instead of text', async () => {
    const page = await openPage(await openServing());
    page.socket.send(new Uint8Array([123, 125]));
    expect(await page.closed).toEqual({ code: 1008 });
  });

  test('is disconnected if it sends a frame of more than 1 MB', async () => {
    const page = await openPage(await openServing());
    page.socket.send(
      JSON.stringify({ call: 'host.describe', id: 'a', request: { text: 'x'.repeat(1 << 20) } }),
    );
    expect(await page.closed).toEqual({ code: 1009 });
  });

  test('gets an error for a request that is slightly too large', async () => {
    const page = await openPage(await openServing());
    expect(await page.call('host.describe', { text: 'x'.repeat(1_010_000) })).toMatchObject({
      ok: false,
      error: { code: 'invalid-input' },
    });
  });

  test('gets an error for a request that would change the prototype of objects', async () => {
    const page = await openPage(await openServing());
    page.socket.send('{"call":"host.describe","id":"a","request":{"__proto__":{"polluted":true}}}');
    const answer = await page.waitForFrame(({ id }) => id === 'a');
    expect(answer['result']).toMatchObject({ ok: false, error: { code: 'invalid-input' } });
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

test('every call of the contract gets a reply, whatever its request', async () => {
  const serving = await openServing();
  const page = await openPage(serving);
  for (const name of callNames) {
    const answer = await page.call(name, { nonsense: [1, null, 'x'] });
    expect(answer, name).toMatchObject({ ok: expect.any(Boolean) as boolean });
  }
});

test('64 pages may be open; the next one is rejected until another is closed', async () => {
  const serving = await openServing();
  const cookie = await serving.signIn();
  const open = await Promise.all(Array.from({ length: 64 }, () => openPageSocket(serving, cookie)));
  const rejected = await openPageSocket(serving, cookie);
  expect(await rejected.closed).toEqual({ code: 1013 });
  open[0]?.socket.close();
  await open[0]?.closed;
  const next = await openPageSocket(serving, cookie);
  expect(await next.call('host.describe', {})).toMatchObject({ ok: true });
});

describe('an open page', () => {
  test('gets a ping every 20 seconds, and stays connected while it replies', async () => {
    const clock = new SteppedClock();
    const page = await openPage(await openServing({ clock }));
    for (let beats = 1; beats <= 5; beats++) {
      await clock.advance(20_000);
      await expect.poll(() => page.frames.filter(({ beat }) => beat === true).length).toBe(beats);
      // A reply to a later frame proves that the pong was handled.
      await page.call('host.describe', {});
    }
  });

  test('is disconnected if it does not reply to a ping, and its calls are cancelled', async () => {
    const clock = new SteppedClock();
    const { silent, serving } = await openServingOfSilentInstance({ clock });
    const cookie = await serving.signIn();
    const socket = connect(serving.host.port, '127.0.0.1');
    const lines = {
      Host: serving.hostHeader,
      Cookie: cookie,
      Origin: `http://${serving.hostHeader}`,
      ...upgrade,
    };
    const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}`);
    let received = '';
    socket.on('data', (data) => (received += data.toString('latin1')));
    socket.write(['GET /bridge HTTP/1.1', ...head, '', ''].join('\r\n'));
    await expect.poll(() => received).toContain('101 Switching Protocols');
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => undefined);
    await clock.advance(20_000);
    expect(socket.closed).toBe(false);
    socket.write(maskedFrame(JSON.stringify({ call: 'instance.refresh', id: 'x', request: refresh })));
    await expect.poll(() => silent.requests.length).toBe(1);
    await clock.advance(20_000);
    await closed;
    // Without the cancellation, the request would end only after its time limit of a minute.
    await expect.poll(() => silent.connections(), { timeout: 10_000 }).toBe(0);
  });

  test('is disconnected if it sends and does not read, and other pages still get replies', async () => {
    const serving = await openServing();
    const cookie = await serving.signIn();
    const other = await openPageSocket(serving, cookie);
    const socket = connect(serving.host.port, '127.0.0.1');
    const lines = {
      Host: serving.hostHeader,
      Cookie: cookie,
      Origin: `http://${serving.hostHeader}`,
      ...upgrade,
    };
    const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}`);
    const closed = new Promise<true>((resolve) => {
      socket.once('close', () => {
        resolve(true);
      });
    });
    socket.on('error', () => undefined);
    // The socket stops reading.
    socket.pause();
    socket.write(['GET /bridge HTTP/1.1', ...head, '', ''].join('\r\n'));
    const call = maskedFrame(JSON.stringify({ call: 'job.show', id: 'x', request: { job: 'none' } }));
    const many = Buffer.concat(Array<Buffer>(1000).fill(call));
    for (let sent = 0; sent < 300 && !socket.destroyed; sent++) {
      await new Promise((resolve) => socket.write(many, resolve));
    }
    expect(await Promise.race([closed, systemClock.sleep(2000).then(() => false)])).toBe(true);
    expect(await other.call('host.describe', {})).toMatchObject({ ok: true });
  });
});

test('pages are disconnected with code 1001 and get no more replies when serving ends, and no new page can connect', async () => {
  const { silent, serving } = await openServingOfSilentInstance();
  const page = await openPage(serving);
  void page.call('instance.refresh', refresh);
  await expect.poll(() => silent.requests.length).toBe(1);
  const ended = serving.host.close();
  expect(await page.closed).toEqual({ code: 1001 });
  await ended;
  expect(page.frames.filter((frame) => 'result' in frame)).toEqual([]);
  await expect(openPageSocket(serving, 'x')).rejects.toBeDefined();
});

test('a token that a user typed is in no reply, no event and no file', async () => {
  const serving = await openServing();
  const sandbox = await openTestSandbox({ projectCount: 2 });
  const page = await openPage(serving);
  const token = sandbox.tokens.maintainer;
  const wrong = 'glpat-this-token-is-wrong-0123456789';
  const add = { name: 'gl', url: sandbox.url, caFile: null, pace: 'sandbox', keep: 'session' };
  expect(await page.call('instance.setToken', { name: 'gl', token: wrong, keep: 'session' })).toMatchObject({
    ok: true,
  });
  expect(await page.call('instance.add', add)).toMatchObject({ ok: false });
  expect(await page.call('instance.setToken', { name: 'gl', token, keep: 'session' })).toMatchObject({
    ok: true,
  });
  expect(await page.call('instance.add', add)).toMatchObject({ ok: true });
  for (const malformed of [
    { name: 'gl', token },
    { name: 7, token, keep: 'session' },
    { name: 'gl', token: [token] },
  ]) {
    expect(await page.call('instance.setToken', malformed)).toMatchObject({ ok: false });
  }
  expect(await page.call(token, { token })).toMatchObject({ ok: false });
  expect(
    await page.call('instance.setToken', { name: 'gl', token: `${token}\0x`, keep: 'session' }),
  ).toMatchObject({ ok: false });
  await page.call('instance.setToken', { name: 'gl', token, keep: 'session' });
  sandbox.faults.add({
    match: { path: '/export', nth: 1 },
    action: { kind: 'respond', status: 400, body: { message: `${token} is not welcome` } },
  });
  await page.call('backup.start', { instance: 'gl', projects: 'all', keepExisting: false });
  const open = jobFilter({ status: 'open', limit: 10 });
  await expect
    .poll(async () => (await serving.client.call('job.list', open)).jobs.length, { timeout: 20_000 })
    .toBe(0);
  for (const name of ['instance.list', 'job.list', 'doctor.run', 'settings.show'] as const) {
    await page.call(name, name === 'job.list' ? jobFilter({ limit: 10 }) : {});
  }
  await serving.host.close();
  const texts = [...encodingsOf(token), ...encodingsOf(wrong)];
  const sent = JSON.stringify(page.frames);
  expect(page.frames.length).toBeGreaterThan(10);
  expect(texts.filter((text) => sent.includes(text))).toEqual([]);
  expect(filesContaining(serving.dataDir, texts)).toEqual([]);
});
