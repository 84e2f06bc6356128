/** @file Query parameters as GitLab reads them: all text, with `true`, `1` and `t` meaning yes. */
import type { FastifyRequest } from 'fastify';

export function queryOf(request: FastifyRequest): URLSearchParams {
  const at = request.url.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : request.url.slice(at + 1));
}

/** Null when the parameter is absent. */
export function booleanOf(query: URLSearchParams, name: string): boolean | null {
  const text = query.get(name);
  if (text === null || text === '') return null;
  return ['true', '1', 't', 'yes', 'on'].includes(text.toLowerCase());
}

/** The number in a parameter; null when it is absent or none. */
export function numberOf(query: URLSearchParams, name: string): number | null {
  const text = query.get(name);
  return text !== null && /^\d+$/.test(text) ? Number(text) : null;
}
