/**
 * @file Credentials as calls of plain data, so that the same rules can be tested in this process and in another one.
 */
import type { Credentials } from '../../../src-main/platform/credentials.ts';
import { Token } from '../../../src-main/platform/token.ts';
import { AppError } from '../../../src-contract/errors.ts';

export type KeychainCall =
  | { method: 'store'; instance: string; token: string }
  | { method: 'resolve'; instance: string }
  | { method: 'forget'; instance: string }
  | { method: 'probe' };

/** Resolves with the result of a call in one or two words (`keychain <token>`), or with its error code. */
export async function runKeychainCall(credentials: Credentials, call: KeychainCall): Promise<string> {
  try {
    switch (call.method) {
      case 'store':
        await credentials.store(call.instance, new Token(call.token));
        return 'done';
      case 'resolve': {
        const { token, source } = await credentials.resolve(call.instance);
        return `${source} ${token.reveal()}`;
      }
      case 'forget':
        await credentials.remove(call.instance);
        return 'done';
      case 'probe':
        return (await credentials.testKeychain())?.code ?? 'works';
    }
  } catch (error) {
    return AppError.from(error).code;
  }
}
