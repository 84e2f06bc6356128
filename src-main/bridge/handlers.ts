/** @file All calls answered, in one table; a call without a handler does not compile. */
import { archiveHandlers } from './archive-handlers.ts';
import { backupHandlers } from './backup-handlers.ts';
import { importHandlers } from './import-handlers.ts';
import { instanceHandlers } from './instance-handlers.ts';
import { jobHandlers } from './job-handlers.ts';
import { planHandlers } from './plan-handlers.ts';
import type { BridgePorts, Handlers } from './ports.ts';
import { unanswered } from './unanswered-handlers.ts';
import { projectHandlers } from './project-handlers.ts';
import { runHandlers } from './run-handlers.ts';

export function createHandlers(ports: BridgePorts): Handlers {
  return {
    'host.describe': () => Promise.resolve(ports.about()),
    'doctor.run': () => ports.doctor(),
    ...unanswered,
    ...instanceHandlers(ports),
    ...projectHandlers(ports),
    ...backupHandlers(ports),
    ...archiveHandlers(ports),
    ...importHandlers(ports),
    ...jobHandlers(ports),
    ...planHandlers(ports),
    ...runHandlers(ports),
  };
}
