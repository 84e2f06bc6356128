/**
 * @file One request and its answer as the rest of this folder sees them: without the HTTP library, and with every failure
 * already an `AppError`. Also how an answer of JSON is read, checked and refused.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { AppError, type ErrorDetails } from '../../../src-contract/errors.ts';
import type { z } from '../../../src-contract/schema.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Capability } from '../account/capabilities.ts';
import { GatheredBody } from './gathered-body.ts';
import { errorFromAnswer, isHtml, type Subject } from './http-errors.ts';
import { type Hop, redirectRefused } from './redirects.ts';
import { serverDateOf } from './server-date.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A list is sent as `name[]` once for each of its values. */
export type Query = Record<string, string | number | boolean | readonly (string | number)[] | undefined>;

export interface CallOptions {
  query?: Query | URLSearchParams;
  signal?: AbortSignal | undefined;
  /** What the call is about, for the meaning of a refusal. */
  subject?: Subject;
  /** Facts the caller knows (project, namespace), for the details of an error. */
  details?: ErrorDetails;
  /** It makes no sense without an account. */
  signedIn?: true;
  /** What the server must be new enough for. */
  needs?: readonly Capability[];
  /** The feature flag that must be on: without it the server answers 404 for the whole call. */
  flag?: string;
  /** Parts of the request that must not come back in an error, such as a presigned address. */
  secrets?: readonly string[];
  /** A 304 is an answer: it was so already. */
  unchanged?: true;
  /** The most time for the whole of a write. */
  limitMs?: number;
  /** Told the headers of a read that succeeds, before its body is read; again where the read is repeated. */
  answered?: (headers: IncomingHttpHeaders) => void;
}

/** A request, sent as it is: redirects come back as answers. */
export interface Send {
  method: Method;
  hop: Hop;
  headers: Record<string, string>;
  body?: string | AsyncIterable<Uint8Array>;
  /** False leaves the body exactly as sent. */
  decode: boolean;
  answerMs: number;
  signal?: AbortSignal | undefined;
  details?: ErrorDetails | undefined;
}

/** An answer whose body is still to be read. Whoever does not read it to its end must `drop` it. */
export interface Exchange {
  method: Method;
  /** Scheme, host and path; of another origin than the instance's only the origin. Free of secrets. */
  url: string;
  status: number;
  headers: IncomingHttpHeaders;
  body: AsyncIterable<Uint8Array>;
  /** Closes the connection; a reader of the body then fails with `reason`. Repeatable. */
  drop: (reason?: AppError) => void;
  /** The `AppError` for anything thrown while the body was read. */
  failure: (thrown: unknown) => AppError;
}

export interface Answer<T> {
  status: number;
  data: T;
  headers: IncomingHttpHeaders;
  /** The server's clock as it answered, epoch milliseconds; null without a usable `Date`. */
  serverDate: number | null;
}

/** How an answer is read: the most bytes after decoding, and the most time for its body. */
export interface Reading {
  clock: Clock;
  largest: number;
  bodyMs: number;
}

/** Largest error body that is looked at; the rest is not read. */
const errorBytes = 64 * 1024;

export function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

/** The error for an answer with an unwanted status. Reads the start of the body. */
export async function refusalOf(exchange: Exchange, call: CallOptions, reading: Reading): Promise<AppError> {
  const { method, url, status, headers } = exchange;
  const read = await readBody(exchange, { ...reading, largest: errorBytes }, 'cut');
  const body = read.start(read.size);
  return errorFromAnswer(
    { status, headers, body },
    {
      method,
      url,
      subject: call.subject ?? 'other',
      needs: call.needs ?? [],
      flag: call.flag ?? null,
      now: reading.clock.now(),
      details: call.details ?? {},
    },
  );
}

/** Reads and checks an answer of JSON. One without a body (204, an empty 202, a 304 that counts) is `undefined` to the schema. */
export async function readAnswer<T>(
  exchange: Exchange,
  schema: z.ZodType<T>,
  call: CallOptions,
  reading: Reading,
): Promise<Answer<T>> {
  const { url, status, headers } = exchange;
  if (isRedirect(status)) {
    exchange.drop();
    throw redirectRefused(
      URL.parse(headers.location ?? '', url),
      'requests of the API are not sent on',
      status,
    );
  }
  const unchanged = status === 304 && call.unchanged === true;
  if (!unchanged && (status < 200 || status > 299)) throw await refusalOf(exchange, call, reading);
  const details = { ...call.details, url, status };
  const body = await readBody(exchange, reading, 'fail');
  const without = unchanged || status === 204 || (status === 202 && body.size === 0);
  const parsed: unknown = without ? undefined : parsedJson(body, headers, details);
  const checked = schema.safeParse(parsed);
  if (!checked.success) {
    const issue = checked.error.issues[0];
    const where = issue === undefined ? '' : `: ${issue.path.join('.')} ${issue.message}`;
    throw new AppError('unexpected-response', `The answer of the instance has another shape${where}.`, {
      details,
    });
  }
  return { status, data: checked.data, headers, serverDate: serverDateOf(headers) };
}

function parsedJson(body: GatheredBody, headers: IncomingHttpHeaders, details: ErrorDetails): unknown {
  const start = body.start(256);
  try {
    return JSON.parse(body.takeText());
  } catch {
    throw isHtml(headers, start)
      ? new AppError('not-gitlab', 'A web page came instead of an answer of the API.', { details })
      : new AppError('unexpected-response', 'The answer of the instance is not JSON.', { details });
  }
}

/** A body larger than `largest` is cut there, or fails as `response-too-large`. */
async function readBody(
  exchange: Exchange,
  { clock, largest, bodyMs }: Reading,
  ifLarger: 'cut' | 'fail',
): Promise<GatheredBody> {
  const { url } = exchange;
  const cancelTimer = clock.timer(bodyMs, () => {
    exchange.drop(
      new AppError('timeout', 'The server did not complete its answer in time.', {
        retry: 'later',
        details: { url, phase: 'body' },
      }),
    );
  });
  const body = new GatheredBody();
  try {
    for await (const chunk of exchange.body) {
      body.add(chunk);
      if (body.size <= largest) continue;
      if (ifLarger === 'cut') break;
      throw new AppError('response-too-large', `The answer is larger than ${largest} bytes.`, {
        details: { url },
      });
    }
  } catch (error) {
    throw exchange.failure(error);
  } finally {
    cancelTimer();
    if (body.size > largest) exchange.drop();
  }
  return body;
}
