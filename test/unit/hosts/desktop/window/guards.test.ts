import { describe, expect, test } from 'vitest';
import { mayNavigate, mayRequest } from '../../../../../src-main/hosts/desktop/window/guards.ts';

const otherUrls = [
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
    ...otherUrls,
    'app://bundle/index.html',
    'app://bundle/other',
    'app://bundle/?a',
    'app://bundle//',
  ])('%j is rejected', (url) => {
    expect(mayNavigate(url)).toBe(false);
  });
  test('its own page is allowed', () => {
    expect(mayNavigate('app://bundle/')).toBe(true);
  });
});

describe("the window requests only the program's own files", () => {
  test.each(otherUrls)('%j is rejected', (url) => {
    expect(mayRequest(url, false)).toBe(false);
    expect(mayRequest(url, true)).toBe(false);
  });
  test("the program's own files are allowed, and the developer tools only for developers", () => {
    expect(mayRequest('app://bundle/assets/index.js', false)).toBe(true);
    expect(mayRequest('devtools://devtools/bundled/inspector.html', false)).toBe(false);
    expect(mayRequest('devtools://devtools/bundled/inspector.html', true)).toBe(true);
  });
});
