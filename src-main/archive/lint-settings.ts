/** @file Predicts how the project's attributes make an import fail (gitlab-facts 7). Pure. */
import type { LintFinding } from '../../src-contract/archives/lint-schema.ts';

/** @param attributes of `tree/project.json`. */
export function lintSettings(attributes: Record<string, unknown>): LintFinding[] {
  if (attributes['shared_runners_enabled'] !== true) return [];
  return [
    {
      code: 'instance-runners',
      severity: 'info',
      place: 'tree/project.json',
      message:
        'The project uses the runners of its instance. In a group that forbids them older versions of GitLab fail the import; newer ones turn them off.',
      fix: 'Import it with the setting shared_runners_enabled overridden by false, or allow instance runners in the group.',
    },
  ];
}
