/** @file When the server answered, by its own clock. */
import type { IncomingHttpHeaders } from 'node:http';
import { parseTime } from '../../platform/clock.ts';

/** A clock outside of these years is not set: times that follow from it would be those of no archive. */
const [earliest, latest] = [Date.UTC(2010), Date.UTC(2100)];

/** `Date`; null where it is absent, unreadable, or no time that can be. */
export function serverDateOf(headers: IncomingHttpHeaders): number | null {
  const date = parseTime(headers.date);
  return date !== null && date >= earliest && date < latest ? date : null;
}
