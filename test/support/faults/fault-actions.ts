/** @file The faults of the sandbox, by their names in the tables of tests. */
import type { Action } from './fault-scene.ts';

const respond = (status: number, message: string, retryAfter?: string): Action => ({
  kind: 'respond',
  status,
  body: { message },
  ...(retryAfter === undefined ? {} : { headers: { 'retry-after': retryAfter } }),
});

/**
 * Returns the action of a row. A broken reply ends after `half` bytes.
 * @param elsewhere target origin of redirects.
 */
export function actionOf(row: string, half: number, elsewhere: string): Action {
  const actions: Record<string, Action> = {
    'no response': { kind: 'delay', ms: 1_000_000_000 },
    stalls: { kind: 'stall', afterBytes: half },
    drips: { kind: 'drip', bytes: 800, everyMs: 20 },
    'HTTP 401': respond(401, '401 Unauthorized'),
    'HTTP 403': respond(403, '403 Forbidden'),
    'HTTP 404': respond(404, '404 Not Found'),
    'HTTP 429': respond(429, 'Retry later', '60'),
    'HTTP 500': respond(500, '500 Internal Server Error'),
    'HTTP 502': { kind: 'html', status: 502 },
    'HTTP 503': respond(503, 'Maintenance', '1'),
    'web page': { kind: 'html', status: 200 },
    'other origin': { kind: 'redirect', to: `${elsewhere}{path}` },
    reset: { kind: 'reset' },
    'response lost': { kind: 'lose-reply' },
    'cut with length': { kind: 'cut', afterBytes: half, framing: 'length' },
    'cut in a chunk': { kind: 'cut', afterBytes: half, framing: 'chunked' },
    'cut without length': { kind: 'cut', afterBytes: half, framing: 'close' },
    'reset half-way': { kind: 'cut', afterBytes: half, framing: 'length', reset: true },
    'length too large': { kind: 'wrong-length', by: 9 },
    'length too small': { kind: 'wrong-length', by: -9 },
    'flipped byte': { kind: 'corrupt', at: 0 },
    'token expires': { kind: 'end-token', as: 'expired' },
    'token is revoked': { kind: 'end-token', as: 'revoked' },
    'export fails': { kind: 'end-export', as: 'failed' },
    'export is none': { kind: 'end-export', as: 'none' },
    'export is stuck': { kind: 'end-export', as: 'stuck' },
    'issues are missing': { kind: 'drop-records', relation: 'issues', count: 1 },
  };
  const action = actions[row];
  if (action === undefined) throw new Error(`There is no fault "${row}".`);
  return action;
}
