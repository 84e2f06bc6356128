/** @file Adding an instance with a wrong address, certificate or token reports the reason and stores nothing. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { Cli, tokenOption } from '../../support/processes/cli.ts';
import { certificateFile, scriptedServer } from '../../support/servers/scripted-server.ts';
import { openTestSandbox } from '../../support/world.ts';

let cli: Cli;

beforeEach(() => {
  cli = new Cli();
});

const token = { stdin: 'glpat-not-a-real-token-1234\n' };
const add = (url: string, ...more: string[]): string[] => [
  ...['instance', 'add', 'gl', url, '--pace', 'sandbox', '--token-stdin', '--no-keychain'],
  ...more,
];

/** Asserts that no instance was added and no archive folder was created. */
function expectNothingStored(): void {
  expect(existsSync(join(cli.dataDir, 'settings.json'))).toBe(false);
  expect(readdirSync(cli.dataDir)).not.toContain('archives');
}

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('an address', () => {
  test('of a host that does not exist is reported as unknown', async () => {
    const expected = { code: 'address-unknown', exit: 1, todo: /URL/ };
    await cli.fails(add('https://gitlab.nowhere.invalid'), expected, token);
    expectNothingStored();
  });

  test('of a port without a server is reported as refused', async () => {
    const url = `http://127.0.0.1:${await closedPort()}`;
    await cli.fails(add(url), { code: 'connection-refused', exit: 1, todo: /port/ }, token);
    expectNothingStored();
  });

  test.each([
    ['replies with web pages', 200, 'text/html', '<!doctype html><title>Sign in</title>'],
    ['has no API', 404, 'application/json', '{"error":"not here"}'],
  ])('of a server that %s is reported as not GitLab', async (_what, status, type, body) => {
    const server = await scriptedServer((_request, reply) => {
      reply.send(status, { 'content-type': type }, body);
    });
    const { what } = await cli.fails(
      add(server.url),
      { code: 'not-gitlab', exit: 1, todo: /without a project path/ },
      token,
    );
    expect(what).toContain(server.url);
    expectNothingStored();
  });

  test('of a project instead of the instance is reported as not GitLab', async () => {
    const sandbox = await openTestSandbox();
    const expected = { code: 'not-gitlab', exit: 1, todo: /without a project path/ };
    await cli.fails(add(`${sandbox.url}/group/project`), expected, { stdin: sandbox.tokens.maintainer });
    expectNothingStored();
  });

  test('with an error page of the server is reported as a server error', async () => {
    const server = await scriptedServer((_request, reply) => {
      reply.send(502, { 'content-type': 'text/html' }, '<html>Bad gateway</html>');
    });
    const { what } = await cli.fails(
      add(server.url),
      { code: 'server-error', exit: 1, todo: /later/ },
      token,
    );
    expect(what).toBe('The instance failed with HTTP 502.');
    expectNothingStored();
  });

  test('with the path of the API is accepted as the instance', async () => {
    const sandbox = await openTestSandbox();
    const { code, document } = await cli.json(add(`${sandbox.url}/api/v4/`), {
      stdin: sandbox.tokens.maintainer,
    });
    expect(code).toBe(0);
    expect(document).toMatchObject({ instance: { name: 'gl', url: sandbox.url } });
  });
});

describe('a certificate', () => {
  const https = {
    key: readFileSync(certificateFile('test-only-key'), 'utf8'),
    cert: readFileSync(certificateFile('trusted'), 'utf8'),
  };

  test('of an unknown authority is refused with its fingerprint, and accepted with the CA file of the authority', async () => {
    const sandbox = await openTestSandbox({ https });
    const own = { stdin: sandbox.tokens.maintainer };
    const error = await cli.fails(
      add(sandbox.url),
      { code: 'certificate-untrusted', exit: 1, todo: /--ca-file/ },
      own,
    );
    expect(error.todo).toMatch(/([0-9A-F]{2}:){31}[0-9A-F]{2}/);
    expect(sandbox.requests).toEqual([]);
    expectNothingStored();

    const added = await cli.json(add(sandbox.url, '--ca-file', certificateFile('authority')), own);
    expect(added.code).toBe(0);
    const shown = await cli.run(['instance', 'show', 'gl']);
    expect(shown.stdout).toContain(certificateFile('authority'));
    const listed = await cli.json(
      ['project', 'list', '--instance', 'gl'],
      tokenOption('gl', sandbox.tokens.maintainer),
    );
    expect(listed).toMatchObject({ code: 0, document: { projects: [] } });
  });

  test.each([
    ['is missing', null],
    ['is not a certificate', 'hello\n'],
  ])('is refused if its CA file %s', async (_why, content) => {
    const sandbox = await openTestSandbox({ https });
    const file = join(cli.folder, 'ca.pem');
    if (content !== null) writeFileSync(file, content);
    const expected = { code: 'ca-file-unusable', exit: 1, todo: /PEM/ };
    await cli.fails(add(sandbox.url, '--ca-file', 'ca.pem'), expected, { stdin: sandbox.tokens.maintainer });
    expectNothingStored();
  });
});

describe('a token', () => {
  test.each([
    ['that the server does not know', 'unknown', 'token-invalid', /whole token was pasted/],
    ['that expired', 'expired', 'token-expired', /new personal access token.*existing instance/],
    ['that was revoked', 'revoked', 'token-revoked', /new personal access token/],
    ['of a blocked account', 'blocked', 'account-blocked', /browser/],
  ] as const)('%s is refused, and nothing is stored', async (_what, name, code, todo) => {
    const sandbox = await openTestSandbox();
    const stdin = name === 'unknown' ? token.stdin : sandbox.tokens[name];
    await cli.fails(add(sandbox.url), { code, exit: 4, todo }, { stdin });
    expectNothingStored();
  });

  test('of an invalid form is rejected without being shown', async () => {
    const { what } = await cli.fails(
      add('http://127.0.0.1:9'),
      { code: 'invalid-input', exit: 2, todo: /nothing was changed/ },
      { stdin: 'two words\n' },
    );
    expect(what).not.toContain('two words');
  });

  test('that is missing is reported, with the variable that could provide it', async () => {
    const sandbox = await openTestSandbox();
    await cli.add('my.lab', sandbox);
    const { code, document } = await cli.json(['project', 'list', '--instance', 'my.lab']);
    const { error } = document as { error: { code: string; todo: string } };
    // Without a keychain the command cannot know whether the keychain contains a token.
    expect(error.code).toMatch(/^(token-missing|keychain-)/);
    expect(code).toBe(4);
    expect(error.todo).toMatch(/PACKHORSE_TOKEN_/);
  });

  test('is stored only in a keychain: without one, no instance is added', async () => {
    const sandbox = await openTestSandbox();
    const args = ['instance', 'add', 'gl', sandbox.url, '--token-stdin'];
    const { code, document } = await cli.json(args, { stdin: sandbox.tokens.maintainer });
    expect(code).toBe(4);
    expect(document).toMatchObject({
      error: {
        code: expect.stringMatching(/^keychain-/) as string,
        todo: expect.stringContaining('PACKHORSE_TOKEN_GL') as string,
      },
    });
    expectNothingStored();
    const empty = await cli.json(args.slice(0, -1), { env: { PACKHORSE_TOKEN_GL: '' } });
    expect(empty.document).toMatchObject({
      error: { what: expect.stringContaining('the variable PACKHORSE_TOKEN_GL is set, but empty') as string },
    });
  });

  test('is read from a file only if no other user can read the file, and only from one source', async () => {
    const sandbox = await openTestSandbox();
    const file = join(cli.folder, 'token');
    const args = ['instance', 'add', 'gl', sandbox.url, '--no-keychain', '--token-file', 'token'];
    await cli.fails(args, { code: 'not-found', exit: 2, todo: /Check the path/ });
    writeFileSync(file, `${sandbox.tokens.maintainer}\n`, { mode: 0o644 });
    await cli.fails(args, { code: 'token-unsafe-file', exit: 4, todo: /chmod 600/ });
    const both = { code: 'invalid-input', exit: 2, todo: /Correct the options of the command/ };
    await cli.fails([...args, '--token-stdin'], both, token);
    expectNothingStored();
    writeFileSync(join(cli.folder, 'own'), `${sandbox.tokens.maintainer}\n`, { mode: 0o600 });
    const { code } = await cli.json([...args.slice(0, -1), 'own']);
    expect(code).toBe(0);
  });
});

describe('a name', () => {
  test('must be plain, new and distinct in the environment for a new instance, and known for other commands', async () => {
    const sandbox = await openTestSandbox();
    const own = { stdin: sandbox.tokens.maintainer };
    await cli.add('my-lab', sandbox);
    const settings = readFileSync(join(cli.dataDir, 'settings.json'), 'utf8');
    const named = (name: string): string[] => add(sandbox.url).map((word) => (word === 'gl' ? name : word));

    await cli.fails(named('my-lab'), { code: 'instance-exists', exit: 2, todo: /another name/ }, own);
    expect(sandbox.requests).toEqual([]);
    const clash = await cli.fails(named('my.lab'), { code: 'invalid-input', exit: 2, todo: /Correct/ }, own);
    expect(clash.what).toContain('my-lab');
    await cli.fails(named('My Lab'), { code: 'invalid-input', exit: 2, todo: /Correct/ }, own);
    await cli.fails(['instance', 'show', 'other'], {
      code: 'instance-unknown',
      exit: 2,
      todo: /instance list/,
    });
    await cli.fails(
      ['backup', '--instance', 'other', 'a/b'],
      { code: 'instance-unknown', exit: 2, todo: /instance list/ },
      own,
    );
    expect(readFileSync(join(cli.dataDir, 'settings.json'), 'utf8')).toBe(settings);

    expect((await cli.json(['instance', 'remove', 'my-lab', '--yes'])).code).toBe(0);
    expect((await cli.json(['instance', 'list'])).document).toEqual({ instances: [] });
  });
});
