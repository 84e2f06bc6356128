/** @file The compile cache of Node for every process that the tests start: half of a start is compilation. */
import { join, resolve } from 'node:path';

const repository = resolve(import.meta.dirname, '../../..');

/** The value of `NODE_COMPILE_CACHE` for processes that are started from source. The cache is kept between runs. */
export const compileCache = join(repository, 'node_modules/.cache/packhorse-tests');

/**
 * Returns the value for an entry of the product, `src-main/hosts/….ts` or `out/main/hosts/….js`. A build is in another
 * folder in every run, so its cache is next to it and removed with it, except for a build in the checkout.
 */
export function compileCacheOf(entry: string): string {
  return entry.startsWith(repository) ? compileCache : resolve(entry, '../../../../compile-cache');
}
