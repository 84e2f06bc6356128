import { expect, it } from 'vitest';
import { backupStatusText } from '../../../../src-contract/words/states.ts';

it('a current project is described by the activity that GitLab recorded, which may lack later work', () => {
  const { hint } = backupStatusText.current;
  expect(hint).toContain('GitLab recorded no activity');
  expect(hint).toContain('at most once an hour');
});
