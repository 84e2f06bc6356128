/** @file Limits of time and size for replies of a server. Time in milliseconds, size in bytes. */

export const defaultLimits = {
  lookupMs: 10_000,
  connectMs: 15_000,
  handshakeMs: 15_000,
  /** From the request's last byte to the reply's headers; a server takes long for a large upload. */
  answerMs: 60_000,
  uploadAnswerMs: 300_000,
  /** Time for the whole body of a reply that is not a file. */
  bodyMs: 120_000,
  /** The minimum rate of a download or upload. */
  rate: { windowMs: 60_000, minimumBytes: 60 * 1024 },
  /** Largest JSON body after decoding, and largest set of headers. */
  jsonBytes: 64 * 1024 * 1024,
  headerBytes: 64 * 1024,
};

export type HttpLimits = typeof defaultLimits;
