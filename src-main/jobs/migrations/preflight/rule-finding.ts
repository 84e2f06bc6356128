/** @file One finding of the checks before a migration, as the rules produce it. */
import type { PreflightFinding } from '../../../../src-contract/migrations/migration.ts';

export type RuleFinding = Omit<PreflightFinding, 'overridden'>;

export interface FindingDetails {
  code: string;
  severity: PreflightFinding['severity'];
  message: string;
  advice: string;
}

const textOf =
  (severity: FindingDetails['severity']) =>
  (code: string, message: string, advice: string): FindingDetails => ({ code, severity, message, advice });

export const blocker = textOf('blocker');
export const warning = textOf('warning');
export const info = textOf('info');

/** Returns the findings of the rules that apply. A rule that does not apply gives false. */
export const keepApplicable = (rules: readonly (FindingDetails | false)[]): FindingDetails[] =>
  rules.filter((rule) => rule !== false);

/** A finding about the whole migration. `about` distinguishes it from other findings with the same code. */
export const migrationFinding = (finding: FindingDetails, about?: string): RuleFinding => ({
  ...finding,
  id: about === undefined ? finding.code : `${finding.code}:${about}`,
  project: null,
});

export const projectFinding = (sourcePath: string, finding: FindingDetails): RuleFinding => ({
  ...finding,
  id: `${finding.code}:${sourcePath}`,
  project: sourcePath,
});
