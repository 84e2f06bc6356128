/**
 * @file The list of the window's built files, and the headers of the replies, for every host that serves them. A
 * requested path is looked up in that list unchanged and never turned into a file path, so traversal is impossible.
 */
import { readdirSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';

/** Maps a path exactly as it is requested, beginning with `/`, to the absolute path of its file. */
export type PageBundle = ReadonlyMap<string, string>;

const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** Lists the files of known types; `index.html` is also listed under `/`. Throws if the folder is missing. */
export function listBuiltFiles(folder: string): PageBundle {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && extname(entry.name) in mediaTypes)
    .map((entry) => join(entry.parentPath, entry.name));
  const pages = new Map(files.map((file) => [`/${relative(folder, file).split(sep).join('/')}`, file]));
  const page = pages.get('/index.html');
  if (page !== undefined) pages.set('/', page);
  return pages;
}

/**
 * Allows only built files: no frames, no inline code or style. `connect` allows network access to the page's own
 * server, or none. Svelte creates the one trusted-types policy in this list.
 */
export function contentSecurityPolicy(connect: 'none' | 'self'): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src '${connect}'`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "frame-src 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types svelte-trusted-html',
  ].join('; ');
}

/** The headers of every reply with our own content; `policy` is the result of `contentSecurityPolicy`. */
export function securityHeaders(policy: string): Record<string, string> {
  return {
    'Content-Security-Policy': policy,
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
  };
}

export function mediaTypeOf(file: string): string {
  return mediaTypes[extname(file)] ?? '';
}
