/** @file All calls answered, in one table; a call without a handler does not compile. */
import { archiveHandlers } from './archive-handlers.ts';
import { backupHandlers } from './backup-handlers.ts';
import { changeHandlers } from './change-handlers.ts';
import { Confirmations } from './confirmations.ts';
import { evidenceHandlers } from './evidence-handlers.ts';
import { exportHandlers } from './export-handlers.ts';
import { failureHandlers } from './failure-handlers.ts';
import { hostHandlers } from './host-handlers.ts';
import { importHandlers } from './import-handlers.ts';
import { checkAndKeep, instanceHandlers, knownInstance } from './instance-handlers.ts';
import { jobHandlers } from './job-handlers.ts';
import { migrationHandlers } from './migration-handlers.ts';
import { overviewHandlers } from './overview-handlers.ts';
import { planHandlers } from './plan-handlers.ts';
import type { BridgePorts, Handlers } from './ports.ts';
import { preflightHandlers } from './preflight-handlers.ts';
import { projectHandlers } from './project-handlers.ts';
import { projectReadHandlers } from './project-read-handlers.ts';
import { requestHandlers } from './request-handlers.ts';
import { runHandlers } from './run-handlers.ts';
import { settingsHandlers } from './settings-handlers.ts';
import { storageHandlers } from './storage-handlers.ts';
import { transferHandlers } from './transfer-handlers.ts';
import { tokenHandlers } from './token-handlers.ts';

export function createHandlers(ports: BridgePorts): Handlers {
  const confirmations = new Confirmations(() => ports.now());
  return {
    'doctor.run': () => ports.doctor(),
    'sandbox.open': async (_request, { signal }) => {
      const opened = await ports.openPractice();
      // What they are and when their tokens end is known like that of any instance that was added.
      for (const instance of opened) await checkAndKeep(ports, instance, signal);
      return { instances: await Promise.all(opened.map(({ name }) => knownInstance(ports, name))) };
    },
    ...hostHandlers(ports, confirmations),
    ...settingsHandlers(ports),
    ...overviewHandlers(ports),
    ...instanceHandlers(ports, confirmations),
    ...projectHandlers(ports),
    ...projectReadHandlers(ports),
    ...changeHandlers(ports, confirmations),
    ...backupHandlers(ports),
    ...archiveHandlers(ports, confirmations),
    ...exportHandlers(ports),
    ...importHandlers(ports, confirmations),
    ...transferHandlers(ports, confirmations),
    ...storageHandlers(ports),
    ...migrationHandlers(ports, confirmations),
    ...evidenceHandlers(ports),
    ...preflightHandlers(ports),
    ...failureHandlers(ports),
    ...jobHandlers(ports),
    ...planHandlers(ports),
    ...runHandlers(ports),
    ...tokenHandlers(ports, confirmations),
    ...requestHandlers(ports),
  };
}
