// @ts-check
/**
 * @file Loads modules of the built product for measured processes, with their types. Plain JavaScript, because stripping types
 * would cost memory that the installed product does not need.
 *
 * @typedef {{
 *   'compose/compose.js': typeof import('../../src-main/compose/compose.ts');
 *   'archive/inspect.js': typeof import('../../src-main/archive/inspect.ts');
 *   'archive/read.js': typeof import('../../src-main/archive/read.ts');
 *   'archive/records/record-index.js': typeof import('../../src-main/archive/records/record-index.ts');
 *   'archive/store.js': typeof import('../../src-main/archive/store.ts');
 *   'bridge/transports/in-process.js': typeof import('../../src-main/bridge/transports/in-process.ts');
 *   'gitlab/http/client.js': typeof import('../../src-main/gitlab/http/client.ts');
 *   'gitlab/http/sender.js': typeof import('../../src-main/gitlab/http/sender.ts');
 *   'gitlab/transfers/exports.js': typeof import('../../src-main/gitlab/transfers/exports.ts');
 *   'gitlab/transfers/imports.js': typeof import('../../src-main/gitlab/transfers/imports.ts');
 *   'platform/clock.js': typeof import('../../src-main/platform/clock.ts');
 *   'platform/memory.js': typeof import('../../src-main/platform/memory.ts');
 *   'platform/token.js': typeof import('../../src-main/platform/token.ts');
 * }} BuiltModules
 */
import { pathToFileURL } from 'node:url';

/** URL of the built product's folder, with a final slash: `PACKHORSE_BENCH_OUT`, or the output of `npm run build`. */
export const builtFolder =
  process.env['PACKHORSE_BENCH_OUT'] === undefined
    ? new URL('../../out/', import.meta.url)
    : pathToFileURL(`${process.env['PACKHORSE_BENCH_OUT']}/`);

/**
 * @template {keyof BuiltModules} Path
 * @param {Path} path
 * @returns {Promise<BuiltModules[Path]>}
 */
export function load(path) {
  return import(new URL(`main/${path}`, builtFolder).href);
}
