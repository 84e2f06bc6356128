import { expect, it } from 'vitest';
import { findingsText } from '../../../../../src-main/hosts/cli/migrations/finding-text.ts';
import type { PreflightFinding } from '../../../../../src-contract/migrations/migration.ts';

const finding = (project: string, changes: Partial<PreflightFinding> = {}): PreflightFinding => ({
  id: `visibility-lowered:${project}`,
  code: 'visibility-lowered',
  severity: 'warning',
  project,
  message: 'It is public, but moved is private, so it becomes private.',
  advice: 'Raise the visibility of the group first, or accept the lower visibility; it can be changed later. '
    .repeat(4)
    .trim(),
  overridden: null,
  ...changes,
});

it('a finding about many projects is printed once with their number, in lines that fit a terminal', () => {
  const text = findingsText(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((letter) => finding(`group/${letter}`)));
  expect(text).toMatch(
    /^warning {2}visibility-lowered\n {2}For 7 projects \(group\/a, group\/b, group\/c and 4 more\): It is public/,
  );
  expect(text.match(/It is public/g)).toHaveLength(1);
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
});

it('findings that differ, block or are overridden are printed for each project, with the id that overrides them', () => {
  const overridden = { at: '2026-01-01T00:00:00.000Z', note: 'It is known.' };
  const text = findingsText([
    finding('group/a', { severity: 'blocker' }),
    finding('group/b', { severity: 'blocker' }),
    finding('group/c', { overridden }),
    finding('group/d', { message: 'It is internal.' }),
  ]);
  for (const letter of ['a', 'b', 'c', 'd']) expect(text).toContain(`visibility-lowered:group/${letter}`);
  expect(text).toContain('Overridden: It is known.');
});
