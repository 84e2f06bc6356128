/** @file The parts that no export contains are the same in the report, in the checks and in the documentation. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { notExportedKinds } from '../../../../src-contract/migrations/migration.ts';
import {
  countedParts,
  neverExported,
  uncountedParts,
  uncountedSentences,
} from '../../../../src-main/jobs/migrations/never-exported.ts';

const reported = neverExported.join('\n').toLowerCase();
const docs = readFileSync('docs/migrations.md', 'utf8')
  .split('\n## What no export contains\n')[1]
  ?.split('\n## ')[0];

it.each(uncountedParts)('%s are named in the checks and in the documentation', (part) => {
  expect(uncountedSentences.filter((sentence) => sentence.includes(part))).toHaveLength(1);
  expect(docs).toContain(part);
});

it.each(notExportedKinds)(
  '%s, which the checks count, are named in the report and in the documentation',
  (kind) => {
    const { many } = countedParts[kind];
    expect(reported).toContain(many.toLowerCase());
    expect(docs).toContain(many);
  },
);

const bullets = (docs ?? '')
  .split('\n\n')
  .filter((paragraph) => paragraph.startsWith('- '))
  .flatMap((list) => list.slice(2).split('\n- '))
  .map((bullet) => bullet.replaceAll(/\s+/g, ' '));

it('the documentation has a list of them', () => {
  expect(bullets.length).toBeGreaterThan(5);
});

it.each(bullets)('the report names all of “%s”', (bullet) => {
  // A longer name may contain a shorter one.
  const names = [...uncountedParts, ...Object.values(countedParts).map(({ many }) => many)]
    .filter((name) => reported.includes(name.toLowerCase()))
    .toSorted((a, b) => b.length - a.length);
  const [parts = ''] = bullet.split(': ');
  const unreported = names.reduce((rest, name) => rest.replaceAll(name, ''), parts);
  expect(unreported.replaceAll(/\band\b|[,\s]/g, '')).toBe('');
});

it('parts with “and” are separated by a comma from the last one', () => {
  expect(neverExported).toContain(
    'Job logs and artifacts, the history of child pipelines, dangling pipelines (of the Web IDE, scans, policies and GitLab Duo), variables of pipelines, and tags of jobs: run pipelines again.',
  );
  expect(neverExported).toContain(
    'Container image repositories and packages: pull them from the source and push them to the target.',
  );
});

it('parts that the API shows and no archive has are among them', () => {
  expect(uncountedParts).toEqual(
    expect.arrayContaining([
      ...[
        'the groups that the project is shared with',
        'the fork relation',
        'the users and times of uploads',
      ],
      ...['feature flags', 'deploy freezes', 'deployments'],
    ]),
  );
});
