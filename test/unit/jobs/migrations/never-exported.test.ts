/** @file The parts that no export contains are the same in the report, in the checks and in the documentation. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { neverExported, uncountedParts } from '../../../../src-main/jobs/migrations/never-exported.ts';

const docs = readFileSync('docs/migrations.md', 'utf8')
  .split('\n## What no export contains\n')[1]
  ?.split('\n## ')[0];

it.each(uncountedParts)('%s are named in the report and in the documentation', (part) => {
  expect(neverExported.join('\n').toLowerCase()).toContain(part.toLowerCase());
  expect(docs).toContain(part);
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
