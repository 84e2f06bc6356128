/** @file Where Node keeps what it compiled, for every process that the tests start: half of a start is compiling. */
import { join } from 'node:path';

/** The value of `NODE_COMPILE_CACHE` for what is started from source. It stays from run to run. */
export const compileCache = join(import.meta.dirname, '../../node_modules/.cache/packhorse-tests');
