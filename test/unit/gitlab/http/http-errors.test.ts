import { describe, expect, test } from 'vitest';
import { defaultRetryAfterMs, maxDownloadPauseMs } from '../../../../src-contract/retry-after.ts';
import {
  errorFromResponse,
  retryAfterMs,
  type RequestSubject,
} from '../../../../src-main/gitlab/http/http-errors.ts';

const now = Date.UTC(2026, 10, 20, 12);

function errorOf(status: number, body: unknown, subject: RequestSubject = 'other', headers = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return errorFromResponse(
    { status, headers, body: text },
    {
      method: 'GET',
      url: 'https://gitlab.example.com/api/v4/x',
      subject,
      requiredCapabilities: [],
      featureFlag: null,
      now,
      details: { project: 'g/n' },
    },
  );
}

const tokenErrorBody = (description: string) => ({ error: 'invalid_token', error_description: description });

describe('the error of a response', () => {
  test.each([
    [401, { message: '401 Unauthorized' }, 'other', 'token-invalid'],
    [
      401,
      tokenErrorBody('Token is expired. You can either do re-authorization or token refresh.'),
      'other',
      'token-expired',
    ],
    [
      401,
      tokenErrorBody('Token was revoked. You have to re-authorize from the user.'),
      'other',
      'token-revoked',
    ],
    [
      401,
      tokenErrorBody('Token is an impersonation token but impersonation was disabled.'),
      'other',
      'token-invalid',
    ],
    [403, { error: 'insufficient_scope', scope: 'api read_api' }, 'export', 'token-scope'],
    [403, { error: 'insufficient_granular_scope' }, 'other', 'token-scope'],
    [403, { message: '403 Forbidden - Your account has been blocked.' }, 'import', 'account-blocked'],
    [
      403,
      { message: '403 Forbidden - Your account has been deactivated by your administrator.' },
      'other',
      'account-blocked',
    ],
    [
      403,
      { message: '403 Forbidden - Your password expired. Please access GitLab from a web browser.' },
      'other',
      'account-blocked',
    ],
    [403, { message: '403 Forbidden' }, 'other', 'forbidden'],
    [403, { message: '403 Forbidden' }, 'export', 'role-too-low'],
    [403, { message: '403 Forbidden' }, 'export-download', 'role-too-low'],
    [403, { message: '403 Forbidden' }, 'import', 'import-disabled'],
    [404, { message: '404 Project Not Found' }, 'other', 'project-missing'],
    [404, { message: '404 Project Not Found' }, 'export', 'project-missing'],
    [404, { message: '404 Project Not Found' }, 'export-download', 'project-missing'],
    [404, { message: '404 Not found' }, 'project', 'project-missing'],
    [404, { message: '404 Not Found' }, 'export', 'export-refused'],
    [404, { message: '404 Not found or has expired' }, 'export-download', 'export-gone'],
    [404, { message: '404 Namespace Not Found' }, 'import', 'namespace-missing'],
    [404, { message: '404 Namespace Not Found' }, 'namespace', 'namespace-missing'],
    [404, { error: '404 Not Found' }, 'other', 'not-found'],
    [405, { message: '405 Non GET methods are not allowed for moved projects' }, 'other', 'project-moved'],
    [405, { error: 'Offset pagination has a maximum allowed offset of 50000' }, 'other', 'request-refused'],
    [400, { message: 'The project size exceeds the export limit.' }, 'export', 'export-refused'],
    [400, { message: 'Path has already been taken' }, 'import', 'path-taken'],
    [400, { message: 'Project namespace name has already been taken' }, 'import', 'path-taken'],
    [400, { message: 'Name has already been taken' }, 'import', 'name-taken'],
    [400, { message: { name: ['has already been taken'] } }, 'project', 'name-taken'],
    [
      400,
      { message: { name: ['has already been taken'], path: ['has already been taken'] } },
      'project',
      'path-taken',
    ],
    [400, { message: 'User is not allowed to import projects' }, 'import', 'import-refused'],
    [400, { error: 'file is missing' }, 'import', 'import-refused'],
    [
      422,
      { message: { error: 'You need to upload a GitLab project export archive (ending in .gz).' } },
      'import',
      'import-refused',
    ],
    [400, { error: 'per_page does not have a valid value' }, 'other', 'request-refused'],
    [412, { message: '412 Precondition Failed' }, 'other', 'request-refused'],
    [413, 'Request Entity Too Large', 'import', 'upload-too-large'],
    [413, '<html>413</html>', 'import', 'upload-too-large'],
    [
      429,
      { message: { error: 'This endpoint has been requested too many times.' } },
      'other',
      'rate-limited',
    ],
    [429, 'Retry later\n', 'other', 'rate-limited'],
    [429, '<html>429</html>', 'import', 'rate-limited'],
    [500, { message: '500 Internal Server Error' }, 'import', 'server-error'],
    [502, '<html>502</html>', 'other', 'server-error'],
    [404, '<!DOCTYPE html>', 'project', 'not-gitlab'],
    [401, '<html>Sign in</html>', 'other', 'not-gitlab'],
    [304, '', 'other', 'unexpected-response'],
    [418, 'x', 'other', 'request-refused'],
  ] as const)(
    'with status %i and body %j to a request of kind "%s" has the code %s',
    (status, body, subject, code) => {
      expect(errorOf(status, body, subject).code).toBe(code);
    },
  );
});

describe("the error of a response contains the server's message", () => {
  test.each([
    [{ message: 'a' }, 'a'],
    [{ message: ['a', 'b'] }, 'a, b'],
    [{ message: { error: 'a' } }, 'a'],
    [
      { message: { name: ['has been taken', 'is bad'], path: ['is bad'] } },
      'name has been taken, is bad, path is bad',
    ],
    [{ message: { base: ['a'] } }, 'a'],
    [{ error: 'a' }, 'a'],
    [{ error: ['a', 'b'] }, 'a, b'],
    [{ error: 'code', error_description: 'words' }, 'words'],
    [{ message: '', error: 'a' }, 'a'],
    [{ something: 1 }, '{"something":1}'],
    ['plain text\n', 'plain text'],
    ['[1]', '[1]'],
    ['', ''],
  ])('which for the body %j is "%s"', (body, text) => {
    expect(errorOf(400, body).details['serverMessage']).toBe(text);
  });

  test('with the status, the address, the request id and the details from the caller', () => {
    expect(errorOf(404, '', 'project', { 'x-request-id': '01J' }).details).toEqual({
      project: 'g/n',
      method: 'GET',
      url: 'https://gitlab.example.com/api/v4/x',
      status: 404,
      requestId: '01J',
      serverMessage: '',
    });
  });

  test('with the scopes that would be sufficient', () => {
    expect(errorOf(403, { error: 'insufficient_scope', scope: 'api read_api' }).details['scopes']).toBe(
      'api read_api',
    );
  });
});

describe('the retry advice of an error', () => {
  test.each([
    [
      400,
      {
        message: "An export is already running or queued for this project. Please try again once it's done.",
      },
      'export',
      'later',
    ],
    [400, { message: 'The project size exceeds the export limit.' }, 'export', 'never'],
    [404, { message: 'The project export file is not available yet' }, 'export-download', 'later'],
    [404, { message: '404 Not found or has expired' }, 'export-download', 'never'],
    [409, { message: '409 Conflict: Resource lock' }, 'other', 'later'],
    [500, '', 'other', 'later'],
    [403, '<Error/>', 'object-storage', 'later'],
    [401, '', 'other', 'never'],
  ] as const)(
    'with status %i and body %j to a request of kind "%s" is "%s"',
    (status, body, subject, retry) => {
      expect(errorOf(status, body, subject).retry).toBe(retry);
    },
  );

  test.each([
    ['0', 1000],
    ['5', 5000],
    ['3600', 15 * 60_000],
    ['99999999999999999999', 15 * 60_000],
    ['-1', 60_000],
    ['soon', 60_000],
    ['', 60_000],
    ['1.5', 60_000],
    ['Fri, 20 Nov 2026 12:00:30 GMT', 30_000],
    ['Fri, 20 Nov 2026 11:00:00 GMT', 60_000],
    ['Fri, 20 Nov 2026 18:00:00 GMT', 15 * 60_000],
  ])('with Retry-After "%s" is a wait of %i ms', (value, wait) => {
    expect(retryAfterMs({ 'retry-after': value }, now)).toBe(wait);
    expect(errorOf(429, '', 'other', { 'retry-after': value }).retry).toEqual({ afterMs: wait });
  });

  test("counts a Retry-After date from the server's own time, even if that is wrong", () => {
    const headers = { 'retry-after': 'Thu, 01 Jan 2015 00:00:20 GMT', date: 'Thu, 01 Jan 2015 00:00:00 GMT' };

    expect(retryAfterMs(headers, now)).toBe(20_000);
  });

  test('for a rate limit without Retry-After is shorter than the pause after which a download drops its unfinished file', () => {
    const { retry } = errorOf(429, '');
    expect(retry).toEqual({ afterMs: defaultRetryAfterMs });
    expect(maxDownloadPauseMs).toBeGreaterThan(defaultRetryAfterMs);
  });

  test('without Retry-After is one minute for a rate limit, and an unknown time for a server error', () => {
    expect(errorOf(429, '').retry).toEqual({ afterMs: 60_000 });
    expect(errorOf(503, '').retry).toBe('later');
    expect(errorOf(503, '', 'other', { 'retry-after': '7' }).retry).toEqual({ afterMs: 7000 });
  });
});
