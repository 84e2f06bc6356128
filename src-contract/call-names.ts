/**
 * @file Names of all calls and events. `calls.ts` has their schemas; this file has no zod, so that the preload can
 * import it.
 */
export const callNames = [
  'host.describe',
  'host.capabilities',
  'host.choosePath',
  'host.reveal',
  'host.openLink',
  'host.confirm',
  'settings.show',
  'settings.change',
  'overview.show',
  'overview.dismiss',
  'overview.restore',
  'sandbox.open',
  'instance.setToken',
  'instance.preview',
  'instance.add',
  'instance.list',
  'instance.check',
  'instance.change',
  'instance.refresh',
  'instance.remove',
  'project.page',
  'project.held',
  'project.show',
  'project.find',
  'project.details',
  'project.users',
  'project.groups',
  'project.shareLocations',
  'project.starrers',
  'project.languages',
  'project.uploads',
  'project.saveUpload',
  'project.change',
  'project.checkAttributes',
  'backup.start',
  'plan.list',
  'plan.save',
  'plan.remove',
  'plan.run',
  'plan.cancelBeginning',
  'plan.pause',
  'plan.skipNext',
  'plan.dueTimes',
  'plan.matches',
  'plan.forecast',
  'plan.prunePreview',
  'plan.history',
  'run.list',
  'run.forecast',
  'run.cancel',
  'archive.projects',
  'archive.list',
  'archive.show',
  'archive.inspect',
  'archive.verify',
  'archive.record',
  'archive.lint',
  'archive.trim',
  'archive.setPinned',
  'archive.prune',
  'archive.trash',
  'archive.moveToTrash',
  'archive.restore',
  'archive.emptyTrash',
  'archive.rescan',
  'archive.adopt',
  'archive.identify',
  'archive.exportsIn',
  'export.status',
  'export.start',
  'export.download',
  'import.start',
  'import.status',
  'import.markUndelivered',
  'import.url',
  'import.s3',
  'import.relation',
  'import.relations',
  'migration.list',
  'migration.show',
  'migration.create',
  'migration.change',
  'migration.remove',
  'migration.projects',
  'migration.waves',
  'migration.place',
  'migration.check',
  'migration.lastCheck',
  'migration.override',
  'migration.start',
  'migration.pause',
  'migration.cancel',
  'migration.again',
  'migration.table',
  'migration.saveTable',
  'migration.fill',
  'migration.reconciliation',
  'migration.reconcile',
  'migration.finishOutlook',
  'migration.finish',
  'migration.passport',
  'migration.retry',
  'migration.repairs',
  'migration.repair',
  'failure.list',
  'failure.show',
  'failure.settle',
  'storage.list',
  'storage.save',
  'storage.remove',
  'token.list',
  'token.show',
  'token.rotate',
  'token.handOver',
  'token.revoke',
  'token.setSpare',
  'token.forgetSpare',
  'request.list',
  'job.list',
  'job.show',
  'job.steps',
  'job.log',
  'job.cancel',
  'job.retry',
  'doctor.run',
] as const;

export type CallName = (typeof callNames)[number];

export const eventNames = [
  'job.changed',
  'archive.changed',
  'archive.damaged',
  'archive.downgraded',
  'project.changed',
  'instance.changed',
  'plan.changed',
  'migration.changed',
  'settings.changed',
  'overview.changed',
  'call.progress',
  'host.command',
] as const;

export type EventName = (typeof eventNames)[number];

/** The channel that cancels the call whose id is sent. */
export const cancelChannel = 'call.cancel';

/** The channel on which the preload sends the path of a file that the page was given. The page never sees the path. */
export const fileChannel = 'file.given';

/**
 * `window.packhorse`. Passes plain data in both directions, over Electron's IPC (through the preload) or a WebSocket.
 */
export interface WindowBridge {
  /** Resolves to a `Result`. `id` is unique among the calls in progress; `call.progress` and `cancel` use it. */
  readonly calls: Readonly<Record<CallName, (request: unknown, id: string) => Promise<unknown>>>;
  /** Cancels a call, which then returns the error `cancelled`. Has no effect after the call has returned. */
  readonly cancel: (id: string) => void;
  /** Subscribes to an event. The returned function ends the subscription. */
  readonly on: (event: EventName, listener: (payload: unknown) => void) => () => void;
  /**
   * Returns the archive reference for a `File` that was dropped or chosen in the page. The reference is the path of the
   * file, or of a copy uploaded to the machine that runs the app. `onProgress` receives bytes. Rejects if the file
   * cannot be read or sent.
   */
  readonly fileReference: (
    file: unknown,
    onProgress: (done: number, total: number) => void,
  ) => Promise<string>;
}
