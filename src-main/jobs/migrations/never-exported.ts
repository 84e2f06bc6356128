/** @file The parts of a project that no export contains (gitlab-facts 7, "Not exported"). Pure. */
import type { NotExportedKind } from '../../../src-contract/migrations/migration.ts';
import { upperFirst } from '../../../src-contract/words/first-letter.ts';
import { closingMergeRequests, jobTags, releaseEvidence } from './comparing/losses/unexported-parts.ts';
import { joinWords } from '../../../src-contract/words/join-words.ts';

/** The names of the parts that the checks before a migration count for each project. */
export const countedParts: Readonly<Record<NotExportedKind, { one: string; many: string }>> = {
  variables: { one: 'CI/CD variable', many: 'CI/CD variables' },
  hooks: { one: 'webhook', many: 'webhooks' },
  deploy_keys: { one: 'deploy key', many: 'deploy keys' },
  triggers: { one: 'pipeline trigger', many: 'pipeline triggers' },
  registry_repositories: { one: 'container image repository', many: 'container image repositories' },
  packages: { one: 'package', many: 'packages' },
  environments: { one: 'environment', many: 'environments' },
  pages: { one: 'Pages site', many: 'Pages sites' },
  secure_files: { one: 'secure file', many: 'secure files' },
  mirrors: { one: 'push mirror', many: 'push mirrors' },
};

type Subject = 'pipelines' | 'records' | 'project';

interface UnexportedParts {
  counted?: readonly NotExportedKind[];
  /** Parts that cannot be counted before a migration. */
  uncounted?: readonly string[];
  /** The subject of the uncounted parts. */
  subject: Subject;
  /** Advice at the end of the sentence. */
  hint?: string;
}

const unexportedParts: readonly UnexportedParts[] = [
  {
    subject: 'pipelines',
    counted: ['variables', 'secure_files'],
    uncounted: ['variables of pipeline schedules'],
  },
  {
    subject: 'project',
    counted: ['hooks', 'deploy_keys', 'triggers', 'mirrors'],
    uncounted: ['integrations', 'deploy tokens', 'the allowlist of job tokens'],
  },
  {
    subject: 'project',
    counted: ['registry_repositories', 'packages'],
    hint: 'pull them from the source and push them to the target',
  },
  {
    subject: 'pipelines',
    uncounted: [
      'job logs and artifacts',
      'the history of child pipelines',
      'dangling pipelines (of the Web IDE, scans, policies and GitLab Duo)',
      'variables of pipelines',
      jobTags,
    ],
    hint: 'run pipelines again',
  },
  {
    subject: 'records',
    uncounted: [
      'links between issues and between merge requests',
      'all but the latest diff of a merge request',
    ],
  },
  {
    subject: 'records',
    uncounted: ['changes of the weight of issues', closingMergeRequests, releaseEvidence],
  },
  {
    subject: 'pipelines',
    counted: ['environments'],
    uncounted: ['deployments', 'feature flags', 'deploy freezes'],
  },
  {
    subject: 'project',
    uncounted: ['the groups that the project is shared with', 'the fork relation'],
  },
  { subject: 'records', uncounted: ['the users and times of uploads'] },
  {
    subject: 'project',
    counted: ['pages'],
    uncounted: [
      'required approvals',
      'security policies',
      'Pages domains',
      'the limit of the repository size',
      'the log of Git events',
    ],
  },
];

const uncountedOf = (wanted: Subject): string[] =>
  unexportedParts.flatMap(({ subject, uncounted = [] }) => (subject === wanted ? uncounted : []));

/** Sentences for the checks before a migration about the parts that cannot be counted. */
export const uncountedSentences: readonly string[] = [
  `Exports also lack these parts of pipelines and deployments: ${joinWords(uncountedOf('pipelines'))}.`,
  `They lack these parts of issues, merge requests, releases and uploads: ${joinWords(uncountedOf('records'))}.`,
  `They lack these parts of the project itself: ${joinWords(uncountedOf('project'))}.`,
];

/** Parts that cannot be counted before a migration. */
export const uncountedParts: readonly string[] = unexportedParts.flatMap(({ uncounted = [] }) => uncounted);

/** Sentences for the report of a migration. */
export const neverExported: readonly string[] = [
  ...unexportedParts.map(({ counted = [], uncounted = [], hint }) => {
    const parts = joinWords([...counted.map((kind) => countedParts[kind].many), ...uncounted]);
    return `${upperFirst(parts)}${hint === undefined ? '' : `: ${hint}`}.`;
  }),
  'Most settings of pipelines (deployments, caches, artifacts, job tokens, merge trains), topics, and whether LFS, packages and e-mails are on: differences on the target are named below.',
  'Members and authors of records, unless an administrator imports: then GitLab finds them by public e-mail.',
];
