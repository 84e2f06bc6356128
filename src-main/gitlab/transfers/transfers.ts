/** @file Passes on the bodies of downloads and uploads with backpressure, counts their bytes, and detects stalls. */
import { AppError, type ErrorDetails } from '../../../src-contract/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { CallOptions, StreamedResponse, BodyReadOptions } from '../http/exchange.ts';
import { isHtml } from '../http/http-errors.ts';
import type { MultipartBody } from './multipart.ts';
import { type RateRule, RateWatch } from '../http/rate-watch.ts';

export interface DownloadStart {
  /** Null if the server did not announce the length; the body then ends with the connection. */
  totalBytes: number | null;
  /** Epoch milliseconds; null if the server did not report it. */
  lastModified: number | null;
}

export interface DownloadInterruption {
  error: AppError;
  /** Received bytes of the file; 0 if the download must start again. */
  bytes: number;
  /** Number of resumes in a row without progress. */
  emptyResumes: number;
  /** False for a presigned address, which counts against no limit of the instance. */
  contactsInstance: boolean;
}

export interface DownloadOptions extends CallOptions {
  /** Called before the first chunk of a file. A second call means a new start, and earlier chunks must be discarded. */
  onStart?: (start: DownloadStart) => void | Promise<void>;
  /**
   * Reading pauses until the promise resolves. The chunk's memory is then freed, so a callee that keeps a chunk must
   * copy it.
   */
  onChunk: (chunk: Uint8Array) => Promise<void>;
  /**
   * Called before the rest is requested. The function may wait, and rejects to give up. Without this option, any
   * interruption is a failure.
   */
  beforeResume?: (interruption: DownloadInterruption) => Promise<void>;
}

/** The options of a download that its caller chooses. */
export type DownloadHandlers = Pick<DownloadOptions, 'signal' | 'onStart' | 'onChunk' | 'beforeResume'>;

/**
 * A body that ended as HTTP requires. If `totalBytes` was null, this does not prove that the file is complete. Times
 * are epoch milliseconds.
 */
export interface DownloadResult {
  bytes: number;
  lastModified: number | null;
  serverDate: number | null;
  complete: true;
}

export interface UploadOptions extends CallOptions {
  /** Called with the bytes of the body that were passed to the connection so far. */
  onProgress?: (sentBytes: number) => void;
}

/**
 * Waits for `begin`, then passes a body to `onChunk`. The body continues a file after `from` bytes. Returns the `bytes`
 * of the whole file that were received. If some are missing, `interruption` is the reason; fewer bytes than
 * `totalBytes` are `connection-lost`. Throws the errors of `begin` and `onChunk`.
 */
export async function receive(
  exchange: StreamedResponse,
  { from, totalBytes, begin }: { from: number; totalBytes: number | null; begin: () => unknown },
  call: DownloadOptions,
  { readOptions: { clock }, rate }: { readOptions: BodyReadOptions; rate: RateRule },
): Promise<{ bytes: number; interruption: AppError | null }> {
  const details: ErrorDetails = { ...call.details, url: exchange.url, totalBytes };
  const watch = new RateWatch(clock, rate, () => {
    exchange.destroy(
      new AppError('timeout', 'The download has stalled.', {
        retry: 'later',
        details: { ...details, phase: 'body' },
      }),
    );
  });
  let bytes = from;
  const chunks = exchange.body[Symbol.asyncIterator]();
  const read = () => chunks.next().catch((error: unknown) => exchange.toAppError(error));
  try {
    // Reading starts before `begin`, because received data that is not being read is lost with the connection.
    let pendingRead = read();
    watch.pause();
    await begin();
    watch.resume();
    for (; ; pendingRead = read()) {
      const next = await pendingRead;
      if (next instanceof AppError) return { bytes, interruption: next };
      if (next.done === true) break;
      bytes += next.value.byteLength;
      if (totalBytes !== null && bytes > totalBytes) {
        throw new AppError('unexpected-response', 'The server sent more bytes than the announced length.', {
          details,
        });
      }
      watch.addBytes(next.value.byteLength);
      watch.pause();
      await call.onChunk(next.value);
      free(next.value);
      watch.resume();
    }
  } finally {
    watch.stop();
  }
  if (totalBytes === null || bytes === totalBytes) return { bytes, interruption: null };
  const interruption = new AppError('connection-lost', 'The download ended before the end of the file.', {
    retry: 'later',
    details: { ...details, bytes },
  });
  return { bytes, interruption };
}

/** Frees a chunk at once, because garbage collection would let 60 MB of chunks pile up. */
function free({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && byteLength === buffer.byteLength) buffer.transfer(0);
}

export function assertFileReply(
  { status, headers }: StreamedResponse,
  expected: 200 | 206,
  details: ErrorDetails,
): void {
  if (isHtml(headers, '')) {
    throw new AppError('not-gitlab', 'The server returned a web page instead of the file.', { details });
  }
  const refuse = (why: string) => {
    throw new AppError('unexpected-response', `The response is not the file: ${why}.`, { details });
  };
  if (status !== expected) refuse(`HTTP ${status}`);
  if (/^application\/json/i.test(headers['content-type'] ?? '')) refuse('it is JSON');
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') refuse(`it is encoded (${encoding})`);
}

/**
 * A piece counts as sent only when all of it is sent. Slow connections therefore get small pieces, and fast ones large
 * pieces.
 */
const minPieceBytes = 16 * 1024;
const maxPieceBytes = 1024 * 1024;
const fastPieceMs = 500;

/** The body of one upload, watched while it is sent. */
export class UploadBody {
  readonly #body: MultipartBody;
  readonly #clock: Clock;
  readonly #rate: RateRule;
  readonly #onProgress: (sentBytes: number) => void;
  readonly #stall = new AbortController();
  /** Aborted by the caller, or when the server accepts no more data. */
  readonly signal: AbortSignal;
  #sentBytes = 0;

  constructor(body: MultipartBody, clock: Clock, rate: RateRule, { signal, onProgress }: UploadOptions) {
    this.#body = body;
    this.#clock = clock;
    this.#rate = rate;
    this.#onProgress = onProgress ?? (() => undefined);
    this.signal = signal ? AbortSignal.any([signal, this.#stall.signal]) : this.#stall.signal;
  }

  /** True if the last byte was passed on, so that the server may have the whole body. */
  get hasSentAll(): boolean {
    return this.#sentBytes >= this.#body.contentLength;
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    const watch = new RateWatch(this.#clock, this.#rate, () => {
      this.#stall.abort(
        new AppError('timeout', 'The upload has stalled.', { retry: 'later', details: { phase: 'send' } }),
      );
    });
    try {
      let pieceBytes = minPieceBytes;
      for await (const chunk of this.#body.chunks()) {
        for (let offset = 0; offset < chunk.byteLength;) {
          const piece = chunk.subarray(offset, offset + pieceBytes);
          offset += piece.byteLength;
          this.#sentBytes += piece.byteLength;
          const startedAt = this.#clock.monotonic();
          yield piece;
          watch.addBytes(piece.byteLength);
          this.#onProgress(this.#sentBytes);
          // Reads a response before sending more. A server that refuses early also closes the connection, and a client
          // that is still writing would lose its response.
          await new Promise((resolve) => setImmediate(resolve));
          const isFast = this.#clock.monotonic() - startedAt < fastPieceMs;
          pieceBytes = isFast ? Math.min(pieceBytes * 2, maxPieceBytes) : minPieceBytes;
        }
      }
    } finally {
      watch.stop();
    }
  }
}
