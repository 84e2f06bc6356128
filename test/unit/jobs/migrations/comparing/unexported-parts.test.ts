import { expect, it } from 'vitest';
import { describeUnexportedPipelines } from '../../../../../src-main/jobs/migrations/comparing/losses/unexported-pipelines.ts';
import {
  describeUnexportedParts,
  shownUnexportedParts,
} from '../../../../../src-main/jobs/migrations/comparing/losses/unexported-parts.ts';

it.each<[string, Record<string, unknown>, string[]]>([
  ['issues', { merge_requests_count: 2 }, ['merge requests that close issues']],
  ['issues', { merge_requests_count: 0 }, []],
  ['releases', { evidences: [{ sha: 'abc' }] }, ['evidence of releases']],
  ['releases', { evidences: [] }, []],
  ['ci_pipelines', { jobs: [{ tag_list: [] }, { tag_list: ['docker'] }] }, ['tags of jobs']],
  ['ci_pipelines', { jobs: [{ tag_list: [] }, {}] }, []],
  ['labels', { jobs: [{ tag_list: ['docker'] }] }, []],
])('a part of %s that no export contains is found in %j: %j', (relation, row, parts) => {
  expect(shownUnexportedParts(relation, row)).toEqual(parts);
});

it('the parts are named with the number of records of the source that were read', () => {
  const tagged = { unexportedParts: ['tags of jobs'] };
  const issues = [{ unexportedParts: ['merge requests that close issues'] }, {}];
  expect(describeUnexportedParts({ issues, ci_pipelines: [tagged, tagged], releases: null })).toEqual([
    'No export contains these parts of the source (number of records, of those that were read): merge requests that close issues (1), tags of jobs (2).',
  ]);
  expect(describeUnexportedParts({ issues: [{}] })).toEqual([]);
});

it('the sources of pipelines are named with their numbers', () => {
  expect(describeUnexportedPipelines(['webide', 'duo_workflow', 'webide'])).toEqual([
    'GitLab exports no pipelines of these sources: duo_workflow (1), webide (2).',
  ]);
  expect(describeUnexportedPipelines([])).toEqual([]);
});
