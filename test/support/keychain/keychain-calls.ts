/** @file Credentials as calls of plain data, so that the same rules can be put to this process and to another one. */
import type { Credentials } from '../../../src-main/platform/credentials.ts';
import { Token } from '../../../src-main/platform/token.ts';
import { AppError } from '../../../src-contract/errors.ts';

export type KeychainCall =
  | { method: 'store'; instance: string; token: string }
  | { method: 'resolve'; instance: string }
  | { method: 'forget'; instance: string }
  | { method: 'probe' };

/** What a call gave, as one word or two (`keychain <token>`), or the code of its error. */
export async function answerKeychainCall(credentials: Credentials, call: KeychainCall): Promise<string> {
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
        await credentials.forget(call.instance);
        return 'done';
      case 'probe':
        return (await credentials.probe())?.code ?? 'works';
    }
  } catch (error) {
    return AppError.from(error).code;
  }
}
