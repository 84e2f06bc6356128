/**
 * @file Replaces keytar in programs that a test starts: the tokens are in a file that the test can read. While a file
 * of the same name with `.locked` exists, new tokens are refused. `keytarInFile` makes a program use it.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';

const variable = 'PACKHORSE_TEST_KEYCHAIN';

export class KeychainFile {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
    if (!existsSync(path)) this.#write({});
  }

  get entries(): Record<string, string> {
    return JSON.parse(readFileSync(this.#path, 'utf8')) as Record<string, string>;
  }

  #write(entries: Record<string, string>): void {
    writeFileSync(this.#path, JSON.stringify(entries));
  }

  getPassword(service: string, account: string): Promise<string | null> {
    return Promise.resolve(this.entries[`${service}/${account}`] ?? null);
  }

  setPassword(service: string, account: string, password: string): Promise<void> {
    if (account.endsWith('#pending') && existsSync(`${this.#path}.locked`)) {
      return Promise.reject(new Error('Cannot create an item in a locked collection'));
    }
    this.#write({ ...this.entries, [`${service}/${account}`]: password });
    return Promise.resolve();
  }

  deletePassword(service: string, account: string): Promise<boolean> {
    const { [`${service}/${account}`]: gone, ...rest } = this.entries;
    this.#write(rest);
    return Promise.resolve(gone !== undefined);
  }
}

/** Returns the environment with which a program and its children use a keychain in that folder. */
export function keytarInFile(folder: string): { env: Record<string, string>; path: string } {
  const path = join(folder, 'keychain.json');
  return { path, env: { [variable]: path, NODE_OPTIONS: `--import ${import.meta.url}` } };
}

const keychainPath = process.env[variable];
if (keychainPath !== undefined) {
  registerHooks({
    resolve: (name, context, next) =>
      name === 'keytar' ? { url: `${import.meta.url}?keytar`, shortCircuit: true } : next(name, context),
  });
}

/** The module that a program gets for `import 'keytar'`. @public */
export default keychainPath === undefined ? null : new KeychainFile(keychainPath);
