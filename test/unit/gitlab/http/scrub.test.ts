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

test('a token is hidden before the text is shortened, so that no half of it remains', () => {
  const serverMessage = `${'x'.repeat(495)}my-token-1`;
  const clean = scrubError(new AppError('internal', 'm', { details: { serverMessage } }), ['my-token-1']);

  expect((clean as AppError).details['serverMessage']).toBe(`${'x'.repeat(495)}***`);
});

test('a long server message is shortened', () => {
  const error = new AppError('internal', 'm', { details: { serverMessage: 'x'.repeat(9000) } });

  expect(String((scrubError(error, []) as AppError).details['serverMessage']).length).toBe(501);
});

test('an error whose text has no secret is returned itself; otherwise a clean copy without the cause is returned', () => {
  const clean = new AppError('internal', 'm', { cause: new Error('my-token-2') });
  const unclean = new AppError('internal', 'my-token-1', { cause: new Error('my-token-1'), retry: 'later' });

  expect(scrubError(clean, ['my-token-1'])).toBe(clean);
  const copy = scrubError(unclean, ['my-token-1']);
  expect(copy).toMatchObject({ message: '***', retry: 'later' });
  expect(copy).not.toHaveProperty('cause');
});
