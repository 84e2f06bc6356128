/** @file Limits of time and size for replies of a server. Time in milliseconds, size in bytes. */
import type { RateRule } from './rate-watch.ts';

export interface HttpLimits {
  lookupMs: number;
  connectMs: number;
  handshakeMs: number;
  /** From the request's last byte to the reply's headers; a server takes long for a large upload. */
  answerMs: number;
  uploadAnswerMs: number;
  /** Time for the whole body of a reply that is not a file. */
  bodyMs: number;
  /** The minimum rate of a download or upload. */
  rate: RateRule;
  /** Largest JSON body after decoding, and largest set of headers. */
  jsonBytes: number;
  headerBytes: number;
}

export const defaultLimits: HttpLimits = {
  lookupMs: 10_000,
  connectMs: 15_000,
  handshakeMs: 15_000,
  answerMs: 60_000,
  uploadAnswerMs: 300_000,
  bodyMs: 120_000,
  rate: { windowMs: 60_000, minimumBytes: 60 * 1024 },
  jsonBytes: 64 * 1024 * 1024,
  headerBytes: 64 * 1024,
};
