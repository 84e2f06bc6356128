/** @file Searches the source of the product for code that must not be in it. `docs/security.md` gives the reasons. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');

/** Returns the sources by path, without comments, so that a comment may name forbidden code. */
function sources(pattern: string): Map<string, string> {
  const files = globSync(pattern, { cwd: root });
  expect(files.length).toBeGreaterThan(0);
  return new Map(
    files.map((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      const withoutComments = text
        .replace(/\/\*[\s\S]*?\*\//g, '')
        .replace(/<!--[\s\S]*?-->/g, '')
        .replace(/(^|\s)\/\/.*$/gm, '$1');
      return [file, withoutComments];
    }),
  );
}

const main = sources('src-main/**/*.ts');
const page = sources('src-renderer/**/*.{ts,svelte,html,css}');
const all = new Map([...main, ...page, ...sources('src-preload/**/*.ts')]);

const filesWith = (files: Map<string, string>, pattern: RegExp): string[] =>
  [...files].filter(([, text]) => pattern.test(text)).map(([file]) => file);

test('only one file creates windows, and nothing else shows pages', () => {
  expect(
    filesWith(main, /\bnew ([\w.]+\.)?(BrowserWindow|BaseWindow|WebContentsView|BrowserView)\b/),
  ).toEqual(['src-main/hosts/desktop/window/electron-window.ts']);
  expect(filesWith(all, /<webview|<iframe|@electron\/remote|createElement\('(webview|iframe)'\)/)).toEqual(
    [],
  );
});

test.each([
  ['switches of Chromium', /appendSwitch|appendArgument|commandLine\b|enableBlinkFeatures/],
  ['extensions and service workers', /loadExtension|serviceWorker|extensions\.load/],
  ['code that is sent into the page', /executeJavaScript|insertCSS|\.debugger\b/],
  ['pages from files', /\bloadFile\b|file:\/\//],
  [
    'own verification of certificates',
    /setCertificateVerifyProc|rejectUnauthorized:\s*false|NODE_TLS_REJECT/,
  ],
  ['files that the system opens', /\bopenPath\b/],
  ['links from other programs', /setAsDefaultProtocolClient|open-url|open-file/],
  ['crash reports', /crashReporter/],
  ['updater', /autoUpdater|electron-updater/],
  ['other protocol handler', /registerFileProtocol|interceptBufferProtocol|interceptFileProtocol|bypassCSP/],
])('the source contains no %s', (_what, pattern) => {
  expect(filesWith(all, pattern)).toEqual([]);
});

test('the sandbox and the scheme are set up before the app is ready', () => {
  const desktop = main.get('src-main/hosts/desktop.ts') ?? '';
  const order = ['app.enableSandbox()', 'registerSchemesAsPrivileged', 'denyByDefault(', 'start().catch'];
  const places = order.map((part) => desktop.lastIndexOf(part));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
});

test('other programs are started without a shell', () => {
  const imported = [...main.values()].flatMap((text) =>
    [...text.matchAll(/import \{([^}]*)\} from 'node:child_process'/g)].flatMap((match) =>
      (match[1] ?? '').split(',').map((name) => name.replace('type', '').trim()),
    ),
  );
  expect(imported.length).toBeGreaterThan(0);
  const allowed = ['execFile', 'fork', 'spawn', 'ChildProcess', 'ChildProcessByStdio'];
  expect(imported.filter((name) => name !== '' && !allowed.includes(name))).toEqual([]);
  expect(filesWith(main, /from '(node:)?child_process'/)).toEqual(
    filesWith(main, /\} from 'node:child_process'/),
  );
  expect(filesWith(main, /\bshell: (?!false)/)).toEqual([]);
});

describe('the page', () => {
  test.each([
    ['HTML from text', /\{@html|innerHTML|outerHTML|insertAdjacentHTML|setHTMLUnsafe|srcdoc|document\.write/],
    ['code from text', /\beval\(|new Function\(|setTimeout\(['"`]|javascript:/],
    ['static styles', /\sstyle="/],
  ])('creates no %s', (_what, pattern) => {
    expect(filesWith(page, pattern)).toEqual([]);
  });

  test('uses the network only in the folder of its bridge, which is for pages without a preload', () => {
    const files = filesWith(
      page,
      /(?<![.#\w])fetch\(|WebSocket\(|XMLHttpRequest|EventSource|sendBeacon|importScripts/,
    );
    expect(files.filter((file) => !file.startsWith('src-renderer/bridge/'))).toEqual([]);
  });
});
