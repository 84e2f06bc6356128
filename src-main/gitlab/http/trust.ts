/** @file Trusts the authorities of the system, of Node and of the user's PEM file; verification is always on. */
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { createSecureContext, getCACertificates, type SecureContext, TLSSocket } from 'node:tls';
import { AppError } from '../../../src-contract/errors.ts';

/** @throws AppError `ca-file-unusable` if the file cannot be read or holds no valid certificate. */
export async function secureContextFor(caFile: string | null): Promise<SecureContext> {
  const extra = caFile === null ? [] : await readCertificates(caFile);
  const authorities = new Set([...getCACertificates('default'), ...getCACertificates('system'), ...extra]);
  return createSecureContext({ ca: [...authorities] });
}

async function readCertificates(path: string): Promise<string[]> {
  const unusableError = (why: string) =>
    new AppError('ca-file-unusable', `The CA file ${path} cannot be used: ${why}.`, { details: { path } });
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    throw unusableError((error as NodeJS.ErrnoException).code ?? 'it cannot be read');
  }
  const certificates = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (certificates.length === 0) throw unusableError('there is no PEM certificate in it');
  for (const [index, certificate] of certificates.entries()) {
    try {
      new X509Certificate(certificate);
    } catch {
      throw unusableError(`certificate ${index + 1} in it is damaged`);
    }
  }
  return certificates;
}

/**
 * Reports the SHA-256 fingerprint of the certificate of a new connection, trusted or not. Node closes the connection
 * when it refuses a certificate, so this function listens before Node's own listener.
 */
export function onCertificate(socket: Socket, report: (fingerprint: string) => void): void {
  if (!(socket instanceof TLSSocket) || !socket.connecting) return;
  socket.prependOnceListener('secure', () => {
    // For a server without a certificate, this returns an empty object, contrary to the type.
    const { fingerprint256 } = socket.getPeerCertificate() as { fingerprint256?: string };
    if (fingerprint256 !== undefined) report(fingerprint256);
  });
}

/** Calls back once a request can be written to the socket: connected, and trusted if it uses TLS. */
export function onReady(socket: Socket, callback: () => void): void {
  const isTls = socket instanceof TLSSocket;
  const mustWait = isTls ? socket.connecting || !socket.authorized : socket.connecting;
  if (mustWait) socket.once(isTls ? 'secureConnect' : 'connect', callback);
  else callback();
}
