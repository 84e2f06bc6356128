/** @file A keychain in memory, with the faults of real ones. */
import type { Keychain } from '../../../src-main/platform/credentials-keychain.ts';

export class MemoryKeychain implements Keychain {
  readonly entries = new Map<string, string>();
  /** Every call that was made, as `name account`. */
  readonly calls: string[] = [];
  /** Makes every call fail with this message; `hang` makes calls never return. */
  failure: string | null = null;
  hang = false;
  /** Changes a secret before it is stored. */
  transform = (secret: string): string => secret;

  async getPassword(service: string, account: string): Promise<string | null> {
    await this.#called('get', account);
    return this.entries.get(`${service}/${account}`) ?? null;
  }

  async setPassword(service: string, account: string, password: string): Promise<void> {
    await this.#called('set', account);
    this.entries.set(`${service}/${account}`, this.transform(password));
  }

  async deletePassword(service: string, account: string): Promise<boolean> {
    await this.#called('delete', account);
    return this.entries.delete(`${service}/${account}`);
  }

  async #called(name: string, account: string): Promise<void> {
    this.calls.push(`${name} ${account}`);
    if (this.hang) await new Promise(() => undefined);
    if (this.failure !== null) throw new Error(this.failure);
  }
}
