import { describe, expect, test } from 'vitest';
import { mayNavigate, mayRequest } from '../../../../../src-main/hosts/desktop/window/guards.ts';

const foreign = [
  'https://gitlab.example.com/',
  'http://127.0.0.1:8080/',
  'ws://127.0.0.1/',
  'wss://gitlab.example.com/',
  'ftp://example.com/',
  'file:///etc/passwd',
  'file://bundle/',
  'data:text/html,<script>1</script>',
  'blob:app://bundle/5a3c',
  'filesystem:app://bundle/temporary/x',
  'javascript:alert(1)',
  'vbscript:msgbox(1)',
  'about:blank',
  'about:srcdoc',
  'chrome://settings',
  'view-source:app://bundle/',
  'smb://host/share',
  'mailto:a@example.com',
  'ms-msdt:/id',
  'app://bundle.evil/',
  'app://bundle@evil/',
  'app://evil@bundle/',
  'app://bundle:80/',
  'app://bundle-evil/',
  'app://bundlee/',
  'app://xn--bndle-kva/',
  'app://BUNDLE/',
  'App://bundle/',
  'app:/bundle/',
  'app:\\\\bundle\\',
  'app://bundle\\@evil/',
  'app://bundle',
  ' app://bundle/',
  '//bundle/',
  '',
];

describe('the window never leaves its page', () => {
  test.each([
    ...foreign,
    'app://bundle/index.html',
    'app://bundle/other',
    'app://bundle/?a',
    'app://bundle//',
  ])('%j is refused', (url) => {
    expect(mayNavigate(url)).toBe(false);
  });
  test('its page may be loaded', () => {
    expect(mayNavigate('app://bundle/')).toBe(true);
  });
});

describe('nothing but our own files is requested', () => {
  test.each(foreign)('%j is refused', (url) => {
    expect(mayRequest(url, false)).toBe(false);
    expect(mayRequest(url, true)).toBe(false);
  });
  test('our files pass; the developer tools do for developers', () => {
    expect(mayRequest('app://bundle/assets/index.js', false)).toBe(true);
    expect(mayRequest('devtools://devtools/bundled/inspector.html', false)).toBe(false);
    expect(mayRequest('devtools://devtools/bundled/inspector.html', true)).toBe(true);
  });
});
