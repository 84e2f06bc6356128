/** @file Formats write requests as a table. */
import type { WriteRequest } from '../../../../src-contract/instances/write-request-schema.ts';
import { formatTime, tableOf } from './format.ts';

export const requestsText = (requests: readonly WriteRequest[]): string =>
  tableOf(requests, ({ at, method, path, status }) => ({
    TIME: formatTime(at),
    METHOD: method,
    PATH: path,
    STATUS: status === null ? 'no reply' : String(status),
  }));
