/** @file A keychain in memory that fails at chosen calls. */
import { MemoryKeychain } from './memory-keychain.ts';

/**
 * While `isWell` is false, `ails` chooses the fault of each call: the call is refused, stores only the first
 * characters, or never returns.
 */
export class FailingKeychain extends MemoryKeychain {
  isWorking = true;
  faultOf: (call: string, account: string) => 'locked' | 'cuts' | 'hangs' | null = () => null;

  override async getPassword(service: string, account: string): Promise<string | null> {
    await this.#applyFault('get', account);
    return super.getPassword(service, account);
  }

  override async setPassword(service: string, account: string, password: string): Promise<void> {
    const fault = await this.#applyFault('set', account);
    await super.setPassword(service, account, fault === 'cuts' ? password.slice(0, 5) : password);
  }

  override async deletePassword(service: string, account: string): Promise<boolean> {
    await this.#applyFault('delete', account);
    return super.deletePassword(service, account);
  }

  async #applyFault(call: string, account: string): Promise<string | null> {
    const fault = this.isWorking ? null : this.faultOf(call, account);
    if (fault === 'locked') throw new Error('Cannot create an item in a locked collection');
    if (fault === 'hangs') await new Promise(() => undefined);
    return fault;
  }
}
