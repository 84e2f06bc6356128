import { inspect } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { redact, registerSecret } from '../../../src-main/platform/redact.ts';

const secret = 'S3cr3t-Value_0815';

test.for([
  ['a header', `PRIVATE-TOKEN: ${secret}`],
  ['a header of curl', `-H "Private-Token: ${secret}" https://x`],
  ['an object of headers', inspect({ headers: { 'private-token': secret, accept: '*/*' } })],
  ['raw headers', inspect({ rawHeaders: ['PRIVATE-TOKEN', secret] })],
  ['JSON', JSON.stringify({ headers: { Authorization: `Bearer ${secret}` } })],
  ['JSON inside JSON', JSON.stringify({ body: JSON.stringify({ runners_token: secret }) })],
  [
    'JSON inside JSON inside JSON',
    JSON.stringify({ a: JSON.stringify({ b: JSON.stringify({ secret_access_key: secret }) }) }),
  ],
  ['basic authorization', `authorization: Basic ${secret}==`],
  ['a proxy header', `proxy-authorization=${secret}`],
  ['a cookie', `set-cookie: _gitlab_session=${secret}; path=/`],
  ['user information of a URL', `GET https://user:${secret}@gitlab.example/x`],
  ['a token as user of a URL', `https://${secret}@gitlab.example/x`],
  ['a query', `https://gitlab.example/x?private_token=${secret}&page=2`],
  ['a signed URL', `https://s3.example/x?X-Amz-Date=1&X-Amz-Signature=${secret}&X-Amz-Credential=${secret}`],
  ['a signed URL of Google', `https://storage.example/x?Signature=${secret}`],
  [
    'S3 parameters',
    inspect({ aws_access_key: secret, secret_access_key: secret, aws_secret_access_key: secret }),
  ],
  ['an import request', `{"access_token":"${secret}","feed_token":"${secret}"}`],
  ['an OAuth response', `access_token=${secret};refresh_token=${secret}`],
  ['a password', inspect({ password: secret })],
])('the secret in %s is hidden', ([, text]) => {
  expect(redact(text ?? '')).not.toContain(secret);
});

test.for([
  'glpat-abcdefgh12345678wxyz',
  'gldt-abcdefgh12345678',
  'glrt-t1_abcdefgh12345678',
  'glptt-0123456789abcdef',
])('the token %s is recognised by its format', (token) => {
  expect(redact(`what is ${token}?`)).toBe('what is ***?');
});

test.for([
  'the token was refused (401)',
  '{"level":30,"time":"2026-11-20T12:00:00.000Z","pid":1,"msg":"job changed","job":"1k7s60df4jphjh3j"}',
  'https://gitlab.example/group/project?page=2&per_page=100',
  'glacier and globe are words, glpat- alone is too',
])('"%s" is not changed', (text) => {
  expect(redact(text)).toBe(text);
});

test('a line of JSON is still JSON after its secrets are hidden', () => {
  const line = JSON.stringify({
    level: 30,
    headers: { 'private-token': secret, cookie: 'a=b; c="d"' },
    msg: 'x',
  });
  expect(JSON.parse(redact(line))).toEqual({ level: 30, headers: expect.anything() as unknown, msg: 'x' });
});

/** Any token that `checkToken` accepts and that is long enough to be registered. */
const tokens = fc
  .array(fc.integer({ min: 0x21, max: 0x7e }), { minLength: 8, maxLength: 60 })
  .map((codes) => String.fromCharCode(...codes));

const carriers: Record<string, (token: string, before: string, after: string) => string> = {
  text: (token, before, after) => before + token + after,
  'the stack of an error': (token, before, after) => String(new Error(before + token + after).stack),
  'an inspected error': (token, before, after) =>
    inspect(new Error(before, { cause: Object.assign(new Error(token), { options: { [after]: token } }) }), {
      depth: 9,
    }),
  'an inspected object': (token, before, after) =>
    inspect({ [before]: [token, { [token]: after }] }, { depth: 9 }),
  JSON: (token, before, after) => JSON.stringify({ [before]: { [after]: token, nested: [token] } }),
  'JSON inside JSON': (token, before) => JSON.stringify({ body: JSON.stringify({ [before]: token }) }),
  'a URL': (token) => `https://gitlab.example/?x=${encodeURIComponent(token)}`,
  'a URL object': (token) => String(Object.assign(new URL('https://gitlab.example/'), { search: token })),
  base64: (token, before, after) => Buffer.from(before + token + after).toString('base64'),
  base64url: (token, before) => Buffer.from(before + token).toString('base64url'),
  hexadecimal: (token) => Buffer.from(token).toString('hex'),
};

test.for(Object.keys(carriers))('a registered token is hidden in %s', (name) => {
  fc.assert(
    fc.property(
      tokens,
      fc.string({ maxLength: 12 }),
      fc.string({ maxLength: 12 }),
      (token, before, after) => {
        registerSecret(token);
        const carrier = carriers[name]?.(token, before, after) ?? '';
        const clean = redact(carrier);
        const bytes = Buffer.from(token);
        const spellings = [
          token,
          encodeURIComponent(token),
          JSON.stringify(token).slice(1, -1),
          bytes.toString('hex'),
        ];
        for (const spelling of spellings) expect(clean).not.toContain(spelling);
        if (name.startsWith('base64')) {
          expect(Buffer.from(clean.replaceAll('***', ''), 'base64').toString('latin1')).not.toContain(token);
        }
      },
    ),
    { numRuns: 150 },
  );
});
