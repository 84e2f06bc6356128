/** @file Words that several views and the components share. Sentences with values in them are functions. */
import { relationLabel } from '../../src-contract/words/relations.ts';
import type { Destroyed } from '../../src-contract/host.ts';
import { formatBytes } from '../../src-contract/words/sizes.ts';
import { formatNumber } from './format.ts';

const counted = (count: number, one: string, many: string): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;

export const common = {
  product: 'Packhorse',
  loading: 'Loading…',
  retry: 'Try again',
  reload: 'Reload the window',
  cancel: 'Cancel',
  waiting: (text: string) => `Waiting: ${text}`,
  waitingText: 'The backup starts by itself as soon as the instance answers again.',
  close: 'Close',
  clear: 'Clear',
  copy: 'Copy',
  copied: 'Copied',
  details: 'Details',
  more: 'More',
  dismiss: 'Dismiss',
  showSecret: 'Show what was typed',
  hideSecret: 'Hide what was typed',
  never: 'Never',
  /** Beside the field of a day. */
  timeOf: (day: string) => `${day}: time of day`,
  unknown: 'Unknown',
  none: 'None',
  yes: 'Yes',
  no: 'No',
  errorCode: 'Code',
  errorMessage: 'Message',
  equivalentCommand: 'Equivalent command',
  projects: (count: number) => counted(count, 'project', 'projects'),
  archives: (count: number) => counted(count, 'archive', 'archives'),
  jobs: (count: number) => counted(count, 'job', 'jobs'),
  findings: (count: number) => counted(count, 'finding', 'findings'),
  warnings: (count: number) => counted(count, 'warning', 'warnings'),
  records: (count: number) => counted(count, 'record', 'records'),
  failures: (count: number) => counted(count, 'failure', 'failures'),
  requests: (count: number) => counted(count, 'request', 'requests'),
  mendAbove: 'Mend what is marked above first.',
  confirmDestroys: 'This will be destroyed and cannot be brought back:',
  confirmTyped: (word: string) => `Type “${word}” to confirm`,
  destroyed: ({ what, name, count }: Destroyed): string => {
    const quantity = count === null ? '' : formatNumber(count);
    switch (what) {
      case 'token':
        return `The token of ${name}`;
      case 'project-list':
        return quantity === ''
          ? `The stored project list of ${name}`
          : `The stored project list of ${name} (${quantity})`;
      case 'plan':
        return quantity === '' ? `The plan ${name}` : `The plans of ${name} (${quantity})`;
      case 'project':
        return `The project ${name} on the instance, with everything in it`;
      case 'records':
        return quantity === '' ? relationLabel(name) : `${relationLabel(name)}: ${quantity}`;
      case 'access-token':
        return `The token ${name} on the instance, and what uses it`;
      case 'trash':
        return `Everything in the trash folder (${formatBytes(count ?? 0)})`;
    }
  },
} as const;

export const progressText = {
  of: (done: string, total: string) => `${done} of ${total}`,
  left: (time: string) => `${time} left`,
  recordsPerSecond: (rate: string) => `${rate} per second`,
};

export const dropText = {
  drop: 'Drop it to read it',
  choose: 'Choose a file…',
  reading: (name: string) => `Taking ${name}…`,
  copied: 'Packhorse keeps a copy of it in its data folder until Packhorse stops.',
};
