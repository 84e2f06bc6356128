/** @file Words of the overview. */
import type { JobKind } from '../../../src-preload/contract/job.ts';
import type { Attention } from '../../../src-preload/contract/overview.ts';
import { departureText, keptArchivesText } from '../../../src-preload/contract/projects/scope.ts';
import { refusalWords } from '../../../src-preload/contract/token-words.ts';
import { formatBytes } from '../../../src-preload/contract/words/sizes.ts';
import { jobKindText, workTitle } from '../../../src-preload/contract/words/work.ts';
import { upperFirst } from '../../../src-preload/contract/words/first-letter.ts';
import { formatDate, formatNumber } from '../../ui/format.ts';
import { common } from './common.ts';

const are = (count: number): string => (count === 1 ? 'is' : 'are');
const mayOnlyRead = (instance: string): string => `The token of ${instance} may only read`;
const needsScope = 'Backups and imports need a token with the scope “api”.';

/** The messages as sentences, and how many warnings there are beyond them. */
function warningsText(messages: readonly string[], warnings: number): string {
  const more = warnings - messages.length;
  return [
    ...messages.map((message) => message.replace(/(?<![.!?])$/, '.')),
    ...(more > 0 ? [`And ${formatNumber(more)} more.`] : []),
  ].join(' ');
}

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
    /** Beside new copies, which have none of their own. */
    held: (count: number) => `${common.projects(count)} ${count === 1 ? 'has' : 'have'} an archive.`,
    copies: (count: number) =>
      `${common.projects(count)} arrived in the last day, and ${count === 1 ? 'has' : 'have'} no backup of ${count === 1 ? 'its' : 'their'} own yet.`,
    absent: (count: number) => `${common.archives(count)} ${are(count)} not there.`,
    attention: (count: number) => `${common.projects(count)} ${count === 1 ? 'needs' : 'need'} attention.`,
    neverAll: (count: number) =>
      count === 1
        ? 'The one project was never backed up.'
        : `None of ${formatNumber(count)} projects is backed up.`,
  },
  facts: {
    changed: (count: number) => `${common.projects(count)} changed since the newest archive`,
    lastFailed: (count: number) => `The last backup of ${common.projects(count)} failed`,
    oldest: (when: string) => `Oldest of these archives: ${when}`,
    copies: (count: number) =>
      `${formatNumber(count)} new ${count === 1 ? 'copy' : 'copies'} without a backup`,
    notAllowed: (count: number) => `${common.projects(count)} cannot be exported with this role`,
    listsMissing: (names: string) => `Not counted, because its list was never fetched: ${names}`,
    things: (count: number) =>
      count === 1 ? '1 thing to look at below' : `${count} things to look at below`,
    allWell: 'Nothing needs attention',
  },

  attention: 'Needs attention',
  attentionMore: (count: number) => `And ${formatNumber(count)} more like these.`,
  attentionText: (about: Attention): { title: string; text: string } => {
    switch (about.kind) {
      case 'archives-absent':
        return {
          title: `${common.archives(about.archives)} of ${common.projects(about.projects)} ${are(about.archives)} not there`,
          text: about.replaced
            ? `${about.path} is not the folder that it was: the mark of Packhorse is not in it. Is its disk mounted?`
            : `The archive folder ${about.path} is not there. Is its disk mounted?`,
        };
      case 'projects-incomplete':
        return {
          title: `The newest archives of ${common.projects(about.projects)} of ${about.instance} are incomplete`,
          text: 'They lack records that the projects had. Every run of a plan tries again; earlier complete archives stay.',
        };
      case 'projects-suspicious':
        return {
          title: `The newest archives of ${common.projects(about.projects)} of ${about.instance} are suspicious`,
          text: 'They hold what no export should. Every run of a plan tries again.',
        };
      case 'archive-damaged':
        return { title: `The archive of ${about.project} is damaged`, text: about.reason };
      case 'older-archive-damaged':
        return {
          title: `An older archive of ${about.project} is damaged`,
          text: `${about.reason.replace(/(?<![.!?])$/, '.')} A newer one can be read.`,
        };
      case 'job-failed':
        return { title: `${workTitle(about.jobKind, null, about.project)} failed`, text: '' };
      case 'jobs-failed':
        return {
          title: `${formatNumber(about.total)} ${jobKindText[about.jobKind].many} of ${about.instance} failed`,
          text: '',
        };
      case 'job-warnings':
        return {
          title: `${workTitle(about.jobKind, null, about.project)} ended with ${common.warnings(about.warnings)}`,
          text: warningsText(about.messages, about.warnings),
        };
      case 'plan-overdue':
        return { title: `The plan ${about.plan} of ${about.instance} is overdue`, text: '' };
      case 'plan-failed':
        return { title: `The plan ${about.plan} of ${about.instance} could not run`, text: '' };
      case 'plan-empty':
        return {
          title: `The plan ${about.plan} of ${about.instance} backed nothing up`,
          text: 'It covers no project, or none of them may be exported.',
        };
      case 'left-scope':
        return {
          title: `${about.project} is no longer backed up`,
          text: `${upperFirst(departureText(about.reason, about.detail))}; ${keptArchivesText(about.archives)}.`,
        };
      case 'token-missing':
        return {
          title: `There is no token for ${about.instance}`,
          text: 'Without one nothing can be fetched from it, backed up or imported.',
        };
      case 'token-refused':
        return {
          title: `${refusalWords[about.code]}: ${about.instance}`,
          text: 'Nothing can be fetched from it, backed up or imported until a new one is entered.',
        };
      case 'token-read-only':
        return { title: mayOnlyRead(about.instance), text: needsScope };
      case 'token-expires':
        return {
          title: `The token of ${about.instance} expires on ${formatDate(about.expiresOn)}`,
          text: 'Make a new one on the instance and enter it before that day.',
        };
      case 'never-backed-up':
        return {
          title: `${common.projects(about.projects)} of ${about.instance} ${are(about.projects)} not backed up`,
          text: 'There is no readable archive of them.',
        };
      case 'list-old':
        return about.refreshedAt === null
          ? {
              title: `The project list of ${about.instance} was never fetched`,
              text: 'Fetch it to see what is there to back up.',
            }
          : {
              title: `The project list of ${about.instance} is old`,
              text: 'New projects may be missing in it.',
            };
      case 'disk-low':
        return {
          title: `Only ${formatBytes(about.freeBytes)} are free where archives are stored`,
          text: about.path,
        };
      case 'jobs-stuck':
        return { title: 'Work is not getting on', text: '' };
      case 'notice':
        return { title: about.text, text: '' };
    }
  },
  overdueSince: 'Due since',
  of: (instance: string) => `on ${instance}`,

  verify: 'Verify again',
  verifying: (project: string) => `Verifying ${project}`,
  verifiedSound: (project: string) => `The archive of ${project} is readable.`,
  verifiedDamaged: (project: string) => `The archive of ${project} is still damaged: make a fresh backup.`,
  newestFailure: (project: string) => `The newest, of ${project}:`,
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
    `${instance} is set to be read only, and exports are asked for by requests that change something.`,
  backUpNeedsScope: (instance: string) => `${mayOnlyRead(instance)}. ${needsScope}`,
  openSettings: 'Open the settings',
  openActivity: 'Open Activity',

  instances: 'Instances',
  noInstance: 'No instance is added',
  noInstanceText:
    'Stored archives stay readable. Add an instance to back up its projects or to import into it.',
  addInstance: 'Add an instance…',
  standings: (instance: string) => `Projects of ${instance} by how they stand`,
  noProjects: 'Its list holds no project.',
  notFetched: 'Its project list was never fetched.',

  running: 'Under way',
  nothingRuns: 'Nothing is under way.',
  waiting: (count: number) => `${common.jobs(count)} waiting or queued`,
  moreRunning: (count: number) => `and ${common.jobs(count)} more`,
  watched: 'Another Packhorse on this machine runs the jobs; this window watches.',
  working: (kind: JobKind, project: string) => `${jobKindText[kind].running} ${project}`,

  due: 'Due next',
  nothingDue: 'No plan is due.',
  nothingDueText: 'A plan backs up projects by itself.',

  storage: 'Storage',
  absent: 'Not there',
  used: 'Used',
  free: 'Free on that disk',
} as const;

export const backupAllText = {
  title: (instance: string) => `Back up all of ${instance}`,
  howMany: (count: number) => `${common.projects(count)} will be exported and read to the end.`,
  listNow: 'The instance is asked now which projects that are; each is exported and read to the end.',
  scope: 'Scope',
  noticed: 'About the scope',
  startAll: 'Back up',
  leftOut: (count: number) =>
    `${common.projects(count)} ${are(count)} left out, because the role of the account is too low for an export.`,
  mail: 'GitLab sends an e-mail to the owner of the account for each export.',
  start: (count: number) => `Back up ${common.projects(count)}`,
  started: (count: number) => `${common.jobs(count)} started.`,
  resumed: (count: number) => `The same backup has not ended yet; it continues with ${common.jobs(count)}.`,
  nothing: 'There was nothing to start.',
  begun: (instance: string, count: number) => `Backup of ${instance}: ${common.jobs(count)} started.`,
  notBegun: (instance: string, what: string) => `Backup of ${instance}: ${what}`,
  refused: 'Refused',
  skipped: 'Left out',
  follow: 'Follow it in Activity',
} as const;
