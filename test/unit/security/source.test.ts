/** @file What must not stand anywhere in the source of the product, found by reading it. `docs/security.md` says why. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');

/** By path, without comments, so that they may name what is not done. */
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

const holding = (files: Map<string, string>, what: RegExp): string[] =>
  [...files].filter(([, text]) => what.test(text)).map(([file]) => file);

test('one place makes windows, and nothing else shows pages', () => {
  expect(holding(main, /\bnew ([\w.]+\.)?(BrowserWindow|BaseWindow|WebContentsView|BrowserView)\b/)).toEqual([
    'src-main/hosts/desktop/window/electron-window.ts',
  ]);
  expect(holding(all, /<webview|<iframe|@electron\/remote|createElement\('(webview|iframe)'\)/)).toEqual([]);
});

test.each([
  ['switches of Chromium', /appendSwitch|appendArgument|commandLine\b|enableBlinkFeatures/],
  ['extensions and service workers', /loadExtension|serviceWorker|extensions\.load/],
  ['code that is sent into the page', /executeJavaScript|insertCSS|\.debugger\b/],
  ['pages from files', /\bloadFile\b|file:\/\//],
  [
    'an own judgement of certificates',
    /setCertificateVerifyProc|rejectUnauthorized:\s*false|NODE_TLS_REJECT/,
  ],
  ['files of anybody opened by the system', /\bopenPath\b/],
  ['links of other programs to this one', /setAsDefaultProtocolClient|open-url|open-file/],
  ['crash reports', /crashReporter/],
  ['an updater', /autoUpdater|electron-updater/],
  [
    'another protocol handler',
    /registerFileProtocol|interceptBufferProtocol|interceptFileProtocol|bypassCSP/,
  ],
])('there is no place for %s', (_what, pattern) => {
  expect(holding(all, pattern)).toEqual([]);
});

test('the sandbox and the scheme are set up before anything is ready', () => {
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
  expect(holding(main, /from '(node:)?child_process'/)).toEqual(
    holding(main, /\} from 'node:child_process'/),
  );
  expect(holding(main, /\bshell: (?!false)/)).toEqual([]);
});

describe('the page', () => {
  test.each([
    ['HTML from text', /\{@html|innerHTML|outerHTML|insertAdjacentHTML|setHTMLUnsafe|srcdoc|document\.write/],
    ['code from text', /\beval\(|new Function\(|setTimeout\(['"`]|javascript:/],
    ['static styles', /\sstyle="/],
  ])('makes no %s', (_what, pattern) => {
    expect(holding(page, pattern)).toEqual([]);
  });

  test('reaches for the network in the folder of its bridge only, where there is no preload', () => {
    const files = holding(
      page,
      /(?<![.#\w])fetch\(|WebSocket\(|XMLHttpRequest|EventSource|sendBeacon|importScripts/,
    );
    expect(files.filter((file) => !file.startsWith('src-renderer/bridge/'))).toEqual([]);
  });
});
