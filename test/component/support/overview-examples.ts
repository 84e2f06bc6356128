/** @file Overview, instances, plans and settings as the app would send them, with the fields that a test changes. */
import { initialValues } from '../../../src-contract/options.ts';
import { planSettings } from '../../../src-contract/plans/options/settings.ts';
import { noHooks } from '../../../src-contract/plans/hook.ts';
import type { Instance, InstanceCheck } from '../../../src-contract/instances/instance.ts';
import { presetPaces, instanceDefaults } from '../../../src-contract/instances/instance.ts';
import type { InstanceOverview, Overview } from '../../../src-contract/runs/overview-schema.ts';
import type { PlanStatus, Retention } from '../../../src-contract/plans/plan.ts';
import { unlimitedRetention } from '../../../src-contract/plans/retention-periods.ts';
import type { BackupStatus } from '../../../src-contract/projects/project.ts';
import { initialPreferences, type SettingsReply } from '../../../src-contract/settings.ts';
import type { Capabilities } from '../../../src-contract/host.ts';

export function examplePlanStatuses(
  change: Partial<Record<BackupStatus, number>> = {},
): Record<BackupStatus, number> {
  return {
    absent: 0,
    damaged: 0,
    incomplete: 0,
    suspicious: 0,
    failed: 0,
    never: 0,
    changed: 0,
    current: 0,
    'not-allowed': 0,
    ...change,
  };
}

export const keepAll: Retention = unlimitedRetention;

export function examplePlan(change: Partial<PlanStatus['plan']> = {}): PlanStatus {
  return {
    plan: {
      id: 'p1',
      name: 'work',
      instance: 'work',
      selection: { kind: 'all', scope: 'member' },
      schedule: { kind: 'daily', at: '02:30', timeZone: 'Europe/Berlin' },
      retention: { ...keepAll, keepLast: 7 },
      archiveRoot: null,
      ...initialValues(planSettings),
      hooks: noHooks,
      heartbeat: null,
      pausedUntil: null,
      skippedDue: null,
      createdAt: '2026-11-01T00:00:00.000Z',
      ...change,
    },
    nextRunAt: new Date(Date.now() + 5 * 3_600_000 + 60_000).toISOString(),
    lastRun: {
      runId: 'r1',
      dueAt: new Date(Date.now() - 19 * 3_600_000 - 120_000).toISOString(),
      startedAt: new Date(Date.now() - 19 * 3_600_000 - 120_000).toISOString(),
      outcome: 'succeeded',
    },
    beginning: null,
    overdue: null,
  };
}

/** An instance with as many projects as its statuses count. */
export function exampleInstanceOverview(change: Partial<InstanceOverview> = {}): InstanceOverview {
  const statusCounts = change.statusCounts ?? examplePlanStatuses({ current: 200, changed: 12 });
  return {
    name: 'work',
    url: 'https://gitlab.example.com',
    username: 'ada',
    tokenCanWrite: true,
    anonymous: false,
    readOnly: false,
    refreshedAt: new Date(Date.now() - 3 * 3_600_000 - 60_000).toISOString(),
    projects: Object.values(statusCounts).reduce((sum, count) => sum + count, 0),
    statusCounts,
    failedHeld: 0,
    newCopies: 0,
    oldestArchive: null,
    plan: null,
    ...change,
  };
}

export function exampleOverview(change: Partial<Overview> = {}): Overview {
  return {
    instances: [exampleInstanceOverview()],
    archives: { count: 412, bytes: 18_200_000_000, absent: 0, freeBytes: 240_000_000_000 },
    openJobs: {},
    runsJobs: true,
    attention: [],
    moreAttention: 0,
    ...change,
  };
}

export function exampleInstance(change: Partial<Instance> = {}): Instance {
  return {
    name: 'work',
    url: 'https://gitlab.example.com',
    caFile: null,
    pacePreset: 'gitlab',
    pace: presetPaces.gitlab,
    username: 'ada',
    userId: 7,
    administrator: false,
    serverVersion: '18.6.1-ee',
    tokenExpiresOn: null,
    tokenCanWrite: null,
    addedAt: '2026-11-01T08:00:00.000Z',
    ...instanceDefaults,
    ...change,
  };
}

export function exampleCheck(change: Partial<InstanceCheck> = {}): InstanceCheck {
  return {
    name: 'work',
    url: 'https://gitlab.example.com',
    version: '18.6.1-ee',
    userId: 7,
    username: 'ada',
    administrator: false,
    tokenSource: 'session',
    scopes: ['api'],
    expiresOn: '2027-06-30',
    canRead: true,
    canWrite: true,
    clockSkewMs: 0,
    notes: [],
    ...change,
  };
}

export function exampleSettings(change: Partial<SettingsReply> = {}): SettingsReply {
  return {
    preferences: initialPreferences,
    archiveRoot: '/home/ada/.local/share/packhorse/archives',
    earlierRoots: [],
    dataFolder: '/home/ada/.local/share/packhorse',
    ...change,
  };
}

export function exampleCapabilities(change: Partial<Capabilities> = {}): Capabilities {
  return {
    host: 'desktop',
    choosePath: true,
    reveal: true,
    openLink: true,
    tray: true,
    notify: true,
    startAtLogin: true,
    handOverTokens: true,
    keychain: true,
    ...change,
  };
}
