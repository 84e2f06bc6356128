/**
 * @file The bodies of downloads and uploads: counted, watched for standing still, handed on with backpressure. Knows
 * nothing of archives; whether a complete body is a whole archive is for its reader to say.
 */
import { AppError, type ErrorDetails } from '../../../src-contract/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { CallOptions, Exchange, Reading } from '../http/exchange.ts';
import { isHtml } from '../http/http-errors.ts';
import type { MultipartBody } from './multipart.ts';
import { type RateRule, RateWatch } from '../http/rate-watch.ts';

export interface DownloadStart {
  /** Null when the server did not say; the body then ends where the connection does. */
  totalBytes: number | null;
  /** Epoch milliseconds; null when the server did not say. */
  lastModified: number | null;
}

/** A download that broke off and can be gone on with. */
export interface DownloadCut {
  error: AppError;
  /** Of the file so far; 0 when it has to be begun anew. */
  bytes: number;
  /** How often in a row going on brought nothing. */
  emptyResumes: number;
  /** False: at a presigned address, which no limit of the instance counts. */
  asksInstance: boolean;
}

export interface DownloadOptions extends CallOptions {
  /** Called before the first chunk of a file; again where the file has to be begun anew: what came before is then worth nothing. */
  onStart?: (start: DownloadStart) => void | Promise<void>;
  /** Called with one chunk at a time; reading pauses until it resolves. The chunk's memory is freed then: a callee that keeps it copies it. */
  onChunk: (chunk: Uint8Array) => Promise<void>;
  /** Called before the rest is asked for; may wait, and rejects to give up. Without it whatever is cut fails. */
  beforeResume?: (cut: DownloadCut) => Promise<void>;
}

/**
 * A body that came to its end as HTTP sees it. Where `totalBytes` was null that proves nothing: only reading the archive
 * shows whether it is whole. Times are epoch milliseconds.
 */
export interface Downloaded {
  bytes: number;
  lastModified: number | null;
  serverDate: number | null;
  complete: true;
}

export interface UploadOptions extends CallOptions {
  /** Bytes of the body handed to the connection so far. */
  onProgress?: (sentBytes: number) => void;
}

/**
 * Passes a body on that goes on with a file after `from` bytes, once `begin` has resolved. `bytes` is how much of the file there
 * is then, `lostTo` why that is not all: a shortfall against `totalBytes` is `connection-lost`. Errors of `begin` and `onChunk`
 * are thrown.
 */
export async function receive(
  exchange: Exchange,
  { from, totalBytes, begin }: { from: number; totalBytes: number | null; begin: () => unknown },
  call: DownloadOptions,
  { reading: { clock }, rate }: { reading: Reading; rate: RateRule },
): Promise<{ bytes: number; lostTo: AppError | null }> {
  const details: ErrorDetails = { ...call.details, url: exchange.url, totalBytes };
  const watch = new RateWatch(clock, rate, () => {
    exchange.drop(
      new AppError('timeout', 'The download stands still.', {
        retry: 'later',
        details: { ...details, phase: 'body' },
      }),
    );
  });
  let bytes = from;
  const chunks = exchange.body[Symbol.asyncIterator]();
  const read = () => chunks.next().catch((error: unknown) => exchange.failure(error));
  try {
    // What has come is lost with the connection unless somebody has asked for it.
    let coming = read();
    watch.hold();
    await begin();
    watch.release();
    for (; ; coming = read()) {
      const next = await coming;
      if (next instanceof AppError) return { bytes, lostTo: next };
      if (next.done === true) break;
      bytes += next.value.byteLength;
      if (totalBytes !== null && bytes > totalBytes) {
        throw new AppError('unexpected-response', 'More came than the file is long.', { details });
      }
      watch.moved(next.value.byteLength);
      watch.hold();
      await call.onChunk(next.value);
      free(next.value);
      watch.release();
    }
  } finally {
    watch.stop();
  }
  if (totalBytes === null || bytes === totalBytes) return { bytes, lostTo: null };
  const lostTo = new AppError('connection-lost', 'The download ended before the file did.', {
    retry: 'later',
    details: { ...details, bytes },
  });
  return { bytes, lostTo };
}

/** Frees a chunk at once: the garbage collector would let 60 MB of them pile up. */
function free({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && byteLength === buffer.byteLength) buffer.transfer(0);
}

/** Throws for an answer that is not the bytes of a file as they are stored. */
export function refuseWhatIsNoFile(
  { status, headers }: Exchange,
  expected: 200 | 206,
  details: ErrorDetails,
): void {
  if (isHtml(headers, '')) {
    throw new AppError('not-gitlab', 'A web page came instead of the file.', { details });
  }
  const refuse = (why: string) => {
    throw new AppError('unexpected-response', `The answer is not the file: ${why}.`, { details });
  };
  if (status !== expected) refuse(`HTTP ${status}`);
  if (/^application\/json/i.test(headers['content-type'] ?? '')) refuse('it is JSON');
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') refuse(`it is encoded (${encoding})`);
}

/** What is sent at once is seen to have left only as a whole: little where that takes long, much where it does not. */
const minAtOnce = 16 * 1024;
const maxAtOnce = 1024 * 1024;
const quickMs = 500;

/** The body of one upload, watched while it is sent. */
export class Sending {
  readonly #body: MultipartBody;
  readonly #clock: Clock;
  readonly #rate: RateRule;
  readonly #onProgress: (sentBytes: number) => void;
  readonly #stall = new AbortController();
  /** Aborted by the caller, or when the server takes nothing any more. */
  readonly signal: AbortSignal;
  #sent = 0;

  constructor(body: MultipartBody, clock: Clock, rate: RateRule, { signal, onProgress }: UploadOptions) {
    this.#body = body;
    this.#clock = clock;
    this.#rate = rate;
    this.#onProgress = onProgress ?? (() => undefined);
    this.signal = signal ? AbortSignal.any([signal, this.#stall.signal]) : this.#stall.signal;
  }

  /** Whether the last byte was handed over, so that the server may have the whole body. */
  get sentAll(): boolean {
    return this.#sent >= this.#body.contentLength;
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    const watch = new RateWatch(this.#clock, this.#rate, () => {
      this.#stall.abort(
        new AppError('timeout', 'The upload stands still.', { retry: 'later', details: { phase: 'send' } }),
      );
    });
    try {
      let atOnce = minAtOnce;
      for await (const chunk of this.#body.chunks()) {
        for (let at = 0; at < chunk.byteLength;) {
          const piece = chunk.subarray(at, at + atOnce);
          at += piece.byteLength;
          this.#sent += piece.byteLength;
          const began = this.#clock.monotonic();
          yield piece;
          watch.moved(piece.byteLength);
          this.#onProgress(this.#sent);
          // What the server says meanwhile is read before more is sent: one that refuses early also closes, and then its
          // words are lost to whoever still writes.
          await new Promise((read) => setImmediate(read));
          const quick = this.#clock.monotonic() - began < quickMs;
          atOnce = quick ? Math.min(atOnce * 2, maxAtOnce) : minAtOnce;
        }
      }
    } finally {
      watch.stop();
    }
  }
}
