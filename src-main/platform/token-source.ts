/** @file Validates tokens that a user provides, and reads a token from a file or from standard input. */
import { open } from 'node:fs/promises';
import { AppError } from '../../src-contract/errors.ts';
import { diskError } from './disk/disk-errors.ts';
import { Token } from './token.ts';

const maxBytes = 512;

const tokenPattern = /^[!-~]{1,512}$/;

/** Returns whether a text can be a token. */
export const isToken = (text: string): boolean => tokenPattern.test(text);

/** Accepts 1 to 512 printable ASCII characters. Otherwise throws `invalid-input`, which does not quote the text. */
export function parseToken(text: string): Token {
  if (text === '') throw new AppError('invalid-input', 'The token is empty.');
  if (!isToken(text)) {
    throw new AppError('invalid-input', 'A token has 1 to 512 printable ASCII characters, without spaces.');
  }
  return new Token(text);
}

/**
 * Reads a token from a regular file that only its owner can read. Throws `token-unsafe-file`, `not-found`,
 * `disk-denied`, `invalid-input`. Windows has no such file modes.
 */
export async function readTokenFile(path: string): Promise<Token> {
  try {
    const file = await open(path, 'r');
    try {
      const stats = await file.stat();
      if (!stats.isFile()) throw unsafeFileError(path, 'it is not a regular file');
      if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0) {
        throw unsafeFileError(path, 'others can read it');
      }
      if (stats.size > maxBytes + 2) throw unsafeFileError(path, 'it is too long for a token');
      return parseToken(withoutLineEnd(await file.readFile('utf8')));
    } finally {
      await file.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      throw new AppError('not-found', 'The token file was not found.', { details: { path } });
    }
    throw diskError(error, path);
  }
}

/** Reads a token from the process's piped input, up to its end. */
export async function readTokenFromStdin(stdin: AsyncIterable<Buffer | string>): Promise<Token> {
  return parseToken(withoutLineEnd(await readPipe(stdin, maxBytes + 2)));
}

/** Reads piped input up to its end; a text of more than `maxLength` characters is not read further. */
export async function readPipe(stdin: AsyncIterable<Buffer | string>, maxLength: number): Promise<string> {
  let text = '';
  for await (const chunk of stdin) {
    text += chunk.toString();
    if (text.length > maxLength) break;
  }
  return text;
}

function withoutLineEnd(text: string): string {
  return text.replace(/\r?\n$/, '');
}

function unsafeFileError(path: string, why: string): AppError {
  return new AppError('token-unsafe-file', `The token file is not safe: ${why}.`, { details: { path, why } });
}
