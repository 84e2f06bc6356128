/** @file Reads the server's clock from its response. */
import type { IncomingHttpHeaders } from 'node:http';
import { parseTime } from '../../platform/clock.ts';

/** A clock outside of these years was never set, and times computed from it would be useless. */
const [earliest, latest] = [Date.UTC(2010), Date.UTC(2100)];

/** Returns the time of `Date`; null if it is absent, unreadable or implausible. */
export function serverDateOf(headers: IncomingHttpHeaders): number | null {
  const date = parseTime(headers.date);
  return date !== null && date >= earliest && date < latest ? date : null;
}
