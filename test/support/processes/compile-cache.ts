/** @file Where Node keeps what it compiled, for every process that the tests start: half of a start is compiling. */
import { join, resolve } from 'node:path';

const repository = resolve(import.meta.dirname, '../../..');

/** The value of `NODE_COMPILE_CACHE` for what is started from source. It stays from run to run. */
export const compileCache = join(repository, 'node_modules/.cache/packhorse-tests');

/**
 * The same for an entry of the product, `src-main/hosts/….ts` or `out/main/hosts/….js`: a build stands somewhere else in every
 * run, so what is compiled of it is kept beside it and goes with it; but for one that stands in the checkout.
 */
export function compileCacheOf(entry: string): string {
  return entry.startsWith(repository) ? compileCache : resolve(entry, '../../../../compile-cache');
}
