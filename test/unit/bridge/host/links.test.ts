import { expect, test } from 'vitest';
import { openableLink } from '../../../../src-main/bridge/host/links.ts';

const instances = [
  { url: 'https://gitlab.example.com' },
  { url: 'https://forge.example.com:8443/gitlab' },
  { url: 'http://127.0.0.1:4000' },
];

test.each([
  'https://gitlab.example.com/group/project/-/issues?state=opened#top',
  'https://GitLab.Example.com/x',
  'https://gitlab.example.com:443/x',
  'https://forge.example.com:8443/gitlab/group/project',
  'http://127.0.0.1:4000/atlas/compass',
  'https://docs.gitlab.com/api/projects/',
])('%s is opened', (url) => {
  expect(openableLink(url, instances)).toBe(new URL(url).href);
});

test.each([
  ['another host', 'https://evil.example.com/'],
  ['a host with the same beginning', 'https://gitlab.example.com.evil.example/'],
  ['a host with the same end', 'https://evil-gitlab.example.com/'],
  ['another port', 'https://gitlab.example.com:8443/'],
  ['http for an https instance', 'http://gitlab.example.com/'],
  ['https for an http instance', 'https://127.0.0.1:4000/'],
  ['http for the documentation', 'http://docs.gitlab.com/'],
  ['a user name', 'https://gitlab.example.com@evil.example.com/'],
  ['a user name before a known host', 'https://me@gitlab.example.com/'],
  ['a password', 'https://me:secret@gitlab.example.com/'],
  ['a script', 'javascript:alert(1)'],
  ['a file', 'file:///etc/passwd'],
  ['a network share', 'smb://gitlab.example.com/share'],
  ['data', 'data:text/html,hello'],
  ['a backslash', 'https://gitlab.example.com\\@evil.example.com/'],
  ['a line break', 'https://gitlab.example.com/\r\nx'],
  ['a leading space', ' https://gitlab.example.com/'],
  ['a tab inside', 'ht\ttps://gitlab.example.com/'],
  ['a NUL', 'https://gitlab.example.com/\0'],
  ['a right-to-left override', 'https://gitlab.example.com/\u202Egnp.exe'],
  ['a relative address', '/group/project'],
  ['an empty address', ''],
  ['an address that is too long', `https://gitlab.example.com/${'x'.repeat(2_048)}`],
])('%s is refused', (_what, url) => {
  expect(() => openableLink(url, instances)).toThrow(expect.objectContaining({ code: 'link-refused' }));
});
