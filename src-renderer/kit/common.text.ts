/** @file Texts that several views and the components share. Sentences with values in them are functions. */
import { relationLabel } from '../../src-contract/words/relations.ts';
import type { DestroyedData } from '../../src-contract/host.ts';
import { formatBytes } from '../../src-contract/words/sizes.ts';
import { formatNumber } from './format.ts';

/** `many` defaults to `one` with an "s". */
export const pluralize = (count: number, one: string, many = `${one}s`): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;

export const common = {
  product: 'Packhorse',
  loading: 'Loading…',
  retry: 'Try again',
  reload: 'Reload the window',
  cancel: 'Cancel',
  waiting: (text: string) => `Waiting: ${text}`,
  waitingText: 'The backup starts automatically as soon as the instance responds again.',
  close: 'Close',
  clear: 'Clear',
  copy: 'Copy',
  copied: 'Copied',
  details: 'Details',
  more: 'More',
  dismiss: 'Dismiss',
  showSecret: 'Show the typed text',
  hideSecret: 'Hide the typed text',
  never: 'Never',
  timeOf: (day: string) => `${day}: time of day`,
  unknown: 'Unknown',
  none: 'None',
  any: 'Any',
  yes: 'Yes',
  no: 'No',
  errorCode: 'Code',
  errorMessage: 'Message',
  equivalentCommand: 'Equivalent command',
  projects: (count: number) => pluralize(count, 'project', 'projects'),
  archives: (count: number) => pluralize(count, 'archive', 'archives'),
  jobs: (count: number) => pluralize(count, 'job', 'jobs'),
  findings: (count: number) => pluralize(count, 'finding', 'findings'),
  warnings: (count: number) => pluralize(count, 'warning', 'warnings'),
  records: (count: number) => pluralize(count, 'record', 'records'),
  failures: (count: number) => pluralize(count, 'failure', 'failures'),
  requests: (count: number) => pluralize(count, 'request', 'requests'),
  fixErrorsAbove: 'Correct the fields marked above first.',
  confirmDestroys: 'This will be destroyed and cannot be restored:',
  confirmTyped: (word: string) => `Type “${word}” to confirm`,
  destroyed: ({ what, name, count }: DestroyedData): string => {
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
        return `The token ${name} on the instance; everything that uses it stops working`;
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
  drop: 'Drop the file to read it',
  choose: 'Choose a file…',
  reading: (name: string) => `Reading ${name}…`,
  copied: 'A copy of the file is kept in the data folder until Packhorse stops.',
};
