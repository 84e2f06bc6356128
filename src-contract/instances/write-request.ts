/** @file The noun *write request*: one request that may have changed something on an instance, kept for ever. */

/** Free of secrets: a path below `/api/v4` without query, no headers, no body. */
export interface WriteRequest {
  /** Grows by one per request, over all instances. */
  id: number;
  instance: string;
  /** The job that sent it; null: a call did. */
  job: string | null;
  /** Epoch milliseconds, when its outcome was known. */
  at: number;
  method: string;
  path: string;
  /** Null: no answer came. */
  status: number | null;
}
