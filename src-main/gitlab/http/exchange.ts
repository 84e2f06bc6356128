/** @file One request and its response, with every failure as an `AppError`. Reads and validates JSON. */
import type { IncomingHttpHeaders } from 'node:http';
import { AppError, type ErrorDetails } from '../../../src-contract/errors.ts';
import type { z } from '../../../src-contract/schema.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Capability } from '../instances/capabilities.ts';
import { BodyBuffer } from './gathered-body.ts';
import { errorFromResponse, isHtml, type RequestSubject } from './http-errors.ts';
import { type Hop, redirectRefusedError } from './redirects.ts';
import { serverDateOf } from './server-date.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A list is sent as one `name[]` for each of its values. */
export type Query = Record<string, string | number | boolean | readonly (string | number)[] | undefined>;

export type Cancellable = Pick<CallOptions, 'signal'>;

export interface CallOptions {
  query?: Query | URLSearchParams;
  signal?: AbortSignal | undefined;
  /** The subject of the call, which determines the meaning of a refusal. */
  subject?: RequestSubject;
  /** Facts that the caller adds to the details of an error, such as project or namespace. */
  details?: ErrorDetails;
  requiresAccount?: true;
  /** Capabilities that the server's release must have. */
  needs?: readonly Capability[];
  /** The feature flag that the call requires. If the flag is off, the server responds with 404. */
  featureFlag?: string;
  /** Parts of the request that must not appear in an error, such as a presigned address. */
  secrets?: readonly string[];
  /** Set if a 304 counts as success, because the wanted state already existed. */
  acceptsNotModified?: true;
  /** The longest time until the response of a write, in milliseconds; other calls ignore it. */
  timeoutMs?: number;
  /** Called with the headers of a successful read before its body is read; called again if the read is repeated. */
  onResponseHeaders?: (headers: IncomingHttpHeaders) => void;
}

/** A request that is sent once. A redirect is returned as its response. */
export interface OutgoingRequest {
  method: Method;
  destination: Hop;
  headers: Record<string, string>;
  body?: string | AsyncIterable<Uint8Array>;
  /** Set for a question to the Git server: the token is sent as a password, and the request changes nothing. */
  asksGit?: true;
  /** If false, the body stays exactly as the server sent it. */
  decode: boolean;
  responseTimeoutMs: number;
  signal?: AbortSignal | undefined;
  details?: ErrorDetails | undefined;
}

/** A response whose body is not read yet. A caller that does not read the body to its end must call `destroy`. */
export interface StreamedResponse {
  method: Method;
  /** Without secrets: scheme, host and path; only the origin if it is not the instance's origin. */
  url: string;
  status: number;
  headers: IncomingHttpHeaders;
  body: AsyncIterable<Uint8Array>;
  /** Closes the connection; a reader of the body then fails with `reason`. Idempotent. */
  destroy: (reason?: AppError) => void;
  /** Returns the `AppError` for anything thrown while the body was read. */
  toAppError: (thrown: unknown) => AppError;
}

export interface JsonResponse<T> {
  status: number;
  data: T;
  headers: IncomingHttpHeaders;
  /** The server's time of the response, epoch milliseconds; null without a usable `Date`. */
  serverDate: number | null;
}

/** Limits for reading a response: the bytes after decoding, and the time for its body. */
export interface BodyReadOptions {
  clock: Clock;
  maxBytes: number;
  bodyTimeoutMs: number;
}

/** Maximum number of bytes of an error body that are read. */
const maxErrorBodyBytes = 64 * 1024;

export function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

/** Returns the error for a response with an unwanted status. Reads the start of the body. */
export async function readResponseError(
  response: StreamedResponse,
  call: CallOptions,
  readOptions: BodyReadOptions,
): Promise<AppError> {
  const { method, url, status, headers } = response;
  const read = await readBody(response, { ...readOptions, maxBytes: maxErrorBodyBytes }, 'cut');
  const body = read.prefixText(read.size);
  return errorFromResponse(
    { status, headers, body },
    {
      method,
      url,
      subject: call.subject ?? 'other',
      requiredCapabilities: call.needs ?? [],
      featureFlag: call.featureFlag ?? null,
      now: readOptions.clock.now(),
      details: call.details ?? {},
    },
  );
}

/**
 * Reads and validates a JSON response. For a response without a body (204, an empty 202, an accepted 304), the schema
 * gets `undefined`.
 */
export async function readJsonResponse<T>(
  response: StreamedResponse,
  schema: z.ZodType<T>,
  call: CallOptions,
  readOptions: BodyReadOptions,
): Promise<JsonResponse<T>> {
  const { url, status, headers } = response;
  if (isRedirect(status)) {
    response.destroy();
    throw redirectRefusedError(
      URL.parse(headers.location ?? '', url),
      'API requests are not redirected',
      status,
    );
  }
  const unchanged = status === 304 && call.acceptsNotModified === true;
  if (!unchanged && (status < 200 || status > 299))
    throw await readResponseError(response, call, readOptions);
  const details = { ...call.details, url, status };
  const body = await readBody(response, readOptions, 'fail');
  const hasNoBody = unchanged || status === 204 || (status === 202 && body.size === 0);
  const parsed: unknown = hasNoBody ? undefined : parsedJson(body, headers, details);
  const checked = schema.safeParse(parsed);
  if (!checked.success) {
    const issue = checked.error.issues[0];
    const where = issue === undefined ? '' : `: ${issue.path.join('.')} ${issue.message}`;
    throw new AppError(
      'unexpected-response',
      `The response of the instance does not have the expected form${where}.`,
      {
        details,
      },
    );
  }
  return { status, data: checked.data, headers, serverDate: serverDateOf(headers) };
}

function parsedJson(body: BodyBuffer, headers: IncomingHttpHeaders, details: ErrorDetails): unknown {
  const start = body.prefixText(256);
  try {
    return JSON.parse(body.takeText());
  } catch {
    throw isHtml(headers, start)
      ? new AppError('not-gitlab', 'The server returned a web page instead of an API response.', { details })
      : new AppError('unexpected-response', 'The response of the instance is not JSON.', { details });
  }
}

/** Reads a body. If it is larger than `maxBytes`, cuts it or throws `response-too-large`. */
async function readBody(
  response: StreamedResponse,
  { clock, maxBytes, bodyTimeoutMs }: BodyReadOptions,
  ifLarger: 'cut' | 'fail',
): Promise<BodyBuffer> {
  const { url } = response;
  const cancelTimer = clock.timer(bodyTimeoutMs, () => {
    response.destroy(
      new AppError('timeout', 'The server did not complete its response in time.', {
        retry: 'later',
        details: { url, phase: 'body' },
      }),
    );
  });
  const body = new BodyBuffer();
  try {
    for await (const chunk of response.body) {
      body.add(chunk);
      if (body.size <= maxBytes) continue;
      if (ifLarger === 'cut') break;
      throw new AppError('response-too-large', `The response is larger than ${maxBytes} bytes.`, {
        details: { url },
      });
    }
  } catch (error) {
    throw response.toAppError(error);
  } finally {
    cancelTimer();
    if (body.size > maxBytes) response.destroy();
  }
  return body;
}
