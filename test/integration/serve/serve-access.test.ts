/** @file The clients that a serving process lets in, and those that it refuses. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openServing, pages, upgrade } from '../../support/browser/serving.ts';
import { SteppedClock } from '../../support/clocks/stepped-clock.ts';

const unknownBrowserText = 'Packhorse does not know this browser';

describe('a link', () => {
  test('is exchanged for a cookie only once, and redirects to the page', async () => {
    const serving = await openServing();
    const link = serving.link();
    const first = await serving.send(link);
    expect(first).toMatchObject({ status: 303, headers: { location: '/' } });
    expect(first.headers['set-cookie']).toEqual([
      expect.stringMatching(/^packhorse-[0-9a-f]{12}=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/),
    ]);
    const cookie = String(first.headers['set-cookie']).split(';')[0] ?? '';
    expect(await serving.send('/', { headers: { cookie } })).toMatchObject({
      status: 200,
      text: pages['/index.html'],
    });

    const second = await serving.send(link);
    expect(second.status).toBe(403);
    expect(second.headers['set-cookie']).toBeUndefined();
    expect(second.text).toContain(unknownBrowserText);
  });

  test('that is missing or wrong is rejected', async () => {
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
      const answer = await serving.send(path);
      expect(answer.status, path).toBe(403);
      expect(answer.text, path).toContain(unknownBrowserText);
      expect(answer.headers['set-cookie'], path).toBeUndefined();
    }
  });

  test('that was requested but not used expires', async () => {
    const clock = new SteppedClock();
    const serving = await openServing({ clock });
    const url = new URL(serving.host.newLink(600_000));
    await clock.advance(600_001);
    expect(await serving.send(url.pathname + url.search)).toMatchObject({ status: 403 });
  });

  test('is not used up by a request from a foreign page or with another method', async () => {
    const serving = await openServing();
    const link = serving.link();
    expect(await serving.send(link, { headers: { Origin: 'http://evil.com' } })).toMatchObject({
      status: 403,
      text: '',
    });
    expect(await serving.send(link, { headers: { Host: 'evil.com' } })).toMatchObject({
      status: 403,
      text: '',
    });
    expect(await serving.send(link, { method: 'HEAD' })).toMatchObject({ status: 403 });
    const own = { Origin: `http://${serving.hostHeader}` };
    expect(await serving.send(link, { method: 'POST', headers: own })).toMatchObject({ status: 405 });
    expect(await serving.send(link)).toMatchObject({ status: 303 });
  });

  test('reports that it was used', async () => {
    let used = 0;
    const serving = await openServing({ onLinkUsed: () => (used += 1) });
    await serving.send('/open?link=wrong');
    expect(used).toBe(0);
    await serving.signIn();
    expect(used).toBe(1);
  });
});

describe('without a cookie', () => {
  test('every request is rejected with the page that explains what to do', async () => {
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
      const answer = await serving.send(path);
      expect(answer, path).toMatchObject({
        status: 403,
        headers: { 'content-type': 'text/html; charset=utf-8' },
      });
      expect(answer.text, path).toContain(unknownBrowserText);
      expect(answer.text, path).not.toContain('http-equiv');
    }
  });

  test('a browser that withheld its cookie on its way from another site is redirected once', async () => {
    const serving = await openServing();
    const refresh = '<meta http-equiv="refresh" content="0;url=/">';
    const from = (site: string) => serving.send('/', { headers: { 'Sec-Fetch-Site': site } });
    expect((await from('cross-site')).text).toContain(refresh);
    for (const site of ['same-origin', 'same-site', 'none'])
      expect((await from(site)).text).not.toContain(refresh);
  });

  test('an upload is rejected and leaves nothing', async () => {
    const serving = await openServing();
    const headers = { Origin: `http://${serving.hostHeader}`, 'Content-Type': 'application/octet-stream' };
    const answer = await serving.send('/upload?name=a', { method: 'POST', headers, body: 'x' });
    expect(answer).toMatchObject({ status: 403 });
    expect(existsSync(join(serving.dataDir, 'uploads'))).toBe(false);
  });

  test('a WebSocket is rejected', async () => {
    const serving = await openServing();
    const headers = { ...upgrade, Origin: `http://${serving.hostHeader}` };
    expect(await serving.send('/bridge', { headers })).toMatchObject({ status: 403 });
  });
});

test('the cookie of another serving process is rejected, and one cookie jar can hold the cookies of both', async () => {
  const [firstServing, secondServing] = await Promise.all([openServing(), openServing()]);
  const [first, second] = [await firstServing.signIn(), await secondServing.signIn()];
  expect(first.split('=')[0]).not.toBe(second.split('=')[0]);
  expect(await firstServing.send('/', { headers: { cookie: second } })).toMatchObject({ status: 403 });
  const renamed = `${first.split('=')[0] ?? ''}=${second.split('=')[1] ?? ''}`;
  expect(await firstServing.send('/', { headers: { cookie: renamed } })).toMatchObject({ status: 403 });
  const jar = { cookie: `${first}; ${second}` };
  expect(await firstServing.send('/', { headers: jar })).toMatchObject({ status: 200 });
  expect(await secondServing.send('/', { headers: jar })).toMatchObject({ status: 200 });
});

describe('a forged Host is rejected, over HTTP and for WebSockets, even if everything else is right', () => {
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
  test('whatever its value is', async () => {
    const serving = await openServing();
    const port = serving.hostHeader.split(':')[1] ?? '';
    const cookie = await serving.signIn();
    for (const forged of hosts.flatMap((host) => [host, `${host}:${port}`])) {
      for (const Origin of [`http://${forged}`, `http://${serving.hostHeader}`]) {
        const headers = { Host: forged, cookie, Origin };
        const replies = [
          await serving.send('/', { headers }),
          await serving.send('/upload?name=a', { method: 'POST', headers, body: 'x' }),
          await serving.send('/bridge', { headers: { ...headers, ...upgrade } }),
          await serving.send(serving.link(), { headers }),
        ];
        for (const answer of replies) expect(answer, forged).toMatchObject({ status: 403, text: '' });
      }
    }
  });

  test('and so is a missing or repeated one', async () => {
    const serving = await openServing();
    const cookie = `Cookie: ${await serving.signIn()}`;
    const raw = (...lines: string[]) => serving.sendRaw([...lines, 'Connection: close', '', ''].join('\r\n'));
    expect(await raw('GET / HTTP/1.1', cookie)).toMatchObject({ status: 400 });
    expect(await raw('GET / HTTP/1.0', cookie)).toMatchObject({ status: 403 });
    const own = `Host: ${serving.hostHeader}`;
    expect(await raw('GET / HTTP/1.1', 'Host:', cookie)).toMatchObject({ status: 403 });
    expect([400, 403]).toContain((await raw('GET / HTTP/1.1', own, 'Host: evil.com', cookie)).status);
    expect(await raw('GET / HTTP/1.1', own, cookie)).toMatchObject({ status: 200 });
  });

  test('while the three names of this machine are accepted with any port, as at the end of a tunnel', async () => {
    const serving = await openServing();
    const cookie = await serving.signIn();
    for (const Host of ['127.0.0.1', 'localhost:9', '[::1]:65535', serving.hostHeader]) {
      expect(await serving.send('/', { headers: { Host, cookie } }), Host).toMatchObject({ status: 200 });
      const headers = { Host, cookie, Origin: `http://${Host}` };
      expect(await serving.send('/bridge', { headers: { ...headers, ...upgrade } }), Host).toMatchObject({
        status: 101,
      });
    }
  });
});

describe('a foreign Origin is rejected, even with a valid cookie', () => {
  test('whatever its value is', async () => {
    const serving = await openServing();
    const port = serving.hostHeader.split(':')[1] ?? '';
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
      const replies = [
        await serving.send('/', { headers }),
        await serving.send('/upload?name=a', { method: 'POST', headers, body: 'x' }),
        await serving.send('/bridge', { headers: { ...headers, ...upgrade } }),
      ];
      for (const answer of replies) expect(answer, Origin).toMatchObject({ status: 403, text: '' });
    }
    expect(existsSync(join(serving.dataDir, 'uploads'))).toBe(false);
  });

  test('and so is a missing one if the request can change something', async () => {
    const serving = await openServing();
    const headers = { cookie: await serving.signIn() };
    expect(await serving.send('/', { headers })).toMatchObject({ status: 200 });
    expect(await serving.send('/upload?name=a', { method: 'POST', headers, body: 'x' })).toMatchObject({
      status: 403,
    });
    expect(await serving.send('/bridge', { headers: { ...headers, ...upgrade } })).toMatchObject({
      status: 403,
    });
  });
});

test('no reply grants access to another origin', async () => {
  const serving = await openServing();
  const cookie = await serving.signIn();
  const own = `http://${serving.hostHeader}`;
  const replies = [
    await serving.send('/', { headers: { cookie, Origin: own } }),
    await serving.send('/', { headers: { cookie, Origin: 'http://evil.com' } }),
    await serving.send('/upload', {
      method: 'OPTIONS',
      headers: { cookie, Origin: own, 'Access-Control-Request-Method': 'POST' },
    }),
  ];
  for (const { headers } of replies) {
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  }
});

test('the server listens only on 127.0.0.1, and on no IPv6 address', async () => {
  const serving = await openServing();
  const { networkInterfaces } = await import('node:os');
  const { connect } = await import('node:net');
  const others = Object.entries(networkInterfaces())
    .flatMap(([name, addresses = []]) =>
      addresses.map(({ address, scopeid }) => (scopeid ? `${address}%${name}` : address)),
    )
    .filter((address) => address !== '127.0.0.1');
  for (const address of ['127.0.0.2', '::1', ...others]) {
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
