import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { AppError } from '../../../../../src-contract/errors.ts';
import { errorText } from '../../../../../src-contract/error-messages.ts';
import { exitCodeOf, Terminal } from '../../../../../src-main/hosts/cli/terminal/terminal.ts';

interface Screen {
  terminal: Terminal;
  stdout: () => string;
  stderr: () => string;
}

function screen(options: { json?: boolean; quiet?: boolean; columns?: number } = {}): Screen {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const text = (stream: PassThrough) => () => String(stream.read() ?? '');
  const terminal = new Terminal({
    json: options.json ?? false,
    quiet: options.quiet ?? false,
    stdout,
    stderr:
      options.columns === undefined
        ? stderr
        : Object.assign(stderr, { isTTY: true, columns: options.columns }),
  });
  return { terminal, stdout: text(stdout), stderr: text(stderr) };
}

test.each([
  ['invalid-input', 2],
  ['instance-unknown', 2],
  ['plan-missing', 2],
  ['migration-missing', 2],
  ['job-missing', 2],
  ['already-exists', 2],
  ['archive-ambiguous', 2],
  ['project-missing', 2],
  ['not-found', 2],
  ['namespace-missing', 2],
  ['record-missing', 2],
  ['token-scope', 4],
  ['role-too-low', 4],
  ['keychain-locked', 4],
  ['interrupted', 130],
  ['disk-full', 1],
] as const)('the error %s ends the command with the exit code %i', (code, exit) => {
  expect(exitCodeOf({ code })).toBe(exit);
});

test('an unknown archive reference is wrong usage; an archive that is missing from the store is a failure', () => {
  expect(exitCodeOf({ code: 'archive-missing', details: { reference: 'a' } })).toBe(2);
  expect(exitCodeOf({ code: 'archive-missing', details: { path: '/a' } })).toBe(1);
});

test('an unknown storage name is wrong usage; a storage whose key is missing is a failure', () => {
  expect(exitCodeOf({ code: 'storage-missing', details: { storage: 'cold', reference: 'cold' } })).toBe(2);
  expect(exitCodeOf({ code: 'storage-missing', details: { storage: 'cold' } })).toBe(1);
});

test('answering "no" is a failure and not an interrupt, and a port in use is a failure and not wrong usage', () => {
  expect(exitCodeOf({ code: 'cancelled', details: { unchanged: true } })).toBe(1);
  expect(exitCodeOf({ code: 'cancelled' })).toBe(130);
  expect(exitCodeOf({ code: 'invalid-input', details: { port: 80 } })).toBe(1);
  expect(exitCodeOf({ code: 'already-exists', details: { port: 80 } })).toBe(1);
});

test('with --json, standard output contains only the document', () => {
  const { terminal, stdout, stderr } = screen({ json: true });
  terminal.line('1. Begins');
  terminal.note('half of it');
  terminal.result({ done: true }, () => 'Done.');
  expect(JSON.parse(stdout())).toEqual({ done: true });
  expect(stderr()).toBe('half of it\n');
});

test('an error is a document on standard output with --json, and two lines on standard error without it', () => {
  const error = new AppError('instance-unknown', 'no such', { details: { name: 'lab' } });
  const json = screen({ json: true });
  expect(json.terminal.printError(error)).toBe(2);
  expect(JSON.parse(json.stdout())).toEqual({
    error: {
      code: 'instance-unknown',
      ...errorText(error.toData(), 'command-line'),
      details: { name: 'lab' },
    },
  });
  const plain = screen();
  plain.terminal.printError(error);
  expect(plain.stdout()).toBe('');
  expect(plain.stderr().split('\n')).toEqual([
    'packhorse: There is no instance named "lab".',
    expect.stringMatching(/^ {2}Check the name .* See "packhorse instance list"/),
    '',
  ]);
});

test('--quiet prints only the result and the error', () => {
  const { terminal, stdout, stderr } = screen({ quiet: true, columns: 80 });
  terminal.status('working');
  terminal.note('half of it');
  terminal.result({}, () => 'Done.');
  expect([stdout(), stderr()]).toEqual(['Done.\n', '']);
  terminal.printError(new AppError('interrupted', 'Interrupted.'));
  expect(stderr()).toContain('Interrupted.');
});

test('the status line of a terminal fits its width, is redrawn in place, and is erased before anything else is written', () => {
  const { terminal, stderr } = screen({ columns: 10 });
  terminal.status('0123456789abcdef');
  expect(stderr()).toBe('\r\u001b[2K012345678');
  terminal.note('done');
  expect(stderr()).toBe('\r\u001b[2Kdone\n');
  terminal.status(null);
  expect(stderr()).toBe('');
});

test('no output contains control characters that act on the terminal, and JSON keeps its meaning', () => {
  const evil = 'a\u001b[2J\u009b\u202e\u0007b';
  const controlCharactersIn = (text: string) =>
    ['\u001b', '\u009b', '\u202e', '\u0007'].filter((character) => text.includes(character));
  const plain = screen();
  plain.terminal.result({}, () => `first\n${evil}`);
  plain.terminal.note(evil);
  plain.terminal.printError(new AppError('internal', evil));
  expect(plain.stdout()).toBe('first\na\uFFFD[2J\uFFFD\uFFFD\uFFFDb\n');
  expect(controlCharactersIn(plain.stderr())).toEqual([]);
  const json = screen({ json: true });
  json.terminal.result({ name: evil }, () => '');
  const written = json.stdout();
  expect(controlCharactersIn(written)).toEqual([]);
  expect(JSON.parse(written)).toEqual({ name: evil });
});
