/** @file The window's own pages, served as `app://bundle/…` from the list of built files. Needs no Electron. */
import { readFile } from 'node:fs/promises';
import {
  contentSecurityPolicy as policyFor,
  securityHeaders,
  listBuiltFiles,
  mediaTypeOf,
} from '../page-bundle.ts';

export const scheme = 'app';
export const origin = `${scheme}://bundle`;
export const pageUrl = `${origin}/`;

export const contentSecurityPolicy = policyFor('none');

/** Maps a complete URL, exactly as it is requested, to the absolute path of its file. */
export type Bundle = ReadonlyMap<string, string>;

/** Lists the files below `folder` that have a known type; the page itself is also listed under `pageUrl`. */
export function listBundle(folder: string): Bundle {
  return new Map([...listBuiltFiles(folder)].map(([path, file]) => [origin + path, file]));
}

/** Returns the response to a request: 405 for a method other than GET, 404 for a URL outside the list. */
export async function respondFromBundle(
  bundle: Bundle,
  request: { readonly method: string; readonly url: string },
): Promise<Response> {
  if (request.method !== 'GET') return new Response(null, { status: 405 });
  // The fragment names the view. A reloaded page may send it.
  const file = bundle.get(request.url.replace(/#.*$/s, ''));
  if (file === undefined) return new Response(null, { status: 404 });
  return new Response(await readFile(file), {
    headers: { 'Content-Type': mediaTypeOf(file), ...securityHeaders(contentSecurityPolicy) },
  });
}
