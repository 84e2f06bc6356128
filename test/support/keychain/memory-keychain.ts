/** @file A keychain in memory, and the ways in which real ones misbehave. */
import type { Keychain } from '../../../src-main/platform/credentials-keychain.ts';

export class MemoryKeychain implements Keychain {
  readonly entries = new Map<string, string>();
  /** Every call that was made, as `name account`. */
  readonly calls: string[] = [];
  /** Makes every call fail with this message; `hang` makes them never answer. */
  failure: string | null = null;
  hang = false;
  /** What becomes of a secret on its way in. */
  mangle = (secret: string): string => secret;

  async getPassword(service: string, account: string): Promise<string | null> {
    await this.#called('get', account);
    return this.entries.get(`${service}/${account}`) ?? null;
  }

  async setPassword(service: string, account: string, password: string): Promise<void> {
    await this.#called('set', account);
    this.entries.set(`${service}/${account}`, this.mangle(password));
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
