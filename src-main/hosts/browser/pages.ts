/** @file The files of the window, read once, and the one page for clients without a session. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { AppError } from '../../../src-contract/errors.ts';
import { contentSecurityPolicy, securityHeaders, listBuiltFiles, mediaTypeOf } from '../page-bundle.ts';

export interface PageFile {
  mediaType: string;
  body: Buffer;
}

/** The headers of every reply. Scripts of the page can connect only to the server of the page. */
export const responseHeaders: Readonly<Record<string, string>> = {
  ...securityHeaders(contentSecurityPolicy('self')),
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
};

/** Returns the pages, keyed by the exact path of the request. Throws `page-not-built` if `folder` has no page. */
export async function readPageFiles(folder: string): Promise<ReadonlyMap<string, PageFile>> {
  try {
    const pages = new Map<string, PageFile>();
    for (const [path, file] of listBuiltFiles(folder)) {
      pages.set(path, { mediaType: mediaTypeOf(file), body: await readFile(file) });
    }
    if (!pages.has('/')) throw new Error('index.html is missing');
    return pages;
  } catch (cause) {
    throw new AppError('page-not-built', 'The pages of the window have not been built.', {
      details: { path: folder },
      cause,
    });
  }
}

const unknownClientStyle = `
      :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
      body { max-width: 34rem; margin: 18vh auto 0; padding: 0 1.5rem; }
      h1 { font-size: 1.375rem; line-height: 1.3; }
    `;

/** The page for clients without a session runs no script and loads nothing. Its only style is allowed by its hash. */
export const unknownClientHeaders: Readonly<Record<string, string>> = {
  ...responseHeaders,
  'Content-Security-Policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(unknownClientStyle).digest('base64')}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
};

/**
 * The page for a browser without a session. If another site sent the browser here (`isFromOtherSite`), the browser
 * sends no cookies, not even the one that it just received. The page then reloads itself, because the browser then
 * sends the cookie.
 */
export function unknownClientPage(isFromOtherSite: boolean): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">${isFromOtherSite ? '\n    <meta http-equiv="refresh" content="0;url=/">' : ''}
    <title>Packhorse</title>
    <link rel="icon" href="data:,">
    <style>${unknownClientStyle}</style>
  </head>
  <body>
    <h1>Packhorse does not know this browser</h1>
    <p>Open the link that <code>packhorse serve</code> printed. It lets one browser in, once.</p>
    <p>For another link, press Enter in the terminal where Packhorse runs, or start Packhorse again.</p>
  </body>
</html>
`;
}
