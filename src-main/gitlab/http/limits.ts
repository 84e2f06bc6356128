/** @file Limits of time and size for responses of a server. Time in milliseconds, size in bytes. */

export const defaultLimits = {
  lookupTimeoutMs: 10_000,
  connectTimeoutMs: 15_000,
  handshakeTimeoutMs: 15_000,
  /** From the request's last byte to the response's headers. A server needs more time for a large upload. */
  responseTimeoutMs: 60_000,
  uploadResponseTimeoutMs: 300_000,
  /** Time for the whole body of a response that is not a file. */
  bodyTimeoutMs: 120_000,
  /** The minimum rate of a download or upload. */
  rate: { windowMs: 60_000, minBytes: 60 * 1024 },
  /** Maximum size of a JSON body after decoding. `maxHeaderBytes` is the maximum size of all headers. */
  maxJsonBytes: 64 * 1024 * 1024,
  maxHeaderBytes: 64 * 1024,
};

export type HttpLimits = typeof defaultLimits;
