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
        'The project uses the runners of its instance. In a group that forbids them, the import fails on older versions of GitLab; newer versions switch them off.',
      fix: 'Import it with the override shared_runners_enabled=false, or allow instance runners in the group.',
    },
  ];
}
