/** @file Limits of time and size for replies of a server. Time in milliseconds, size in bytes. */

export const defaultLimits = {
  lookupTimeoutMs: 10_000,
  connectTimeoutMs: 15_000,
  handshakeTimeoutMs: 15_000,
  /** From the request's last byte to the reply's headers; a server takes long for a large upload. */
  responseTimeoutMs: 60_000,
  uploadResponseTimeoutMs: 300_000,
  /** Time for the whole body of a reply that is not a file. */
  bodyTimeoutMs: 120_000,
  /** The minimum rate of a download or upload. */
  rate: { windowMs: 60_000, minBytes: 60 * 1024 },
  /** Largest JSON body after decoding, and largest set of headers. */
  maxJsonBytes: 64 * 1024 * 1024,
  maxHeaderBytes: 64 * 1024,
};

export type HttpLimits = typeof defaultLimits;
