import { expect, test } from 'vitest';
import { AppError } from '../../../../src-contract/errors.ts';
import { scrub, scrubError } from '../../../../src-main/gitlab/http/scrub.ts';

test.each([
  ['the token my-token-1 is bad', 'the token *** is bad'],
  ['glpat-abcDEF_12345-x and gloas-0123456789', '*** and ***'],
  ['glpat-abcdefgh.01.ab12cd34z', '***'],
  ['see https://s3.example.com/b/k?X-Amz-Signature=abc&x=1 now', 'see https://s3.example.com/b/k?*** now'],
  ['glad to-help, gitlab-runner', 'glad to-help, gitlab-runner'],
])('"%s" becomes "%s"', (text, clean) => {
  expect(scrub(text, ['my-token-1'])).toBe(clean);
});

test('a token that would be cut in half by shortening is found before', () => {
  const serverMessage = `${'x'.repeat(495)}my-token-1`;
  const clean = scrubError(new AppError('internal', 'm', { details: { serverMessage } }), ['my-token-1']);

  expect((clean as AppError).details['serverMessage']).toBe(`${'x'.repeat(495)}***`);
});

test('long words of a server are cut', () => {
  const error = new AppError('internal', 'm', { details: { serverMessage: 'x'.repeat(9000) } });

  expect(String((scrubError(error, []) as AppError).details['serverMessage']).length).toBe(501);
});

test('a clean error stays itself; an unclean one loses its cause', () => {
  const clean = new AppError('internal', 'm', { cause: new Error('my-token-2') });
  const unclean = new AppError('internal', 'my-token-1', { cause: new Error('my-token-1'), retry: 'later' });

  expect(scrubError(clean, ['my-token-1'])).toBe(clean);
  const copy = scrubError(unclean, ['my-token-1']);
  expect(copy).toMatchObject({ message: '***', retry: 'later' });
  expect(copy).not.toHaveProperty('cause');
});
