/** @file Where the window may go and what it may load; everything that is not listed is refused. Needs no Electron. */
import { origin, pageUrl } from '../bundle.ts';

/** The window shows one page and never leaves it; parts of the page are reached without navigation. */
export function mayNavigate(url: string): boolean {
  return url === pageUrl;
}

/** Every request of the window's session, whatever asked for it. `developer` adds Chromium's own developer tools. */
export function mayRequest(url: string, developer: boolean): boolean {
  return url.startsWith(`${origin}/`) || (developer && url.startsWith('devtools://'));
}
