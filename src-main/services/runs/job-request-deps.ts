/** @file The services that check and enqueue a request to change something on an instance. Types only. */
import type { Connections } from '../instances/connections.ts';
import type { InstanceChecks } from '../instances/instance-checks.ts';
import type { Instances } from '../instances/instances.ts';
import type { SecretAddresses } from '../transfers/secret-addresses.ts';
import type { JobService } from './job-service.ts';

export interface JobRequestDeps {
  instances: Instances;
  checks: InstanceChecks;
  connections: Connections;
  jobService: JobService;
  secretAddresses: SecretAddresses;
}
