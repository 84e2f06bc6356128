import { expect, test } from 'vitest';
import { AppError } from '../../../../src-contract/errors.ts';
import { errorFromThrown } from '../../../../src-main/gitlab/http/network-errors.ts';

const failedRequest = {
  host: 'gitlab.example.com:8443',
  proxy: null,
  fingerprint: 'AB:CD',
  details: { project: 'g/n' },
};

test.each([
  ['ENOTFOUND', 'address-unknown', 'later'],
  ['EAI_AGAIN', 'address-unknown', 'later'],
  ['ECONNREFUSED', 'connection-refused', 'later'],
  ['ENETUNREACH', 'connection-refused', 'later'],
  ['EHOSTUNREACH', 'connection-refused', 'later'],
  ['ETIMEDOUT', 'timeout', 'later'],
  ['ECONNRESET', 'connection-lost', 'later'],
  ['EPIPE', 'connection-lost', 'later'],
  ['ERR_HTTP_CONTENT_LENGTH_MISMATCH', 'connection-lost', 'later'],
  ['ERR_STREAM_PREMATURE_CLOSE', 'connection-lost', 'later'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate-untrusted', 'never'],
  ['CERT_NOT_YET_VALID', 'certificate-untrusted', 'never'],
  ['CERT_SIGNATURE_FAILURE', 'certificate-untrusted', 'never'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'not-gitlab', 'never'],
  ['EPROTO', 'not-gitlab', 'never'],
  ['HPE_INVALID_CONSTANT', 'not-gitlab', 'never'],
  ['HPE_HEADER_OVERFLOW', 'response-too-large', 'never'],
  ['HPE_INVALID_CHUNK_SIZE', 'unexpected-response', 'later'],
  ['ERR_INVALID_CHAR', 'internal', 'never'],
  [undefined, 'internal', 'never'],
])('the network error %s has the code %s and the retry advice "%s"', (code, expected, retry) => {
  const error = errorFromThrown(Object.assign(new Error('x'), { code }), failedRequest);

  expect(error).toMatchObject({
    code: expected,
    retry,
    details: { host: failedRequest.host, project: 'g/n' },
  });
  expect(error).not.toHaveProperty('cause');
});

test('a timeout error contains the phase that timed out', () => {
  const thrown = Object.assign(new Error('x'), { code: 'ETIMEDOUT', event: 'connect' });

  expect(errorFromThrown(thrown, failedRequest)).toMatchObject({
    code: 'timeout',
    details: { phase: 'connect' },
  });
});

test('an AppError that aborted the request is returned itself', () => {
  const abortReason = new AppError('archive-changed', 'x');

  expect(errorFromThrown(new Error('x', { cause: abortReason }), failedRequest)).toBe(abortReason);
});
