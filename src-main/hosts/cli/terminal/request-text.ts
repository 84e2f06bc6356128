/** @file Formats write requests as a table. */
import type { WriteRequest } from '../../../../src-contract/instances/write-request-schema.ts';
import { formatTime, table } from './format.ts';

export const requestsText = (requests: readonly WriteRequest[]): string =>
  table(
    ['TIME', 'METHOD', 'PATH', 'STATUS'],
    requests.map(({ at, method, path, status }) => [
      formatTime(at),
      method,
      path,
      status === null ? 'no answer' : String(status),
    ]),
  );
