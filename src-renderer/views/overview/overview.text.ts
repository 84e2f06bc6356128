/** @file Texts of the overview. */
import type { JobKind } from '../../../src-contract/runs/job.ts';
import { jobKindText } from '../../../src-contract/words/work.ts';
import { formatNumber } from '../../kit/format.ts';
import { common } from '../../kit/common.text.ts';
import { tokenReadOnlyText } from '../../../src-contract/words/attention.ts';

const are = (count: number): string => (count === 1 ? 'is' : 'are');

export const overviewText = {
  loadingTitle: 'Backups',

  headline: {
    noInstances: 'No instance is added, so nothing is backed up.',
    noLists: 'No project list has been fetched yet.',
    noProjects: 'There are no projects to back up.',
    allCurrent: (count: number) =>
      count === 1
        ? 'The one project has an archive.'
        : `All ${formatNumber(count)} projects have an archive.`,
    /** Replaces `allCurrent` if there are new copies, because these have no archive yet. */
    withArchive: (count: number) => `${common.projects(count)} ${count === 1 ? 'has' : 'have'} an archive.`,
    copies: (count: number) =>
      `${common.projects(count)} imported in the last day ${count === 1 ? 'has' : 'have'} no backup yet.`,
    absent: (count: number) => `${common.archives(count)} ${are(count)} not available.`,
    attention: (count: number) => `${common.projects(count)} ${count === 1 ? 'needs' : 'need'} attention.`,
    noneBackedUp: (count: number) =>
      count === 1
        ? 'The one project was never backed up.'
        : `None of ${formatNumber(count)} projects is backed up.`,
  },
  facts: {
    changed: (count: number) => `${common.projects(count)} changed since the newest archive`,
    lastFailed: (count: number) => `The last backup of ${common.projects(count)} failed`,
    oldest: (when: string) => `The oldest of their newest archives: ${when}`,
    copies: (count: number) => `${common.projects(count)} imported in the last day, not yet backed up`,
    notAllowed: (count: number) => `${common.projects(count)} cannot be exported with this role`,
    listsMissing: (names: string) => `Not counted, because the list was never fetched: ${names}`,
    things: (count: number) =>
      count === 1 ? '1 thing needs attention below' : `${count} things need attention below`,
    allWell: 'Nothing needs attention',
  },

  attention: 'Needs attention',
  attentionMore: (count: number) => `And ${formatNumber(count)} more like these.`,
  overdueSince: 'Due since',
  onInstance: (instance: string) => `on ${instance}`,

  verify: 'Verify again',
  verifying: (project: string) => `Verifying ${project}`,
  verifiedSound: (project: string) => `The archive of ${project} is readable.`,
  verifiedDamaged: (project: string) => `The archive of ${project} is still damaged: make a new backup.`,
  verifiedUnusable: (project: string) => `The archive of ${project} cannot be used: make a new backup.`,
  newestFailure: (project: string) => `The newest failure, of ${project}:`,
  failedProjects: 'Projects whose work failed in the same way',
  moreFailed: (count: number) => `And ${formatNumber(count)} more, in Activity.`,
  dismissed: (title: string) => `Dismissed: ${title}.`,
  undo: 'Undo',
  hide: 'Hide',
  retryAll: 'Try all again',
  retriedAll: (count: number) => `${common.jobs(count)} started again.`,
  retry: 'Try again',
  retried: (project: string) => `Work on ${project} was started again.`,
  show: 'Show',
  showProjects: 'Show them',
  showArchives: 'Show its archives',
  enterToken: 'Enter a new token…',
  showPlan: 'Show the plan',
  refreshAll: 'Fetch all project lists',
  backUpAll: 'Back up all…',
  backUpNeedsAccount: (instance: string) => `${instance} is used without an account, and exports need one.`,
  backUpReadOnly: (instance: string) =>
    `${instance} is set to read only, and requesting an export changes something there.`,
  backUpTokenReadOnly: (instance: string) =>
    `${tokenReadOnlyText.title(instance)}. ${tokenReadOnlyText.text}`,
  openSettings: 'Open the settings',
  openActivity: 'Open Activity',

  instances: 'Instances',
  noInstance: 'No instance is added',
  noInstanceText:
    'Stored archives stay readable. Add an instance to back up its projects or to import into it.',
  addInstance: 'Add an instance…',
  byStatus: (instance: string) => `Projects of ${instance} by backup status`,
  noProjects: 'The project list is empty.',
  notFetched: 'The project list was never fetched.',

  running: 'In progress',
  nothingRuns: 'Nothing is in progress.',
  waiting: (count: number) => `${common.jobs(count)} waiting or queued`,
  moreRunning: (count: number) => `and ${common.jobs(count)} more`,
  viewOnly: 'Another Packhorse on this machine runs the jobs; this window only shows them.',
  working: (kind: JobKind, project: string) => `${jobKindText[kind].running} ${project}`,

  due: 'Due next',
  nothingDue: 'No plan is due.',
  nothingDueText: 'A plan backs up projects automatically.',

  storage: 'Storage',
  absent: 'Not available',
  used: 'Used',
  free: 'Free on that disk',
} as const;

export const backupAllText = {
  title: (instance: string) => `Back up all of ${instance}`,
  howMany: (count: number) => `${common.projects(count)} will be exported; each archive is read to its end.`,
  listNow:
    'Packhorse lists the projects on the instance now, exports each one and reads its archive to the end.',
  scope: 'Scope',
  scopeNotes: 'About the scope',
  startAll: 'Back up',
  leftOut: (count: number) =>
    `${common.projects(count)} ${are(count)} left out, because the role of the account is too low for an export.`,
  mail: 'GitLab sends an e-mail to the owner of the account for each export.',
  start: (count: number) => `Back up ${common.projects(count)}`,
  started: (count: number) => `${common.jobs(count)} started.`,
  resumed: (count: number) => `The same backup has not ended yet; it continues with ${common.jobs(count)}.`,
  nothing: 'There was nothing to start.',
  startedToast: (instance: string, count: number) => `Backup of ${instance}: ${common.jobs(count)} started.`,
  failedToast: (instance: string, what: string) => `Backup of ${instance}: ${what}`,
  refused: 'Refused',
  skipped: 'Left out',
  follow: 'Follow it in Activity',
} as const;
