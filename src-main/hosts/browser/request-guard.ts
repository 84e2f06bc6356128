/**
 * @file Which requests come from a page of ours, as far as their headers tell: a foreign page can reach this port too, by
 * its own name made to point here, or by a request across origins. Pure.
 */

/** Any port: an SSH tunnel may end at another one. */
const ownHost = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::[0-9]{1,5})?$/;

/** The part of Node's `IncomingMessage` that is looked at. */
export interface RequestHead {
  readonly method?: string | undefined;
  /** Names and values in turn, as they were sent. */
  readonly rawHeaders: readonly string[];
}

/** Null when the request may be looked at further, else what is wrong with it. */
export function refusalOf(request: RequestHead): 'host' | 'origin' | null {
  const hosts = valuesOf(request, 'host');
  const [host] = hosts;
  if (host === undefined || hosts.length > 1 || !ownHost.test(host)) return 'host';
  const origins = valuesOf(request, 'origin');
  const needsOrigin = request.method !== 'GET' || valuesOf(request, 'upgrade').length > 0;
  if (origins.length === 0) return needsOrigin ? 'origin' : null;
  return origins.every((origin) => origin === `http://${host}`) ? null : 'origin';
}

function valuesOf({ rawHeaders }: RequestHead, name: string): string[] {
  return rawHeaders.filter((_value, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name);
}
