/** @file Child process of `keychain-child-process.ts` that calls keytar. Ends with its parent, even during a call. */
import { AppError } from '../../src-contract/errors.ts';
import { loadKeytar } from './credentials-keychain.ts';
import type { KeychainReply, KeychainRequest } from './keychain-child-process.ts';

async function handleRequest({
  id,
  method,
  entry: account,
  password,
}: KeychainRequest): Promise<KeychainReply> {
  try {
    const keytar = await loadKeytar();
    const value = await (method === 'setPassword'
      ? keytar.setPassword(...account, password)
      : keytar[method](...account));
    return { id, value };
  } catch (error) {
    return { id, error: AppError.from(error).toData() };
  }
}

process.on('message', (request: KeychainRequest) => {
  void handleRequest(request).then((reply) => process.send?.(reply));
});
// Ctrl-C in a terminal interrupts both processes; the parent may still need the keychain.
process.on('SIGINT', () => undefined);
process.on('disconnect', () => {
  process.kill(process.pid, 'SIGKILL');
});
