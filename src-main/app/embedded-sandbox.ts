/** @file Starts the embedded instance on the system's clock, for hosts, which must not reach into it themselves. */
import { systemClock } from '../platform/clock.ts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../sandbox/sandbox.ts';

export type { Sandbox };

export function openSandbox(options: Omit<SandboxOptions, 'clock'>): Promise<Sandbox> {
  return startSandbox({ ...options, clock: systemClock });
}
