/**
 * @file Texts that would run a script in a page that rendered them as anything but text. Each calls `hit(n)` when it
 * runs; `markPage` defines `hit`, which records the call.
 */
import type { Page } from 'playwright-core';

const shapes: ((run: string) => string)[] = [
  (run) => `<script>${run}</script>`,
  (run) => `"><script>${run}</script>`,
  (run) => `'><script>${run}</script>`,
  (run) => `</title><script>${run}</script>`,
  (run) => `</textarea><script>${run}</script>`,
  (run) => `</style><script>${run}</script>`,
  (run) => `--><script>${run}</script>`,
  (run) => `<scr<script>ipt>${run}</scr</script>ipt>`,
  (run) => `<ScRiPt>${run}</sCrIpT>`,
  (run) => `<script src="data:text/javascript,${run}"></script>`,
  (run) => `<script src="//127.0.0.1:9/${run}"></script>`,
  (run) => `<img src=x onerror=${run}>`,
  (run) => `<img src=x onerror="${run}">`,
  (run) => `"><img src=x onerror=${run}>`,
  (run) => `<img/src=x/onerror=${run}>`,
  (run) => `<IMG """><SCRIPT>${run}</SCRIPT>">`,
  (run) => `<svg onload=${run}>`,
  (run) => `<svg><script>${run}</script></svg>`,
  (run) => `<svg><animate onbegin=${run} attributeName=x dur=1s>`,
  (run) => `<svg><a xlink:href="javascript:${run}"><text x=20 y=20>x</text></a></svg>`,
  (run) => `<math><mtext><script>${run}</script></mtext></math>`,
  (run) => `<body onload=${run}>`,
  (run) => `<iframe src="javascript:${run}"></iframe>`,
  (run) => `<iframe srcdoc="<script>parent.${run}</script>"></iframe>`,
  (run) => `<object data="javascript:${run}"></object>`,
  (run) => `<embed src="javascript:${run}">`,
  (run) => `<a href="javascript:${run}">x</a>`,
  (run) => `javascript:${run}`,
  (run) => `<details open ontoggle=${run}>x</details>`,
  (run) => `<video><source onerror=${run}></video>`,
  (run) => `<audio src=x onerror=${run}>`,
  (run) => `<input autofocus onfocus=${run}>`,
  (run) => `<select autofocus onfocus=${run}></select>`,
  (run) => `<marquee onstart=${run}>x</marquee>`,
  (run) => `<form action="javascript:${run}"><button autofocus>x</button></form>`,
  (run) => `<base href="javascript:${run}//">`,
  (run) => `<meta http-equiv="refresh" content="0;url=javascript:${run}">`,
  (run) => `<style>@import "javascript:${run}";</style><p style="background:url(javascript:${run})">`,
  (run) => `{@html "<img src=x onerror=${run}>"}`,
  (run) => `\${${run}}{{constructor.constructor("${run}")()}}`,
];

export const scriptPayloads: readonly string[] = shapes.map((shape, at) => shape(`hit(${at})`));

/** Call this before the page is opened. */
export async function markPage(page: Page): Promise<void> {
  await page.addInitScript('window.hits = []; window.hit = (at) => { window.hits.push(at); };');
}

/** Returns the numbers of the payloads that ran. */
export async function payloadsThatRan(page: Page): Promise<number[]> {
  return await page.evaluate<number[]>('window.hits');
}
