/**
 * @file The window's own pages, served as `app://bundle/…` from a list of the files that were built. A URL is looked up
 * in that list as it stands; it is never turned into a path, so there is nothing to traverse. Needs no Electron.
 */
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';

export const scheme = 'app';
export const origin = `${scheme}://bundle`;
export const pageUrl = `${origin}/`;

/**
 * Nothing but what was built, no network, no frames, no inline code or style. Svelte creates the one trusted-types
 * policy that is named here.
 */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'none'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "frame-src 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types svelte-trusted-html',
].join('; ');

const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** A complete URL, exactly as it will be asked for, to the absolute path of its file. */
export type Bundle = ReadonlyMap<string, string>;

/** Lists the files below `folder` that have a known type; the page itself is also found under `pageUrl`. */
export function listBundle(folder: string): Bundle {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && extname(entry.name) in mediaTypes)
    .map((entry) => join(entry.parentPath, entry.name));
  const bundle = new Map(files.map((file) => [pageUrl + relative(folder, file).split(sep).join('/'), file]));
  const page = bundle.get(`${pageUrl}index.html`);
  if (page !== undefined) bundle.set(pageUrl, page);
  return bundle;
}

/** Answers one request: 405 for anything but GET, 404 for anything that is not in the list. */
export async function answerFromBundle(
  bundle: Bundle,
  request: { readonly method: string; readonly url: string },
): Promise<Response> {
  if (request.method !== 'GET') return new Response(null, { status: 405 });
  const file = bundle.get(request.url);
  if (file === undefined) return new Response(null, { status: 404 });
  return new Response(await readFile(file), {
    headers: {
      'Content-Type': mediaTypes[extname(file)] ?? '',
      'Content-Security-Policy': contentSecurityPolicy,
      'X-Content-Type-Options': 'nosniff',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
    },
  });
}
