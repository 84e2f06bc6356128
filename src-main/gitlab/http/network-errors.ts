/**
 * @file Turns failures below HTTP (names, connections, TLS, time limits) into `AppError`s. Uses only code and phase of
 * the library's error object, because the rest contains the token.
 */
import { AppError, type ErrorCode, type ErrorDetails, type Retry } from '../../../src-contract/errors.ts';

export interface FailedConnection {
  host: string;
  /** Host and port of the proxy, or null. */
  proxy: string | null;
  /** SHA-256 of the certificate that the server presented, as pairs of hex digits with colons. */
  fingerprint: string | null;
  details: ErrorDetails;
}

const certificateReasons: Record<string, string> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'unknown authority',
  UNABLE_TO_GET_ISSUER_CERT: 'unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'unknown authority',
  CERT_UNTRUSTED: 'unknown authority',
  INVALID_CA: 'not issued by an authority',
  CERT_HAS_EXPIRED: 'expired',
  CERT_NOT_YET_VALID: 'not yet valid',
  CERT_REVOKED: 'revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'made for another host',
  HOSTNAME_MISMATCH: 'made for another host',
};

const phaseTexts: Record<string, string> = {
  lookup: 'The name of the host was not found in time',
  connect: 'The host did not accept the connection in time',
  secureConnect: 'The host did not complete the TLS handshake in time',
  response: 'The server did not begin its response in time',
};

export function errorFromThrown(thrown: unknown, connection: FailedConnection): AppError {
  const { code, event, cause } = thrown as { code?: unknown; event?: unknown; cause?: unknown };
  if (cause instanceof AppError) return cause;
  // For a timeout, `event` is the name of the exceeded limit: lookup, connect, secureConnect, response.
  const phase = typeof event === 'string' ? event : null;
  return errorFromCode(typeof code === 'string' ? code : null, phase, connection);
}

function errorFromCode(code: string | null, phase: string | null, connection: FailedConnection): AppError {
  const { host, proxy } = connection;
  /** The host to which the connection is made. */
  const peer = proxy ?? host;
  const make = (
    errorCode: ErrorCode,
    message: string,
    options: { retry: Retry; details?: ErrorDetails } = { retry: 'later' },
  ) =>
    new AppError(errorCode, message, {
      retry: options.retry,
      details: { ...connection.details, host, reason: code, ...options.details },
    });
  if (phase !== null) {
    return make('timeout', `${phaseTexts[phase] ?? 'The server was too slow'} (${host}).`, {
      retry: 'later',
      details: { phase },
    });
  }
  if (code === null) return make('internal', 'The request could not be made.', { retry: 'never' });
  const reason = certificateReasons[code] ?? (/CERT/.test(code) ? code : undefined);
  if (reason !== undefined) {
    return make('certificate-untrusted', `The certificate of ${host} is not trusted: ${reason}.`, {
      retry: 'never',
      details: { reason, fingerprint: connection.fingerprint },
    });
  }
  if (code === 'ENOTFOUND' || code.startsWith('EAI_')) {
    const details = { host: peer };
    return make('address-unknown', `The host ${peer} cannot be found.`, { retry: 'later', details });
  }
  if (/^E(CONNREFUSED|HOSTUNREACH|NETUNREACH|HOSTDOWN|NETDOWN|ADDRNOTAVAIL|ACCES)$/.test(code)) {
    const details = { host: peer };
    return make('connection-refused', `Nothing accepts connections at ${peer}.`, { retry: 'later', details });
  }
  if (code === 'ETIMEDOUT') return make('timeout', `The host ${host} did not respond in time.`);
  if (code === 'ERR_PROXY_TUNNEL') {
    return make('connection-lost', `The proxy ${peer} does not connect to ${host}.`);
  }
  if (code === 'HPE_HEADER_OVERFLOW') {
    return make('response-too-large', `The headers of the response of ${host} are too large.`, {
      retry: 'never',
    });
  }
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_') || /^HPE_INVALID_(CONSTANT|VERSION)$/.test(code)) {
    return make('not-gitlab', `The server at ${host} does not use the protocol of its URL.`, {
      retry: 'never',
      details: { url: host },
    });
  }
  if (code.startsWith('HPE_')) {
    return make('unexpected-response', `The response of ${host} is not valid HTTP.`);
  }
  if (code.startsWith('ERR_INVALID') || code.startsWith('ERR_GOT') || code.startsWith('ERR_UNESCAPED')) {
    return make('internal', `The request could not be made (${code}).`, { retry: 'never' });
  }
  return make('connection-lost', `The connection to ${host} was lost.`);
}
