/** @file Reads typed or piped secrets other than tokens: addresses that grant access, and keys of storage. */
import { AppError } from '../../../../src-contract/errors.ts';
import { readPipe } from '../../../platform/token-source.ts';
import { readPassword } from './password.ts';
import type { TokenOptions } from '../running/session.ts';
import { usageError } from './options.ts';

const maxSecretLength = 16_384;

/** Reads a line, without echo on a terminal. Throws `invalid-input`; its message never contains the line. */
export async function readSecretLine(what: string, options: TokenOptions): Promise<string> {
  if (options.tokenStdin === true) {
    throw usageError(
      `Standard input has the ${what}: give the token with --token-file, in the environment or in the keychain.`,
    );
  }
  const { stdin } = process;
  const text = stdin.isTTY ? await readPassword(`${what}: `) : await readPipe(stdin, maxSecretLength + 2);
  const line = text.trim();
  if (line === '') throw new AppError('invalid-input', `Standard input has no ${what}.`);
  if (line.length > maxSecretLength || /[\p{Cc}\s]/u.test(line)) {
    throw new AppError('invalid-input', `The ${what} on standard input is not one line without spaces.`);
  }
  return line;
}
