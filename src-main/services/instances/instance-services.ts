/** @file Builds the services for instances and their tokens. */
import type { HttpLimits } from '../../gitlab/http/limits.ts';
import { accountOf } from '../../platform/credentials.ts';
import type { StoredPlan } from '../../../src-contract/plans/plan.ts';
import { Connections } from './connections.ts';
import { InstanceChecks } from './instance-checks.ts';
import { Instances } from './instances.ts';
import type { SharedDeps } from '../shared-deps.ts';
import { InstanceTokens } from '../tokens/instance-tokens.ts';
import { NewTokens } from '../tokens/new-tokens.ts';
import { SpareTokens } from '../tokens/spare-tokens.ts';
import { createTokenPresence } from '../tokens/token-presence.ts';
import { TokenEntry } from '../tokens/token-entry.ts';
import { TokenRecipient } from '../tokens/token-recipient.ts';
import { createTokenRefusals } from '../tokens/token-refusals.ts';

interface Deps extends SharedDeps {
  httpLimits: Partial<HttpLimits>;
  /** Called when a token becomes available, or when the settings of an instance were saved. */
  onTokenAvailable: () => void;
  forgetPlans: (removedPlans: readonly StoredPlan[]) => Promise<void>;
}

export type InstanceServices = ReturnType<typeof createInstanceServices>;

/** Creates the services. Sends no request to an instance, and does not read the keychain. */
export function createInstanceServices(deps: Deps) {
  const { credentials, announce } = deps;
  const presence = createTokenPresence({
    ...deps,
    onChange: (name) => {
      announce('instance.changed', { name });
    },
  });
  const refusals = createTokenRefusals(deps);
  const newTokens = new NewTokens((instance, token) =>
    credentials.store(accountOf(instance, 'pending'), token),
  );
  const recipient = new TokenRecipient();
  const connections = new Connections({ ...deps, presence, refusals, newTokens, recipient });
  const instances = new Instances(deps);
  const tokens = new InstanceTokens({ ...deps, presence });
  const checks = new InstanceChecks({ ...deps, instances, connections, tokens, refusals });
  const tokenEntry = new TokenEntry({ instances, tokens, checks, refusals, connections });
  const spares = new SpareTokens(credentials, connections, instances);
  return {
    presence,
    refusals,
    newTokens,
    recipient,
    connections,
    instances,
    tokens,
    tokenEntry,
    checks,
    spares,
  };
}
