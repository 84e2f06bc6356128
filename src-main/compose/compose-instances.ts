/** @file Composes the parts for instances and their tokens. `compose.ts` provides the parts and uses the result. */
import { AppError } from '../../src-contract/errors.ts';
import type { WriteRequests } from '../catalogue/runs/write-requests.ts';
import type { JobStore } from '../catalogue/runs/jobs.ts';
import type { SentWrite } from '../gitlab/http/sender.ts';
import type { HttpLimits } from '../gitlab/http/limits.ts';
import type { Clock } from '../platform/clock.ts';
import { accountOf, type Credentials } from '../platform/credentials.ts';
import type { Log } from '../platform/log.ts';
import type { SettingsStore } from '../platform/settings.ts';
import type { StoredPlan } from '../../src-contract/plans/plan.ts';
import type { Announce } from '../services/events.ts';
import { Connections } from '../services/instances/connections.ts';
import { InstanceChecks } from '../services/instances/instance-checks.ts';
import { InstanceTokens } from '../services/tokens/instance-tokens.ts';
import { Instances } from '../services/instances/instances.ts';
import { NewTokens } from '../services/tokens/new-tokens.ts';
import { SpareTokens } from '../services/tokens/spare-tokens.ts';
import { createTokenPresence } from '../services/tokens/token-presence.ts';
import { TokenRecipient } from '../services/tokens/token-recipient.ts';
import { createTokenRefusals } from '../services/tokens/token-refusals.ts';

/** Sends no request to an instance and reads no keychain. */
export function composeInstances(parts: {
  settings: SettingsStore;
  credentials: Credentials;
  jobs: JobStore;
  writeRequests: WriteRequests;
  httpLimits: Partial<HttpLimits>;
  clock: Clock;
  log: Log;
  announce: Announce;
  /** Called when a token becomes available, or an instance is used in another way. */
  onTokenAvailable: () => void;
  forgetPlans: (gone: readonly StoredPlan[]) => Promise<void>;
}) {
  const { settings, credentials, jobs, writeRequests, clock, log, announce } = parts;
  const presence = createTokenPresence({
    credentials,
    clock,
    changed: (name) => {
      announce('instance.changed', { name });
    },
  });
  const refusals = createTokenRefusals({ settings, clock, log, announce });
  const newTokens = new NewTokens((instance, token) =>
    credentials.store(accountOf(instance, 'pending'), token),
  );
  const recipient = new TokenRecipient();
  const connections = new Connections({
    ...{ settings, credentials, presence, refusals, newTokens, recipient, clock, log, announce },
    httpLimits: parts.httpLimits,
    wrote(instance: string, job: string | null, write: SentWrite) {
      try {
        writeRequests.add({ instance, job, at: clock.now(), ...write });
      } catch (thrown) {
        // The request was sent: a failure to record it must not look like a failure of the request.
        log.error({ err: AppError.from(thrown), instance, job, ...write }, 'a write request was not stored');
      }
    },
    tokenJobs: (instance) => jobs.open().filter((job) => job.kind === 'token' && job.instance === instance),
  });
  const { onTokenAvailable, forgetPlans } = parts;
  const instances = new Instances({ settings, announce, onTokenAvailable, forgetPlans });
  const tokens = new InstanceTokens({ settings, credentials, presence, clock, log, onTokenAvailable });
  const checks = new InstanceChecks({ instances, connections, tokens, refusals, clock });
  const spares = new SpareTokens(credentials, connections);
  return { presence, refusals, newTokens, recipient, connections, instances, tokens, checks, spares };
}
