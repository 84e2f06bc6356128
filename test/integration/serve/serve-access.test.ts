/** @file The clients that a serving process lets in, and those that it refuses. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openServing, pages, upgrade } from '../../support/browser/serving.ts';
import { SteppedClock } from '../../support/clocks/stepped-clock.ts';

const stranger = 'Packhorse does not know this browser';

describe('a link', () => {
  test('is exchanged for a cookie once, and leads to the page', async () => {
    const serving = await openServing();
    const link = serving.link();
    const first = await serving.ask(link);
    expect(first).toMatchObject({ status: 303, headers: { location: '/' } });
    expect(first.headers['set-cookie']).toEqual([
      expect.stringMatching(/^packhorse-[0-9a-f]{12}=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/),
    ]);
    const cookie = String(first.headers['set-cookie']).split(';')[0] ?? '';
    expect(await serving.ask('/', { headers: { cookie } })).toMatchObject({
      status: 200,
      text: pages['/index.html'],
    });

    const second = await serving.ask(link);
    expect(second.status).toBe(403);
    expect(second.headers['set-cookie']).toBeUndefined();
    expect(second.text).toContain(stranger);
  });

  test('that is missing or wrong lets nobody in', async () => {
    const serving = await openServing();
    serving.link();
    for (const path of [
      '/open',
      '/open?link=',
      '/open?link=x',
      '/open?link=a&link=b',
      '/open?Link=x',
      '/open?x',
    ]) {
      const answer = await serving.ask(path);
      expect(answer.status, path).toBe(403);
      expect(answer.text, path).toContain(stranger);
      expect(answer.headers['set-cookie'], path).toBeUndefined();
    }
  });

  test('that was requested and not used expires', async () => {
    const clock = new SteppedClock();
    const serving = await openServing({ clock });
    const url = new URL(serving.host.newLink(600_000));
    await clock.advance(600_001);
    expect(await serving.ask(url.pathname + url.search)).toMatchObject({ status: 403 });
  });

  test('of a foreign page or by another method is not used up', async () => {
    const serving = await openServing();
    const link = serving.link();
    expect(await serving.ask(link, { headers: { Origin: 'http://evil.com' } })).toMatchObject({
      status: 403,
      text: '',
    });
    expect(await serving.ask(link, { headers: { Host: 'evil.com' } })).toMatchObject({
      status: 403,
      text: '',
    });
    expect(await serving.ask(link, { method: 'HEAD' })).toMatchObject({ status: 403 });
    const own = { Origin: `http://${serving.place}` };
    expect(await serving.ask(link, { method: 'POST', headers: own })).toMatchObject({ status: 405 });
    expect(await serving.ask(link)).toMatchObject({ status: 303 });
  });

  test('says that it was used', async () => {
    let used = 0;
    const serving = await openServing({ onLinkUsed: () => (used += 1) });
    await serving.ask('/open?link=wrong');
    expect(used).toBe(0);
    await serving.signIn();
    expect(used).toBe(1);
  });
});

describe('without a cookie', () => {
  test('everything is refused with the page that says what to do', async () => {
    const serving = await openServing();
    for (const path of [
      '/',
      '/index.html',
      '/assets/index-1a2b.js',
      '/nothing',
      '/upload',
      '/bridge',
      '/../secret.html',
      '//',
      '/open/',
      '/open%3Flink=x',
    ]) {
      const answer = await serving.ask(path);
      expect(answer, path).toMatchObject({
        status: 403,
        headers: { 'content-type': 'text/html; charset=utf-8' },
      });
      expect(answer.text, path).toContain(stranger);
      expect(answer.text, path).not.toContain('http-equiv');
    }
  });

  test('a browser that withheld its cookie on the way from a foreign place is sent round once', async () => {
    const serving = await openServing();
    const refresh = '<meta http-equiv="refresh" content="0;url=/">';
    const from = (site: string) => serving.ask('/', { headers: { 'Sec-Fetch-Site': site } });
    expect((await from('cross-site')).text).toContain(refresh);
    for (const site of ['same-origin', 'same-site', 'none'])
      expect((await from(site)).text).not.toContain(refresh);
  });

  test('an upload is refused and leaves nothing', async () => {
    const serving = await openServing();
    const headers = { Origin: `http://${serving.place}`, 'Content-Type': 'application/octet-stream' };
    const answer = await serving.ask('/upload?name=a', { method: 'POST', headers, body: 'x' });
    expect(answer).toMatchObject({ status: 403 });
  });

  test('a WebSocket is refused', async () => {
    const serving = await openServing();
    const headers = { ...upgrade, Origin: `http://${serving.place}` };
    expect(await serving.ask('/bridge', { headers })).toMatchObject({ status: 403 });
  });
});

test('the cookie of another serving process is worth nothing, and both get along in one cookie jar', async () => {
  const [one, two] = await Promise.all([openServing(), openServing()]);
  const [first, second] = [await one.signIn(), await two.signIn()];
  expect(first.split('=')[0]).not.toBe(second.split('=')[0]);
  expect(await one.ask('/', { headers: { cookie: second } })).toMatchObject({ status: 403 });
  const renamed = `${first.split('=')[0] ?? ''}=${second.split('=')[1] ?? ''}`;
  expect(await one.ask('/', { headers: { cookie: renamed } })).toMatchObject({ status: 403 });
  const jar = { cookie: `${first}; ${second}` };
  expect(await one.ask('/', { headers: jar })).toMatchObject({ status: 200 });
  expect(await two.ask('/', { headers: jar })).toMatchObject({ status: 200 });
});

describe('a forged Host is refused, on HTTP and for WebSockets, even if everything else is right', () => {
  const hosts = [
    'evil.com',
    '127.0.0.1.evil.com',
    '0.0.0.0',
    'localhost.evil.com',
    'user@127.0.0.1',
    '127.0.0.1@evil.com',
    '127.0.0.2',
    '[::]',
  ];
  test('of any kind', async () => {
    const serving = await openServing();
    const port = serving.place.split(':')[1] ?? '';
    const cookie = await serving.signIn();
    for (const forged of hosts.flatMap((host) => [host, `${host}:${port}`])) {
      for (const Origin of [`http://${forged}`, `http://${serving.place}`]) {
        const headers = { Host: forged, cookie, Origin };
        const asked = [
          await serving.ask('/', { headers }),
          await serving.ask('/upload?name=a', { method: 'POST', headers, body: 'x' }),
          await serving.ask('/bridge', { headers: { ...headers, ...upgrade } }),
          await serving.ask(serving.link(), { headers }),
        ];
        for (const answer of asked) expect(answer, forged).toMatchObject({ status: 403, text: '' });
      }
    }
  });

  test('also when it is missing or sent twice', async () => {
    const serving = await openServing();
    const cookie = `Cookie: ${await serving.signIn()}`;
    const raw = (...lines: string[]) => serving.askRaw([...lines, 'Connection: close', '', ''].join('\r\n'));
    expect(await raw('GET / HTTP/1.1', cookie)).toMatchObject({ status: 400 });
    expect(await raw('GET / HTTP/1.0', cookie)).toMatchObject({ status: 403 });
    const own = `Host: ${serving.place}`;
    expect(await raw('GET / HTTP/1.1', 'Host:', cookie)).toMatchObject({ status: 403 });
    expect([400, 403]).toContain((await raw('GET / HTTP/1.1', own, 'Host: evil.com', cookie)).status);
    expect(await raw('GET / HTTP/1.1', own, cookie)).toMatchObject({ status: 200 });
  });

  test('while the three names of this machine are answered at any port, as at the end of a tunnel', async () => {
    const serving = await openServing();
    const cookie = await serving.signIn();
    for (const Host of ['127.0.0.1', 'localhost:9', '[::1]:65535', serving.place]) {
      expect(await serving.ask('/', { headers: { Host, cookie } }), Host).toMatchObject({ status: 200 });
      const headers = { Host, cookie, Origin: `http://${Host}` };
      expect(await serving.ask('/bridge', { headers: { ...headers, ...upgrade } }), Host).toMatchObject({
        status: 101,
      });
    }
  });
});

describe('a foreign Origin is refused, though the cookie is right', () => {
  test('of any kind', async () => {
    const serving = await openServing();
    const port = serving.place.split(':')[1] ?? '';
    const cookie = await serving.signIn();
    for (const Origin of [
      'null',
      'http://evil.com',
      `https://127.0.0.1:${port}`,
      `http://localhost:${port}`,
      'http://127.0.0.1:1',
      'app://bundle',
    ]) {
      const headers = { cookie, Origin };
      const asked = [
        await serving.ask('/', { headers }),
        await serving.ask('/upload?name=a', { method: 'POST', headers, body: 'x' }),
        await serving.ask('/bridge', { headers: { ...headers, ...upgrade } }),
      ];
      for (const answer of asked) expect(answer, Origin).toMatchObject({ status: 403, text: '' });
    }
    expect(existsSync(join(serving.dataDir, 'uploads'))).toBe(false);
  });

  test('and a missing one, where something can be changed', async () => {
    const serving = await openServing();
    const headers = { cookie: await serving.signIn() };
    expect(await serving.ask('/', { headers })).toMatchObject({ status: 200 });
    expect(await serving.ask('/upload?name=a', { method: 'POST', headers, body: 'x' })).toMatchObject({
      status: 403,
    });
    expect(await serving.ask('/bridge', { headers: { ...headers, ...upgrade } })).toMatchObject({
      status: 403,
    });
  });
});

test('nothing is ever allowed to another origin', async () => {
  const serving = await openServing();
  const cookie = await serving.signIn();
  const own = `http://${serving.place}`;
  const asked = [
    await serving.ask('/', { headers: { cookie, Origin: own } }),
    await serving.ask('/', { headers: { cookie, Origin: 'http://evil.com' } }),
    await serving.ask('/upload', {
      method: 'OPTIONS',
      headers: { cookie, Origin: own, 'Access-Control-Request-Method': 'POST' },
    }),
  ];
  for (const { headers } of asked) {
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  }
});

test('only this machine is listened to', async () => {
  const serving = await openServing();
  const { networkInterfaces } = await import('node:os');
  const { connect } = await import('node:net');
  const others = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ address, family }) => family === 'IPv4' && address !== '127.0.0.1')
    .map(({ address }) => address);
  for (const address of ['127.0.0.2', ...others]) {
    const reached = await new Promise((resolve) => {
      const socket = connect(serving.host.port, address);
      socket.on('connect', () => {
        socket.destroy();
        resolve(true);
      });
      socket.on('error', () => {
        resolve(false);
      });
    });
    expect(reached, address).toBe(false);
  }
});
