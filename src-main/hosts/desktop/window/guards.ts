/** @file Decides where the window may navigate and what it may load. Everything else is refused. Needs no Electron. */
import { origin, pageUrl } from '../bundle.ts';

/** The window shows one page and never leaves it; views of the page need no navigation. */
export function mayNavigate(url: string): boolean {
  return url === pageUrl;
}

/** Decides every request of the window's session. `allowDevTools` also allows Chromium's own developer tools. */
export function mayRequest(url: string, allowDevTools: boolean): boolean {
  return url.startsWith(`${origin}/`) || (allowDevTools && url.startsWith('devtools://'));
}
