/** @file The words for the steps of jobs. */
import type { JobKind } from '../runs/job.ts';
import type { jobSteps } from '../runs/job-steps.ts';

const words: { [Kind in JobKind]: Record<(typeof jobSteps)[Kind][number], string> } = {
  export: {
    prepare: 'Counting the records of the source',
    'keep-existing': 'Storing an earlier export',
    request: 'Requesting a new export',
    wait: 'Waiting for GitLab to export',
    count: 'Counting the records of the source again',
    store: 'Downloading and reading the archive',
    prune: 'Moving older archives to the trash',
  },
  import: {
    prepare: 'Checking archive and target',
    send: 'Sending the archive',
    wait: 'Waiting for GitLab to import',
    explain: 'Looking up what failed',
    compare: 'Comparing the result',
  },
  change: {
    prepare: 'Reading the project',
    send: 'Sending the change',
    follow: 'Reading the result',
  },
  'relation-import': {
    prepare: 'Checking archive and project',
    send: 'Sending the archive',
    wait: 'Waiting for GitLab to import',
    compare: 'Counting the imported records',
  },
  token: {
    prepare: 'Reading the tokens',
    send: 'Sending the request and storing the response',
  },
};

/** Returns a step in words; its name if only another version knows the step. */
export const stepWords = (kind: JobKind, name: string): string =>
  (words[kind] as Partial<Record<string, string>>)[name] ?? name;
