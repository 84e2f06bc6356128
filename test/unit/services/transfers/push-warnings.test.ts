import { describe, expect, it } from 'vitest';
import {
  estimateExportBytes,
  uploadUrlWarnings,
} from '../../../../src-main/services/transfers/upload-url-warnings.ts';

const now = Date.UTC(2026, 10, 20, 12);
const week = 7 * 86_400;
const base = 'https://bucket.s3.eu-west-1.amazonaws.com/exports/a.tar.gz';
const signed = (headers: string, seconds = week, date = '20261120T120000Z'): string =>
  `${base}?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Date=${date}&X-Amz-Expires=${seconds}&X-Amz-SignedHeaders=${encodeURIComponent(headers)}&X-Amz-Signature=0123456789abcdef`;
const sound = signed('content-type;host');
const gigabyte = 1024 ** 3;

const unsignedType = /does not include Content-Type/;
const expired = /has expired/;
const soon = /works only until 2026-11-2\dT\S+Z/;
const large = /more than 5 GB/;

describe('an address that an export is pushed to', () => {
  it.each<[string, string, number | null, RegExp[]]>([
    ['signs its Content-Type, lasts a week and is for a small project', sound, gigabyte, []],
    ['signs only the host', signed('host'), gigabyte, [unsignedType]],
    ['signs a header with a similar name', signed('host;x-content-type'), gigabyte, [unsignedType]],
    ['names its headers in capitals', signed('Content-Type;Host'), gigabyte, []],
    ['works for an hour', signed('content-type;host', 3600), gigabyte, [soon]],
    ['works for a second less than a day', signed('content-type;host', 86_399), gigabyte, [soon]],
    ['works for a day', signed('content-type;host', 86_400), gigabyte, []],
    ['expires now', signed('content-type;host', 3600, '20261120T110000Z'), gigabyte, [expired]],
    ['expired long ago', signed('content-type;host', week, '20250101T000000Z'), gigabyte, [expired]],
    ['is for a project of exactly 5 GB', sound, 5 * gigabyte, []],
    ['is for a larger project', sound, 5 * gigabyte + 1, [large]],
    ['is for a project of unknown size', sound, null, []],
    ['has three of these problems', signed('host', 60), 6 * gigabyte, [unsignedType, soon, large]],
    ['is not signed', base, gigabyte, []],
    [
      'has the older kind of signature, which expires soon',
      `${base}?AWSAccessKeyId=A&Expires=${now / 1000 + 60}&Signature=b`,
      null,
      [soon],
    ],
    [
      'is of another provider',
      `${base}?X-Goog-Date=20261120T120000Z&X-Goog-Expires=60&X-Goog-SignedHeaders=host`,
      null,
      [unsignedType, soon],
    ],
    ['has an invalid date', signed('content-type;host', 60, 'yesterday'), null, []],
    ['has an invalid lifetime', `${base}?X-Amz-Date=20261120T120000Z&X-Amz-Expires=soon`, null, []],
    ['is no URL', 'somewhere', null, []],
  ])('has exactly the warnings that apply if it %s', (_what, address, bytes, expected) => {
    const warnings = uploadUrlWarnings(address, bytes, now);
    expect(warnings).toHaveLength(expected.length);
    expected.forEach((pattern, at) => {
      expect(warnings[at]).toMatch(pattern);
    });
  });

  it('is not shown in its warnings', () => {
    const warnings = uploadUrlWarnings(signed('host', 60), 6 * gigabyte, now).join(' ');
    expect(warnings).not.toContain('amazonaws');
    expect(warnings).not.toContain('0123456789abcdef');
  });
});

describe('the estimated size of an export', () => {
  it.each([
    ['is null without statistics', null, null],
    ['is 0 for an empty project', {}, 0],
    [
      'is the sum of the contents of the project, without job artifacts and packages',
      {
        repository_size: 1,
        wiki_size: 2,
        lfs_objects_size: 4,
        uploads_size: 8,
        snippets_size: 16,
        job_artifacts_size: 32,
        packages_size: 64,
        storage_size: 127,
      },
      31,
    ],
  ])('%s', (_what, statistics, bytes) => {
    expect(estimateExportBytes(statistics)).toBe(bytes);
  });
});
