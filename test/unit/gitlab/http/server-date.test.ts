import { expect, test } from 'vitest';
import { serverDateOf } from '../../../../src-main/gitlab/http/server-date.ts';

test.each([
  ['Sun, 22 Nov 2026 12:00:00 GMT', Date.UTC(2026, 10, 22, 12)],
  ['Fri, 31 Dec 9999 23:59:59 GMT', null],
  ['Thu, 01 Jan 1970 00:00:00 GMT', null],
  ['soon', null],
  [undefined, null],
])('the Date header %s is read as the time %s', (date, time) => {
  expect(serverDateOf(date === undefined ? {} : { date })).toBe(time);
});
