/** @file The names of the views, and the keywords that find them in the command palette. */
import type { ViewName } from './router.svelte.ts';

export const viewText: Record<ViewName, string> = {
  overview: 'Overview',
  projects: 'Projects',
  find: 'Find on an instance',
  plans: 'Plans',
  migrations: 'Migrations',
  archives: 'Archives',
  import: 'Import',
  check: 'Check an import',
  activity: 'Activity',
  instances: 'Instances',
  tokens: 'Tokens',
  settings: 'Settings',
};

export const viewKeywords: Record<ViewName, string> = {
  overview: 'home start attention status',
  projects: 'back up backup list',
  find: 'search projects user contributed starred group forks server',
  plans: 'schedule schedules automatic daily weekly cron retention history',
  migrations: 'move migrate transfer instance wave mapping passport failures lost',
  archives: 'verify proof stored files exports',
  import: 'restore migrate upload',
  check: 'failures failed relations records status',
  activity: 'jobs queue runs log progress cancel',
  instances: 'servers gitlab token account',
  tokens: 'personal access token scopes rotate revoke replace spare expiry',
  settings: 'preferences appearance theme dark light proxy folder',
};
