import { describe, expect, test } from 'vitest';
import {
  type FileValidators,
  continuesFile,
  validatorsOf,
  rangeHeaders,
} from '../../../../src-main/gitlab/http/resume.ts';

const written = 'Fri, 20 Nov 2026 10:00:00 GMT';
const headers = { 'content-length': '3000', 'last-modified': written, date: 'Fri, 20 Nov 2026 10:00:02 GMT' };
const mark: FileValidators = { totalBytes: 3000, lastModified: written, etag: null };

describe('a file can be distinguished from any other', () => {
  test('by its length and its time, once that second is over by two clocks', () => {
    expect(validatorsOf(headers)).toEqual(mark);
    expect(validatorsOf({ ...headers, etag: '"abc"' })).toEqual({ ...mark, etag: '"abc"' });
  });

  test.each([
    ['in the second after it was written', { date: 'Fri, 20 Nov 2026 10:00:01 GMT' }],
    ['in the second that it was written in', { date: written }],
    ['when it seems to come from the future', { date: 'Fri, 20 Nov 2026 09:00:00 GMT' }],
    ['by a server without a clock', { date: undefined }],
    ['without its time', { 'last-modified': undefined }],
    ['by a time that is none', { 'last-modified': 'yesterday' }],
    ['without its length', { 'content-length': undefined }],
  ])('but not %s', (_, change) => {
    expect(validatorsOf({ ...headers, ...change })).toBeNull();
  });
});

test('the rest is requested on the condition that the file is the same', () => {
  expect(rangeHeaders(mark, 900)).toEqual({ range: 'bytes=900-', 'if-range': written });
});

describe('a part continues the file', () => {
  const part = { 'content-range': 'bytes 900-2999/3000', 'last-modified': written };

  test('when it begins where the file broke off, and nothing else changed', () => {
    expect(continuesFile(mark, 900, part)).toBe(true);
    expect(continuesFile({ ...mark, etag: '"a"' }, 900, { ...part, etag: '"a"' })).toBe(true);
  });

  test.each([
    ['begins earlier', { 'content-range': 'bytes 0-2999/3000' }],
    ['begins later', { 'content-range': 'bytes 901-2999/3000' }],
    ['is of a longer file', { 'content-range': 'bytes 900-3000/3001' }],
    ['does not say how long the file is', { 'content-range': 'bytes 900-2999/*' }],
    ['does not say where it begins', { 'content-range': undefined }],
    ['is one of several', { 'content-range': undefined, 'content-type': 'multipart/byteranges; boundary=x' }],
    ['is of a newer file', { 'last-modified': 'Fri, 20 Nov 2026 10:00:01 GMT' }],
    ['does not say of when it is', { 'last-modified': undefined }],
    ['has a tag that there was not', { etag: '"a"' }],
  ])('but not when it %s', (_, change) => {
    expect(continuesFile(mark, 900, { ...part, ...change })).toBe(false);
  });

  test.each([[undefined], ['"b"'], ['W/"a"']])('but not when its tag became %s', (etag) => {
    expect(continuesFile({ ...mark, etag: '"a"' }, 900, { ...part, etag })).toBe(false);
  });
});
