/**
 * @file Checks the headers of a request, because other sites can reach this port, too. Only our own page is accepted.
 * Pure.
 */

/** Any port is accepted, because an SSH tunnel may use a different port. */
const ownHost = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::[0-9]{1,5})?$/;

export interface RequestHead {
  readonly method?: string | undefined;
  /** Header names and values in turn (name, value, name, value), exactly as they were sent. */
  readonly rawHeaders: readonly string[];
}

/** Returns null for an acceptable request, or the header that is wrong. */
export function untrustedHeader(request: RequestHead): 'host' | 'origin' | null {
  const hosts = valuesOf(request, 'host');
  const [host] = hosts;
  if (host === undefined || hosts.length > 1 || !ownHost.test(host)) return 'host';
  const origins = valuesOf(request, 'origin');
  const needsOrigin = request.method !== 'GET' || valuesOf(request, 'upgrade').length > 0;
  if (origins.length === 0) return needsOrigin ? 'origin' : null;
  return origins.every((origin) => origin === `http://${host}`) ? null : 'origin';
}

function valuesOf({ rawHeaders }: RequestHead, name: string): string[] {
  return rawHeaders.filter(
    (_value, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name,
  );
}
