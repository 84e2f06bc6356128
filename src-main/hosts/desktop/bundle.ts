/**
 * @file The window's own pages, served as `app://bundle/…` from the list of the files that were built. A URL is looked up
 * in that list as it stands. Needs no Electron.
 */
import { readFile } from 'node:fs/promises';
import { contentSecurityPolicy as policyFor, guardHeaders, listPages, mediaTypeOf } from '../page-bundle.ts';

export const scheme = 'app';
export const origin = `${scheme}://bundle`;
export const pageUrl = `${origin}/`;

/** The window has no network at all. */
export const contentSecurityPolicy = policyFor('none');

/** A complete URL, exactly as it will be asked for, to the absolute path of its file. */
export type Bundle = ReadonlyMap<string, string>;

/** Lists the files below `folder` that have a known type; the page itself is also found under `pageUrl`. */
export function listBundle(folder: string): Bundle {
  return new Map([...listPages(folder)].map(([path, file]) => [origin + path, file]));
}

/** Answers one request: 405 for anything but GET, 404 for anything that is not in the list. */
export async function answerFromBundle(
  bundle: Bundle,
  request: { readonly method: string; readonly url: string },
): Promise<Response> {
  if (request.method !== 'GET') return new Response(null, { status: 405 });
  // The view stands in the fragment; a page that is loaded again may still bring it.
  const file = bundle.get(request.url.replace(/#.*$/s, ''));
  if (file === undefined) return new Response(null, { status: 404 });
  return new Response(await readFile(file), {
    headers: { 'Content-Type': mediaTypeOf(file), ...guardHeaders(contentSecurityPolicy) },
  });
}
