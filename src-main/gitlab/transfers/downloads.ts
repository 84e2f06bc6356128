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
const maxEmptyResumes = 3;

/** Failures that are not caused by the file, so that a later request may succeed. */
const transientErrorCodes: ErrorCode[] = [
  'connection-lost',
  'connection-refused',
  'address-unknown',
  'timeout',
  'server-error',
  'rate-limited',
];

export interface FetchContext {
  send: (request: OutgoingRequest) => Promise<StreamedResponse>;
  readOptions: BodyReadOptions;
  responseTimeoutMs: number;
  rate: RateRule;
}

/** The received beginning of a file, and the error that interrupted it. */
interface PartialFile {
  validators: FileValidators;
  bytes: number;
  error: AppError;
}

interface InterruptedFetch {
  error: AppError;
  /** Null if the download must start again. */
  part: PartialFile | null;
  resumeHop: Hop;
}

/**
 * Downloads a file and resumes it after interruptions. Resumes at the final address of the redirects if that has another origin
 * and still responds; otherwise starts again at `url`.
 */
export async function fetchFile(
  url: URL,
  call: DownloadOptions,
  context: FetchContext,
): Promise<DownloadResult> {
  const instanceHop: Hop = { url, trusted: true };
  let resumePoint: Pick<InterruptedFetch, 'part' | 'resumeHop'> = { part: null, resumeHop: instanceHop };
  let maxBytesSoFar = 0;
  let emptyResumes = 0;
  for (let resumes = 0; ; resumes += 1) {
    const outcome = await fetchOnce(instanceHop, resumePoint, call, context);
    if ('complete' in outcome) return outcome;
    const bytes = outcome.part?.bytes ?? 0;
    emptyResumes = bytes > maxBytesSoFar ? 0 : emptyResumes + 1;
    maxBytesSoFar = Math.max(maxBytesSoFar, bytes);
    if (call.beforeResume === undefined || resumes === maxResumes || emptyResumes === maxEmptyResumes) {
      throw outcome.error;
    }
    await call.beforeResume({
      error: outcome.error,
      bytes,
      emptyResumes,
      contactsInstance: outcome.resumeHop === instanceHop,
    });
    resumePoint = outcome;
  }
}

async function fetchOnce(
  instanceHop: Hop,
  { part, resumeHop }: Pick<InterruptedFetch, 'part' | 'resumeHop'>,
  call: DownloadOptions,
  context: FetchContext,
): Promise<DownloadResult | InterruptedFetch> {
  let found: { exchange: StreamedResponse; hop: Hop };
  try {
    found = await followRedirects(instanceHop, resumeHop, part, call, context);
  } catch (thrown) {
    const error = AppError.from(thrown);
    if (part === null || call.signal?.aborted === true) throw error;
    // A 416 for an unchanged file means that the announced length is wrong.
    if (error.details['status'] === 416) throw part.error;
    // A presigned address expires within minutes; after any of its errors, the instance provides a new one.
    if (resumeHop === instanceHop && (error.retry === 'never' || !transientErrorCodes.includes(error.code)))
      throw error;
    return { error, part, resumeHop: instanceHop };
  }
  const { exchange, hop } = found;
  const { headers, status } = exchange;
  const details = { ...call.details, url: exchange.url };
  try {
    const isRest = part !== null && status === 206;
    if (isRest && !continuesFile(part.validators, part.bytes, headers)) {
      const error = new AppError('connection-lost', 'The file changed while it was downloaded.', {
        retry: 'later',
        details,
      });
      return { error, part: null, resumeHop: instanceHop };
    }
    assertFileReply(exchange, isRest ? 206 : 200, details);
    const from = isRest ? part.bytes : 0;
    const validators = isRest ? part.validators : validatorsOf(headers);
    const totalBytes = isRest ? part.validators.totalBytes : contentLengthOf(headers);
    const lastModified = parseTime(headers['last-modified']);
    const begin = () => (isRest ? undefined : call.onStart?.({ totalBytes, lastModified }));
    const { bytes, interruption } = await receive(exchange, { from, totalBytes, begin }, call, context);
    if (interruption === null) {
      return { bytes, lastModified, serverDate: serverDateOf(headers), complete: true };
    }
    if (validators === null || bytes === 0 || !transientErrorCodes.includes(interruption.code))
      throw interruption;
    const isOtherOrigin = hop.url.origin !== instanceHop.url.origin;
    return {
      error: interruption,
      part: { validators, bytes, error: interruption },
      resumeHop: isOtherOrigin && bytes > from ? hop : instanceHop,
    };
  } finally {
    exchange.destroy();
  }
}

/** Follows redirects and returns the final response. Throws if its status is an error or a redirect is refused. */
async function followRedirects(
  instanceHop: Hop,
  first: Hop,
  part: PartialFile | null,
  call: DownloadOptions,
  { send, readOptions, responseTimeoutMs }: FetchContext,
): Promise<{ exchange: StreamedResponse; hop: Hop }> {
  const request = {
    method: 'GET' as const,
    // The bytes are needed as the server stores them, because a decoded body would be another file.
    headers: {
      accept: '*/*',
      'accept-encoding': 'identity',
      ...(part === null ? {} : rangeHeaders(part.validators, part.bytes)),
    },
    decode: false,
    responseTimeoutMs,
    signal: call.signal,
    details: call.details,
  };
  let hop = first;
  for (let hops = 0; ; hops += 1) {
    const exchange = await send({ ...request, destination: hop });
    if (isRedirect(exchange.status)) {
      exchange.destroy();
      if (hops === maxHops) throw redirectRefusedError(hop.url, `it is the ${maxHops + 1}th in a row`);
      hop = nextHop(hop, exchange.headers.location);
    } else if (exchange.status >= 300) {
      const isOtherOrigin = hop.url.origin !== instanceHop.url.origin;
      throw await readResponseError(
        exchange,
        isOtherOrigin ? { ...call, subject: 'object-storage' } : call,
        readOptions,
      );
    } else {
      return { exchange, hop };
    }
  }
}
