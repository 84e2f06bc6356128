/**
 * @file Downloads one file. Follows redirects itself, and requests the rest of the file after a lost connection. [Note:
 * token stays on its origin] [Note: no splice]
 */
import { AppError, type ErrorCode } from '../../../src-contract/errors.ts';
import { parseTime } from '../../platform/clock.ts';
import {
  type StreamedResponse,
  isRedirect,
  type BodyReadOptions,
  readResponseError,
  type OutgoingRequest,
} from '../http/exchange.ts';
import type { RateRule } from '../http/rate-watch.ts';
import { type Hop, nextHop, redirectRefusedError } from '../http/redirects.ts';
import {
  type FileValidators,
  continuesFile,
  contentLengthOf,
  validatorsOf,
  rangeHeaders,
} from '../http/resume.ts';
import { serverDateOf } from '../http/server-date.ts';
import { type DownloadResult, type DownloadOptions, receive, assertFileReply } from './transfers.ts';

const maxHops = 5;
/** Maximum number of resumes of one file, and of resumes in a row without progress. */
const maxResumes = 20;
const maxFruitless = 3;

/** Failures that are not caused by the file, so that a later request may succeed. */
const passing: ErrorCode[] = [
  'connection-lost',
  'connection-refused',
  'address-unknown',
  'timeout',
  'server-error',
  'rate-limited',
];

export interface FetchParts {
  send: (request: OutgoingRequest) => Promise<StreamedResponse>;
  reading: BodyReadOptions;
  responseTimeoutMs: number;
  rate: RateRule;
}

/** The received beginning of a file, and the error that interrupted it. */
interface Part {
  mark: FileValidators;
  bytes: number;
  lostTo: AppError;
}

interface Break {
  error: AppError;
  /** Null if the download must start again. */
  part: Part | null;
  at: Hop;
}

/** Resumes at the final address of the redirects, as long as that address has another origin and responds. */
export async function fetchFile(url: URL, call: DownloadOptions, parts: FetchParts): Promise<DownloadResult> {
  const home: Hop = { url, trusted: true };
  let broken: Pick<Break, 'part' | 'at'> = { part: null, at: home };
  let furthest = 0;
  let emptyResumes = 0;
  for (let resumes = 0; ; resumes += 1) {
    const outcome = await fetchOnce(home, broken, call, parts);
    if ('complete' in outcome) return outcome;
    const bytes = outcome.part?.bytes ?? 0;
    emptyResumes = bytes > furthest ? 0 : emptyResumes + 1;
    furthest = Math.max(furthest, bytes);
    if (call.beforeResume === undefined || resumes === maxResumes || emptyResumes === maxFruitless) {
      throw outcome.error;
    }
    await call.beforeResume({ error: outcome.error, bytes, emptyResumes, asksInstance: outcome.at === home });
    broken = outcome;
  }
}

async function fetchOnce(
  home: Hop,
  { part, at }: Pick<Break, 'part' | 'at'>,
  call: DownloadOptions,
  parts: FetchParts,
): Promise<DownloadResult | Break> {
  let found: { exchange: StreamedResponse; hop: Hop };
  try {
    found = await ask(home, at, part, call, parts);
  } catch (thrown) {
    const error = AppError.from(thrown);
    if (part === null || call.signal?.aborted === true) throw error;
    // A 416 for an unchanged file means that the announced length is wrong.
    if (error.details['status'] === 416) throw part.lostTo;
    // A presigned address expires within minutes; after any of its errors, the instance provides a new one.
    if (at === home && (error.retry === 'never' || !passing.includes(error.code))) throw error;
    return { error, part, at: home };
  }
  const { exchange, hop } = found;
  const { headers, status } = exchange;
  const details = { ...call.details, url: exchange.url };
  try {
    const isRest = part !== null && status === 206;
    if (isRest && !continuesFile(part.mark, part.bytes, headers)) {
      const error = new AppError('connection-lost', 'The file changed while it was downloaded.', {
        retry: 'later',
        details,
      });
      return { error, part: null, at: home };
    }
    assertFileReply(exchange, isRest ? 206 : 200, details);
    const from = isRest ? part.bytes : 0;
    const mark = isRest ? part.mark : validatorsOf(headers);
    const totalBytes = isRest ? part.mark.totalBytes : contentLengthOf(headers);
    const lastModified = parseTime(headers['last-modified']);
    const begin = () => (isRest ? undefined : call.onStart?.({ totalBytes, lastModified }));
    const { bytes, interruption } = await receive(exchange, { from, totalBytes, begin }, call, parts);
    if (interruption === null) {
      return { bytes, lastModified, serverDate: serverDateOf(headers), complete: true };
    }
    if (mark === null || bytes === 0 || !passing.includes(interruption.code)) throw interruption;
    const isElsewhere = hop.url.origin !== home.url.origin;
    return {
      error: interruption,
      part: { mark, bytes, lostTo: interruption },
      at: isElsewhere && bytes > from ? hop : home,
    };
  } finally {
    exchange.destroy();
  }
}

/** Returns the response at the end of the redirects. Throws every refusal. */
async function ask(
  home: Hop,
  first: Hop,
  part: Part | null,
  call: DownloadOptions,
  { send, reading, responseTimeoutMs }: FetchParts,
): Promise<{ exchange: StreamedResponse; hop: Hop }> {
  const request = {
    method: 'GET' as const,
    // The bytes are needed as the server stores them, because a decoded body would be another file.
    headers: {
      accept: '*/*',
      'accept-encoding': 'identity',
      ...(part === null ? {} : rangeHeaders(part.mark, part.bytes)),
    },
    decode: false,
    responseTimeoutMs,
    signal: call.signal,
    details: call.details,
  };
  let hop = first;
  for (let hops = 0; ; hops += 1) {
    const exchange = await send({ ...request, hop });
    if (isRedirect(exchange.status)) {
      exchange.destroy();
      if (hops === maxHops) throw redirectRefusedError(hop.url, `it is the ${maxHops + 1}th in a row`);
      hop = nextHop(hop, exchange.headers.location);
    } else if (exchange.status >= 300) {
      const elsewhere = hop.url.origin !== home.url.origin;
      throw await readResponseError(
        exchange,
        elsewhere ? { ...call, subject: 'object-storage' } : call,
        reading,
      );
    } else {
      return { exchange, hop };
    }
  }
}
