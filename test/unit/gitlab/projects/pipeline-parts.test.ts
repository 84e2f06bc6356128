import { expect, it } from 'vitest';
import { showsRetriedJobs } from '../../../../src-main/gitlab/projects/pipeline-parts.ts';

it('all attempts of jobs are shown before GitLab 13.5 and since 13.9, and a version that is not known counts as newer', () => {
  const versions = ['12.10.14', '13.4.7', '13.5.0', '13.8.8-ee', '13.9.0', '18.5.0-ee', null];
  expect(versions.filter(showsRetriedJobs)).toEqual(['12.10.14', '13.4.7', '13.9.0', '18.5.0-ee', null]);
});
