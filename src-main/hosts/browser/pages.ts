/** @file The files of the window in memory, so that a build under way changes nothing, and the one page for strangers. */
import { readFile } from 'node:fs/promises';
import { AppError } from '../../../src-preload/contract/errors.ts';
import { contentSecurityPolicy, guardHeaders, listPages, mediaTypeOf } from '../page-bundle.ts';

/** What a request for one path is answered with. */
export interface Page {
  type: string;
  body: Buffer;
}

/** Every answer carries these. Scripts of the page reach the place that it came from, and nothing else. */
export const answerHeaders: Readonly<Record<string, string>> = {
  ...guardHeaders(contentSecurityPolicy('self')),
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
};

/** By path exactly as it is asked for. Throws `page-not-built` when `folder` holds no page. */
export async function readPages(folder: string): Promise<ReadonlyMap<string, Page>> {
  try {
    const pages = new Map<string, Page>();
    for (const [path, file] of listPages(folder)) {
      pages.set(path, { type: mediaTypeOf(file), body: await readFile(file) });
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

/**
 * For a browser without a session. `onItsWay`: it was sent here by a foreign place, from where browsers withhold the cookie,
 * also the one that it has just been given; when this page asks again, they send it.
 */
export function strangerPage(onItsWay: boolean): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <meta name="color-scheme" content="light dark">${onItsWay ? '\n    <meta http-equiv="refresh" content="0;url=/">' : ''}
    <title>Packhorse</title>
  </head>
  <body>
    <h1>Packhorse does not know this browser</h1>
    <p>Open the link that <code>packhorse serve</code> printed. It lets one browser in, once. For another, press Enter in
      the terminal where it runs, or start it again.</p>
  </body>
</html>
`;
}
