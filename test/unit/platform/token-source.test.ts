import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeEach, expect, test } from 'vitest';
import { parseToken, readTokenFile, readTokenFromStdin } from '../../../src-main/platform/token-source.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let path: string;
beforeEach(() => {
  path = join(temporaryFolder(), 'token');
});
const coded = (code: string): unknown => expect.objectContaining({ code });
const fileWith = (text: string, mode = 0o600) => {
  writeFileSync(path, text);
  chmodSync(path, mode);
};

test.for(['glpat-abc_DEF.123', '!', '~'.repeat(512)])('"%s" is accepted as a token', (text) => {
  expect(parseToken(text).reveal()).toBe(text);
});

test.for([
  ['an empty text', ''],
  ['a space', 'a b'],
  ['a NUL, at which the keychain would cut it', 'abc\0def'],
  ['a line end in the middle', 'abc\ndef'],
  ['a letter outside ASCII', 'abcé'],
  ['a delete character', 'abc\x7f'],
  ['513 characters', 'a'.repeat(513)],
])('%s is rejected as a token, and the error does not quote it', ([, text]) => {
  expect(() => parseToken(text ?? '')).toThrow(coded('invalid-input'));
  if (text !== '') expect(() => parseToken(text ?? '')).not.toThrow(text);
});

test.for(['secret-token', 'secret-token\n', 'secret-token\r\n'])(
  'the token in a file with the content %j is read',
  async (text) => {
    fileWith(text);
    expect((await readTokenFile(path)).reveal()).toBe('secret-token');
  },
);

test('only one line end is removed from a token file', async () => {
  fileWith('secret-token\n\n');
  await expect(readTokenFile(path)).rejects.toEqual(coded('invalid-input'));
});

test.skipIf(process.platform === 'win32').for([0o640, 0o604, 0o644, 0o620])(
  'a token file of mode %o is rejected',
  async (mode) => {
    fileWith('secret-token', mode);
    await expect(readTokenFile(path)).rejects.toEqual(coded('token-unsafe-file'));
  },
);

test('a token file that is missing, too long or a folder is rejected', async () => {
  await expect(readTokenFile(path)).rejects.toEqual(coded('not-found'));
  fileWith('a'.repeat(515));
  await expect(readTokenFile(path)).rejects.toEqual(coded('token-unsafe-file'));
  mkdirSync(`${path}-folder`, { mode: 0o700 });
  await expect(readTokenFile(`${path}-folder`)).rejects.toEqual(coded('token-unsafe-file'));
});

test('a token is read from standard input in any number of pieces', async () => {
  expect(
    (await readTokenFromStdin(Readable.from([Buffer.from('secret-'), Buffer.from('token\n')]))).reveal(),
  ).toBe('secret-token');
  await expect(readTokenFromStdin(Readable.from([]))).rejects.toEqual(coded('invalid-input'));
});

test('an endless standard input is rejected before its end', async () => {
  function* endless() {
    for (;;) yield 'x'.repeat(100);
  }
  await expect(readTokenFromStdin(Readable.from(endless()))).rejects.toEqual(coded('invalid-input'));
});
