import { describe, expect, test } from 'vitest';
import {
  type FileValidators,
  continuesFile,
  validatorsOf,
  rangeHeaders,
} from '../../../../src-main/gitlab/http/resume.ts';

const modifiedAt = 'Fri, 20 Nov 2026 10:00:00 GMT';
const headers = {
  'content-length': '3000',
  'last-modified': modifiedAt,
  date: 'Fri, 20 Nov 2026 10:00:02 GMT',
};
const validators: FileValidators = { totalBytes: 3000, lastModified: modifiedAt, etag: null };

describe('the validators of a file', () => {
  test('are its length, its Last-Modified time and its ETag, if the server time is two seconds later', () => {
    expect(validatorsOf(headers)).toEqual(validators);
    expect(validatorsOf({ ...headers, etag: '"abc"' })).toEqual({ ...validators, etag: '"abc"' });
  });

  test.each([
    ['in the second after the file was written', { date: 'Fri, 20 Nov 2026 10:00:01 GMT' }],
    ['in the second in which the file was written', { date: modifiedAt }],
    ['if Last-Modified is later than the server time', { date: 'Fri, 20 Nov 2026 09:00:00 GMT' }],
    ['if the server sends no time', { date: undefined }],
    ['without Last-Modified', { 'last-modified': undefined }],
    ['if Last-Modified is not a time', { 'last-modified': 'yesterday' }],
    ['without a length', { 'content-length': undefined }],
  ])('are unknown %s', (_, change) => {
    expect(validatorsOf({ ...headers, ...change })).toBeNull();
  });
});

test('the rest of a file is requested on the condition that the file is the same', () => {
  expect(rangeHeaders(validators, 900)).toEqual({ range: 'bytes=900-', 'if-range': modifiedAt });
});

describe('a part continues the file', () => {
  const part = { 'content-range': 'bytes 900-2999/3000', 'last-modified': modifiedAt };

  test('if it begins where the download stopped, and nothing else changed', () => {
    expect(continuesFile(validators, 900, part)).toBe(true);
    expect(continuesFile({ ...validators, etag: '"a"' }, 900, { ...part, etag: '"a"' })).toBe(true);
  });

  test.each([
    ['begins earlier', { 'content-range': 'bytes 0-2999/3000' }],
    ['begins later', { 'content-range': 'bytes 901-2999/3000' }],
    ['belongs to a longer file', { 'content-range': 'bytes 900-3000/3001' }],
    ['does not contain the length of the file', { 'content-range': 'bytes 900-2999/*' }],
    ['does not contain its start', { 'content-range': undefined }],
    [
      'is one of several parts',
      { 'content-range': undefined, 'content-type': 'multipart/byteranges; boundary=x' },
    ],
    ['belongs to a newer file', { 'last-modified': 'Fri, 20 Nov 2026 10:00:01 GMT' }],
    ['has no Last-Modified', { 'last-modified': undefined }],
    ['has an ETag although the file had none', { etag: '"a"' }],
  ])('but not if it %s', (_, change) => {
    expect(continuesFile(validators, 900, { ...part, ...change })).toBe(false);
  });

  test.each([[undefined], ['"b"'], ['W/"a"']])('but not if its ETag changes to %s', (etag) => {
    expect(continuesFile({ ...validators, etag: '"a"' }, 900, { ...part, etag })).toBe(false);
  });
});
