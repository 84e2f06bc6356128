/** @file The parts of a project that no export contains (gitlab-facts 7, "Not exported"). Pure. */
import { upperFirst } from '../../../src-contract/words/first-letter.ts';
import { joinWords } from '../../../src-contract/words/join-words.ts';

interface UnexportedParts {
  /** Parts that the checks before a migration count for each project. */
  counted?: readonly string[];
  uncounted?: readonly string[];
  /** Advice at the end of the sentence. */
  hint?: string;
}

const unexportedParts: readonly UnexportedParts[] = [
  { counted: ['CI/CD variables', 'secure files'], uncounted: ['variables of pipeline schedules'] },
  {
    counted: ['webhooks', 'deploy keys', 'pipeline triggers', 'push mirrors'],
    uncounted: ['integrations', 'deploy tokens', 'the allowlist of job tokens'],
  },
  {
    counted: ['container images', 'packages'],
    hint: 'pull them from the source and push them to the target',
  },
  {
    uncounted: [
      'job logs and artifacts',
      'the history of child pipelines',
      'dangling pipelines (of the Web IDE, scans, policies and GitLab Duo)',
      'variables of pipelines',
      'tags of jobs',
    ],
    hint: 'run pipelines again',
  },
  {
    uncounted: [
      'links between issues and between merge requests',
      'all but the latest diff of a merge request',
    ],
  },
  {
    uncounted: [
      'changes of the weight of issues',
      'merge requests that close issues',
      'evidence of releases',
    ],
  },
  { counted: ['environments'], uncounted: ['deployments', 'feature flags', 'deploy freezes'] },
  { uncounted: ['the groups that the project is shared with', 'the fork relation'] },
  { uncounted: ['the users and times of uploads'] },
  {
    counted: ['Pages sites'],
    uncounted: [
      'required approvals',
      'security policies',
      'Pages domains',
      'the limit of the repository size',
      'the log of Git events',
    ],
  },
];

/** Parts that cannot be counted before a migration. */
export const uncountedParts: readonly string[] = unexportedParts.flatMap(({ uncounted = [] }) => uncounted);

/** Sentences for the report of a migration. */
export const neverExported: readonly string[] = [
  ...unexportedParts.map(
    ({ counted = [], uncounted = [], hint }) =>
      `${upperFirst(joinWords([...counted, ...uncounted]))}${hint === undefined ? '' : `: ${hint}`}.`,
  ),
  'Most settings of pipelines (deployments, caches, artifacts, job tokens, merge trains), topics, and whether LFS, packages and e-mails are on: differences on the target are named below.',
  'Members and authors of records, unless an administrator imports: then GitLab finds them by public e-mail.',
];
