/** @file Calls about the checks before a migration. */
import type { preflightCalls } from '../../src-preload/contract/preflight-calls.ts';
import type { BridgePorts, Handlers } from './ports.ts';

export function preflightHandlers({ preflight }: BridgePorts): Pick<Handlers, keyof typeof preflightCalls> {
  return {
    'migration.check': ({ migration }, context) =>
      preflight.check(migration, context.signal, (done, total) => {
        context.progress({ step: 'check', unit: 'records', done, total });
      }),
    'migration.lastCheck': ({ migration }) => Promise.resolve({ check: preflight.last(migration) }),
    'migration.override': ({ migration, finding, note }) =>
      Promise.resolve(preflight.override(migration, finding, note)),
  };
}
