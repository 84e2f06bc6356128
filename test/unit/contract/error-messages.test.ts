import { expect, test } from 'vitest';
import { AppError, errorCodes, type ErrorDetails } from '../../../src-contract/errors.ts';
import { errorText } from '../../../src-contract/error-messages.ts';

test.each(errorCodes)(
  '%s has a sentence for what happened and one for what to do, even without details',
  (code) => {
    const { what, todo } = errorText(new AppError(code, 'something happened').toData());
    for (const text of [what, todo]) expect(text).toMatch(/^["A-Z].{8,}[.?]$/s);
    expect(`${what} ${todo}`).not.toMatch(/undefined|null|\[object/);
  },
);

test('an HTML error page of a server is not quoted, and a plain message is', () => {
  const details = { status: 500, serverMessage: '<html><h1>Oops</h1></html>' };
  const show = (serverMessage: string) =>
    errorText(new AppError('server-error', '', { details: { ...details, serverMessage } }).toData()).what;
  expect(show('<html><h1>Oops</h1></html>')).toBe('The instance failed with HTTP 500.');
  expect(show('out of memory')).toBe('The instance failed with HTTP 500. The server said: out of memory.');
});

test('a failure of a server names the project if the request contained its path', () => {
  const show = (project: string) =>
    errorText(new AppError('server-error', '', { details: { status: 500, project } }).toData()).what;
  expect(show('atlas/compass')).toBe('The instance failed with HTTP 500 for atlas/compass.');
  expect(show('34')).toBe('The instance failed with HTTP 500.');
});

test('the path of the file that an error is about is named once', () => {
  const show = (message: string) =>
    errorText(new AppError('disk-denied', message, { details: { path: '/a/b' } }).toData()).what;
  expect(show('no right to write')).toBe('No right to write. The path is /a/b.');
  expect(show('no right to write /a/b')).toBe('No right to write /a/b.');
});

test.each(errorCodes)('%s names no command and no option in the window', (code) => {
  const known = { findings: 2, name: 'work', instance: 'work', namespace: 'no/such', replaceable: true };
  for (const details of [{}, known]) {
    const { what, todo } = errorText(new AppError(code, 'something happened', { details }).toData());
    expect(`${what} ${todo}`).not.toMatch(/ --[a-z]|packhorse [a-z]/);
  }
});

test('the command line also names the option to use', () => {
  const error = new AppError('namespace-missing', '', { details: { namespace: 'no/such' } }).toData();
  expect(errorText(error).todo).toBe('Create the group first, or name another namespace.');
  expect(errorText(error, 'command-line').todo).toBe(
    'Create the group first, or name another namespace. The option is --namespace.',
  );
});

test('replacing a project is advised only if the project at the path can be replaced', () => {
  const adviceFor = (details: ErrorDetails): string[] => {
    const error = new AppError('path-taken', 'taken', { details }).toData();
    return (['window', 'command-line'] as const).map((host) => errorText(error, host).todo);
  };
  const elsewhere = 'Choose another path or name, or another namespace.';
  expect(adviceFor({ project: 'a/b' })).toEqual([elsewhere, elsewhere]);
  expect(adviceFor({ project: 'a/b', replaceable: true })).toEqual([
    'Choose another path, or replace the project there.',
    'Choose another path, or replace the project there. The options are --path and --overwrite.',
  ]);
});

test.each(['keychain-missing', 'keychain-unreachable', 'keychain-failed'] as const)(
  '%s of a storage gives advice for a storage, not for a token',
  (code) => {
    const error = new AppError(code, 'it is so', { details: { storage: 'cold' } }).toData();
    const { todo } = errorText(error, 'command-line');
    expect(todo).toMatch(/presigned[^]*packhorse import url/);
    expect(todo).not.toMatch(/PACKHORSE_TOKEN|--no-keychain/);
  },
);

test.each([
  ['atlas/newone is not marked', 'atlas/newone is not marked.'],
  ['notes.txt is no archive', 'notes.txt is no archive.'],
  ['nothing was found in a/b', 'Nothing was found in a/b.'],
])(
  'a message begins with a capital letter, unless it begins with a path or a file name: %s',
  (message, what) => {
    expect(errorText(new AppError('invalid-input', message).toData()).what).toBe(what);
  },
);

test('correcting the value is advised only if a value is wrong', () => {
  const adviceFor = (details: ErrorDetails): string =>
    errorText(new AppError('invalid-input', 'It is so.', { details }).toData()).todo;
  expect(adviceFor({ parameter: 'until' })).toMatch(/^Correct the value/);
  for (const details of [{ wrong: 'options' }, { wrong: 'state' }, { id: '01' }, { attributes: '' }]) {
    expect(adviceFor(details)).not.toMatch(/Correct the value/);
  }
  expect(adviceFor({ id: '01' })).toBe('Give more characters of the id than "01".');
});

test.each(['keychain-missing', 'keychain-unreachable'] as const)(
  '%s names the environment variable of the missing token',
  (code) => {
    const found = { instance: 'work', variable: 'PACKHORSE_TOKEN_WORK', tokenSought: true };
    const show = (details: ErrorDetails) => errorText(new AppError(code, 'it is so', { details }).toData());
    expect(show(found).what).toMatch(/"work": the variable PACKHORSE_TOKEN_WORK is not set, and /);
    expect(show({ ...found, variableEmpty: true }).what).toMatch(/PACKHORSE_TOKEN_WORK is set, but empty/);
    expect(show(found).todo).toMatch(/^Set PACKHORSE_TOKEN_WORK to the token/);
  },
);
