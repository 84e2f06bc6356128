/** @file The words for items that need attention, for the overview of the window and of the command line. */
import type { Attention } from '../runs/overview-schema.ts';
import { outOfScopeText, keptArchivesText } from '../projects/scope.ts';
import { tokenRefusalText } from '../tokens/token-words.ts';
import { pluralize } from './counted.ts';
import { upperFirst } from './first-letter.ts';
import { formatBytes } from './sizes.ts';
import { jobKindText, workTitle } from './work.ts';

/** `title` has no full stop. `text` is empty or consists of full sentences. Neither contains the text of an `error`. */
export interface AttentionText {
  title: string;
  text: string;
}

export const tokenReadOnlyText = {
  title: (instance: string) => `The token of ${instance} may only read`,
  text: 'Backups and imports need a token with the scope “api”.',
} as const;

/** Returns the words for an item. `formatDay` formats a day, given as `YYYY-MM-DD`, in the style of the host. */
export function attentionText(item: Attention, formatDay: (day: string) => string): AttentionText {
  switch (item.kind) {
    case 'archives-absent':
      return {
        title: `${archivesOfProjects(item)} ${item.archives === 1 ? 'is' : 'are'} not available`,
        text: item.replaced
          ? `${item.path} is not the original archive folder: it lacks the marker file of Packhorse. Check that its disk is mounted.`
          : `The archive folder ${item.path} does not exist. Check that its disk is mounted.`,
      };
    case 'projects-incomplete':
      return {
        title: `The newest archives of ${pluralize(item.projects, 'project')} of ${item.instance} are incomplete`,
        text: 'They lack records that the projects had. Every run of a plan tries again; earlier complete archives stay.',
      };
    case 'projects-suspicious':
      return {
        title: `The newest archives of ${pluralize(item.projects, 'project')} of ${item.instance} are suspicious`,
        text: 'They contain something that no export should. Every run of a plan tries again.',
      };
    case 'archive-damaged':
      return {
        title: `The archive of ${item.project} is ${damageWord(item)}`,
        text: asSentence(item.reason),
      };
    case 'older-archive-damaged':
      return {
        title: `An older archive of ${item.project} is ${damageWord(item)}`,
        text: `${asSentence(item.reason)} A newer archive can be read.`,
      };
    case 'job-failed':
      return { title: `${workTitle(item.jobKind, null, item.project)} failed`, text: '' };
    case 'jobs-failed': {
      const { singular, plural } = jobKindText[item.jobKind];
      return { title: `${pluralize(item.total, singular, plural)} of ${item.instance} failed`, text: '' };
    }
    case 'job-warnings':
      return {
        title: `${workTitle(item.jobKind, null, item.project)} ended with ${pluralize(item.warnings, 'warning')}`,
        text: warningsText(item.messages, item.warnings),
      };
    case 'plan-overdue':
      return { title: `The plan ${item.plan} of ${item.instance} is overdue`, text: '' };
    case 'plan-failed':
      return { title: `The plan ${item.plan} of ${item.instance} could not run`, text: '' };
    case 'plan-empty':
      return {
        title: `The plan ${item.plan} of ${item.instance} backed nothing up`,
        text: 'It covers no project, or the account may export none of them.',
      };
    case 'left-scope':
      return {
        title: `${item.project} is no longer backed up`,
        text: `${upperFirst(outOfScopeText(item.reason, item.detail))}; ${keptArchivesText(item.archives)}.`,
      };
    case 'token-missing':
      return {
        title: `There is no token for ${item.instance}`,
        text: 'Without a token, nothing can be fetched, backed up or imported.',
      };
    case 'token-refused':
      return {
        title: `${tokenRefusalText[item.code]}: ${item.instance}`,
        text: 'Until you enter a new token, nothing can be fetched, backed up or imported.',
      };
    case 'token-read-only':
      return { title: tokenReadOnlyText.title(item.instance), text: tokenReadOnlyText.text };
    case 'token-expires':
      return {
        title: `The token of ${item.instance} expires on ${formatDay(item.expiresOn)}`,
        text: 'Make a new token on the instance and enter it before that day.',
      };
    case 'never-backed-up':
      return {
        title: `${pluralize(item.projects, 'project')} of ${item.instance} ${item.projects === 1 ? 'is' : 'are'} not backed up`,
        text: 'There is no readable archive.',
      };
    case 'list-old':
      return item.refreshedAt === null
        ? {
            title: `The project list of ${item.instance} was never fetched`,
            text: 'Fetch it to see the projects that can be backed up.',
          }
        : {
            title: `The project list of ${item.instance} is old`,
            text: 'It may lack new projects.',
          };
    case 'disk-low':
      return {
        title: `Only ${formatBytes(item.freeBytes)} are free where archives are stored`,
        text: `The folder is ${item.path}.`,
      };
    case 'jobs-stuck':
      return { title: 'No job can continue', text: '' };
    case 'notice':
      return { title: item.text, text: '' };
  }
}

const damageWord = ({ unusable }: { unusable?: true | undefined }): string =>
  unusable === true ? 'unusable' : 'damaged';

const archivesOfProjects = ({ archives, projects }: { archives: number; projects: number }): string =>
  `${pluralize(archives, 'archive')} of ${pluralize(projects, 'project')}`;

/** Returns the messages as sentences, and the number of further warnings. */
function warningsText(messages: readonly string[], warnings: number): string {
  const more = warnings - messages.length;
  return [...messages.map(asSentence), ...(more > 0 ? [`And ${more} more.`] : [])].join(' ');
}

const asSentence = (text: string): string => text.replace(/(?<![.!?])$/, '.');
