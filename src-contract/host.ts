/** @file The noun *host*: a way to run the app, and its capabilities for the window. */
import type { z } from './schema.ts';
import type * as schemas from './host-schema.ts';

export type Capabilities = z.output<typeof schemas.capabilitiesSchema>;
export type DestroyedData = z.output<typeof schemas.destroyedDataSchema>;
export type DeletionForecast = z.output<typeof schemas.deletionForecastSchema>;
export type NotificationTarget = z.output<typeof schemas.notificationTargetSchema>;
export type HostRequest = z.output<typeof schemas.hostRequestSchema>;

export const hostKinds = ['desktop', 'browser', 'command-line'] as const;

export const pathKinds = ['archive', 'folder', 'certificate', 'program'] as const;

/** Actions that require a confirmation, given at most a minute before and for one target. */
export const confirmedActions = [
  'instance.remove',
  'import.overwrite',
  'project.delete',
  'token.revoke',
  'token.rotate',
  'trash.empty',
  'migration.start',
  'migration.again',
] as const;
export type ConfirmedAction = (typeof confirmedActions)[number];

/** Commands that the native menu and the tray send to the window. */
export const hostCommands = [
  'palette',
  'view.overview',
  'view.projects',
  'view.plans',
  'view.migrations',
  'view.archives',
  'view.import',
  'view.check',
  'view.activity',
  'view.instances',
  'view.tokens',
  'view.settings',
] as const;
export type HostCommand = (typeof hostCommands)[number];
