/**
 * @file `packhorse serve` from the build, started and stopped by users and programs.
 *
 * Slow, because the first test builds the product, once for all tests of a run, and each test starts a process. The
 * tests are about signals, exit codes, ports and terminals.
 */
import { spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Cli, tokenOption, type RunningCli } from '../../support/processes/cli.ts';
import { commandLine } from '../../support/processes/command-line.ts';
import { compileCacheOf } from '../../support/processes/compile-cache.ts';
import { builtProduct } from '../../support/processes/product-build.ts';
import { requirement } from '../../support/requirement.ts';
import { upgrade } from '../../support/browser/serving.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { openTestSandbox } from '../../support/world.ts';

const builtEntry = async (): Promise<string> => join(await builtProduct(), 'out/main/hosts/cli.js');

/**
 * Returns the command line that most tests start, with the built pages. This command line starts in half the time of the
 * build.
 */
async function entry(): Promise<string> {
  await builtProduct();
  return commandLine();
}

const linkIn = (text: string): URL => {
  const [, link] = /(http:\/\/127\.0\.0\.1:\d+\/open\?link=[\w-]+)/.exec(text) ?? [];
  if (link === undefined) throw new Error(`There is no link in: ${text}`);
  return new URL(link);
};

/** Returns the status of the reply to the link, and the cookie. */
async function open(link: URL): Promise<{ status: number; cookie: string }> {
  const answer = await fetch(link, { redirect: 'manual' });
  return { status: answer.status, cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '' };
}

async function startServing(cli: Cli, args: string[] = [], env: Record<string, string> = {}) {
  const running = cli.start(['serve', ...args], { env });
  onTestFinished(async () => {
    running.process.kill('SIGKILL');
    await running.ended;
  });
  await running.prints(/open\?link=[\w-]+/);
  return running;
}

const stop = async (running: RunningCli, signal: NodeJS.Signals = 'SIGTERM') => {
  running.process.kill(signal);
  return running.ended;
};

test('a serving process prints how to connect, from this machine and from another one, and how to stop it', async () => {
  const cli = new Cli(await builtEntry());
  const running = await startServing(cli);
  await running.prints(/Stop with Ctrl-C/);
  const link = linkIn(cli.output);
  expect(cli.output).toMatch(new RegExp(`ssh -L ${link.port}:127\\.0\\.0\\.1:${link.port} \\S+@\\S+\n`));
  const { status, cookie } = await open(link);
  expect(status).toBe(303);
  const page = await fetch(new URL('/', link), { headers: { cookie } });
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('<div id="app">');
});

test('without a terminal, as in the log of a service, a serving process prints another link after one was used', async () => {
  const cli = new Cli(await entry());
  const running = await startServing(cli);
  const first = linkIn(cli.output);
  expect((await open(first)).status).toBe(303);
  await running.prints(/A browser has connected\. For another one:\s+http:\S+/);
  const second = linkIn(cli.output.slice(cli.output.indexOf('A browser has connected')));
  expect(second.href).not.toBe(first.href);
  expect((await open(first)).status).toBe(403);
  expect((await open(second)).status).toBe(303);
});

describe('with --json', () => {
  test('standard output is one document that contains the link, and serving continues', async () => {
    const cli = new Cli(await entry());
    const running = await startServing(cli, ['--json']);
    const link = linkIn(cli.output);
    expect((await open(link)).status).toBe(303);
    const { code, stdout } = await stop(running);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ url: link.href });
  });

  test('a failure is printed as the document', async () => {
    const cli = new Cli(await entry());
    const first = await startServing(cli, ['--json']);
    const { port } = linkIn(cli.output);
    await cli.fails(['serve', '--port', port], {
      code: 'invalid-input',
      exit: 1,
      todo: /other|again|Correct/,
    });
    await stop(first);
  });
});

test.each(['65536', '80.5'])('--port %s is a usage error', async (port) => {
  const cli = new Cli();
  expect(await cli.run(['serve', '--port', port])).toMatchObject({ code: 2 });
  expect(readdirSync(cli.dataDir)).toEqual([]);
});

test('--port 0 uses any free port, and the link contains it', async () => {
  const cli = new Cli(await entry());
  await startServing(cli, ['--port', '0']);
  expect(Number(linkIn(cli.output).port)).toBeGreaterThan(0);
});

test('--port sets the port', async () => {
  const cli = new Cli(await entry());
  const first = await startServing(cli);
  const { port } = linkIn(cli.output);
  await stop(first);
  cli.output = '';
  await startServing(cli, ['--port', port]);
  expect(linkIn(cli.output).port).toBe(port);
});

describe('a serving process', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    'ends normally on %s, even with open pages and uploads',
    async (signal) => {
      const cli = new Cli(await entry());
      const running = await startServing(cli);
      const link = linkIn(cli.output);
      const { cookie } = await open(link);
      const headers = { cookie, origin: link.origin };
      const socket = new WebSocket(`ws://${link.host}/bridge`, { headers });
      const closed = new Promise<number>((resolve) => {
        socket.onclose = ({ code }) => {
          resolve(code);
        };
      });
      await new Promise((resolve) => (socket.onopen = resolve));
      // Half an upload, and a silent connection.
      const upload = connect(Number(link.port), '127.0.0.1');
      const head = [
        `POST /upload?name=a HTTP/1.1`,
        `Host: ${link.host}`,
        `Cookie: ${cookie}`,
        `Origin: ${link.origin}`,
      ];
      upload.on('error', () => undefined).write([...head, 'Content-Length: 1000', '', 'half'].join('\r\n'));
      const idle = connect(Number(link.port), '127.0.0.1').on('error', () => undefined);
      await expect.poll(() => existsSync(join(cli.dataDir, 'uploads'))).toBe(true);
      const { code, stderr } = await stop(running, signal);
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('Stopping.') as string });
      expect(await closed).toBe(1001);
      upload.destroy();
      idle.destroy();
      expect(await fetch(link).catch((error: unknown) => error)).toBeInstanceOf(TypeError);
    },
  );

  test('ends at once on a second signal, even while it waits', async () => {
    const cli = new Cli(await entry());
    const running = await startServing(cli);
    const link = linkIn(cli.output);
    const { cookie } = await open(link);
    // A page that never closes its connection.
    const socket = connect(Number(link.port), '127.0.0.1').on('error', () => undefined);
    const lines = { ...upgrade, Host: link.host, Origin: link.origin, Cookie: cookie };
    const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}`);
    socket.write(['GET /bridge HTTP/1.1', ...head, '', ''].join('\r\n'));
    await new Promise((resolve) => socket.once('data', resolve));
    running.process.kill('SIGINT');
    await running.prints(/Stopping\./);
    expect((await stop(running, 'SIGINT')).code).toBe(130);
    socket.destroy();
  });

  test('stores running jobs as interrupted when it ends', async () => {
    const cli = new Cli(await entry());
    const sandbox = await openTestSandbox({ projectCount: 1 });
    await cli.add('gl', sandbox);
    const { env } = tokenOption('gl', sandbox.tokens.maintainer);
    sandbox.faults.add({ match: { path: '/export/download' }, action: { kind: 'stall', afterBytes: 1000 } });
    const running = await startServing(cli, [], env);
    const link = linkIn(cli.output);
    const { cookie } = await open(link);
    const socket = new WebSocket(`ws://${link.host}/bridge`, {
      headers: { cookie, origin: link.origin },
    });
    await new Promise((resolve) => (socket.onopen = resolve));
    const request = { instance: 'gl', projects: sandbox.state.paths, keepExisting: false };
    socket.send(JSON.stringify({ call: 'backup.start', id: 'a', request }));
    const downloading = (): boolean => sandbox.requests.some(({ path }) => path.includes('/export/download'));
    await expect.poll(downloading, { timeout: 20_000 }).toBe(true);
    expect((await stop(running)).code).toBe(0);
    const { document } = await cli.json(['job', 'list']);
    expect(document).toMatchObject({ jobs: [{ state: { status: 'waiting', reason: 'interrupted' } }] });
  });
});

test('a second process on the same data folder reports that the first one runs the jobs', async () => {
  const cli = new Cli(await entry());
  const first = await startServing(cli);
  const second = await startServing(cli);
  await second.prints(/Another Packhorse process runs the jobs of this data folder/);
  expect((await stop(second)).stderr).toContain('takes over when the other one ends');
  expect((await stop(first)).stderr).not.toContain('Another Packhorse process');
});

test('missing built pages are an error that explains what to do', async () => {
  const product = await builtProduct();
  const folder = temporaryFolder();
  cpSync(join(product, 'package.json'), join(folder, 'package.json'));
  cpSync(join(product, 'out/main'), join(folder, 'out/main'), { recursive: true });
  symlinkSync(join(product, 'node_modules'), join(folder, 'node_modules'));
  const cli = new Cli(join(folder, 'out/main/hosts/cli.js'));
  await cli.fails(['serve'], { code: 'page-not-built', exit: 1, todo: /npm run build/ });
  expect(readdirSync(cli.dataDir)).toEqual([]);
});

describe.skipIf(process.platform !== 'linux')("the system's browser", () => {
  /** Returns a folder for PATH with a program that records its arguments. */
  function openerAt(exitCode: number): { PATH: string; opened: () => string | null } {
    const folder = temporaryFolder();
    const file = join(folder, 'opened');
    writeFileSync(
      join(folder, 'xdg-open'),
      `#!/bin/sh\nprintf '%s\\n' "$#" "$1" > ${file}.part\nmv ${file}.part ${file}\nexit ${exitCode}\n`,
    );
    chmodSync(join(folder, 'xdg-open'), 0o755);
    return {
      PATH: ['/usr/bin', '/bin', folder].join(delimiter),
      opened: () => (existsSync(file) ? readFileSync(file, 'utf8') : null),
    };
  }

  test('is not opened by default', async () => {
    const cli = new Cli(await entry());
    const { PATH, opened } = openerAt(0);
    const running = await startServing(cli, [], { PATH: PATH.split(delimiter).reverse().join(delimiter) });
    await running.prints(/Stop with Ctrl-C/);
    await stop(running);
    expect(opened()).toBeNull();
  });

  test('is opened by --open, with its own link', async () => {
    const cli = new Cli(await entry());
    const { PATH, opened } = openerAt(0);
    const running = await startServing(cli, ['--open'], {
      PATH: PATH.split(delimiter).reverse().join(delimiter),
    });
    const printed = linkIn(cli.output);
    await expect.poll(opened, { timeout: 10_000 }).not.toBeNull();
    const [count, url = ''] = opened()?.split('\n') ?? [];
    expect(count).toBe('1');
    expect(url).not.toBe(printed.href);
    expect((await open(new URL(url))).status).toBe(303);
    expect((await open(printed)).status).toBe(303);
    await stop(running);
  });

  test.each([
    ['is missing', {}],
    ['fails', { exitCode: 3 }],
  ])('that %s is reported, and serving continues', async (_what, opener) => {
    const cli = new Cli(await entry());
    const env =
      'exitCode' in opener ? { PATH: openerAt(3).PATH.split(delimiter).reverse().join(delimiter) } : {};
    const running = await startServing(cli, ['--open'], env);
    await running.prints(/No browser could be opened/);
    expect((await open(linkIn(cli.output))).status).toBe(303);
    await stop(running);
  });
});

const noTerminal = requirement(
  'a terminal of its own',
  process.platform === 'linux' && existsSync('/usr/bin/script'),
  'install util-linux (the program "script")',
);

describe.skipIf(noTerminal)('on a terminal', () => {
  test('Enter prints another link, which works beside the first, and Ctrl-C stops the process', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'home'));
    const program = await entry();
    const command = [process.execPath, program, '--data-dir', join(folder, 'data'), 'serve'];
    const child = spawn('/usr/bin/script', ['-qefc', `exec ${command.join(' ')}`, '/dev/null'], {
      env: {
        PATH: '/usr/bin:/bin',
        HOME: join(folder, 'home'),
        TERM: 'dumb',
        SHELL: '/bin/sh',
        NODE_COMPILE_CACHE: compileCacheOf(program),
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    await expect
      .poll(() => output, { timeout: 20_000 })
      .toContain('Enter prints another link. Stop with Ctrl-C.');
    const first = linkIn(output);
    child.stdin.write('\n');
    await expect.poll(() => output).toMatch(/within ten minutes:\s+http:\S+\s/);
    const second = linkIn(output.slice(output.indexOf('within ten minutes')));
    expect(second.href).not.toBe(first.href);
    expect((await open(second)).status).toBe(303);
    await expect.poll(() => output).toContain('A browser has connected. For another link, press Enter.');
    expect((await open(first)).status).toBe(303);
    child.stdin.write('\u0003');
    expect(await ended).toBe(0);
    rmSync(folder, { recursive: true });
  });
});
