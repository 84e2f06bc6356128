/** @file One finding of the checks before a migration, as the rules produce it. */
import type { PreflightFinding } from '../../../../src-contract/migrations/migration.ts';

export type Found = Omit<PreflightFinding, 'overridden'>;

export interface FindingText {
  code: string;
  severity: PreflightFinding['severity'];
  message: string;
  advice: string;
}

const textOf =
  (severity: FindingText['severity']) =>
  (code: string, message: string, advice: string): FindingText => ({ code, severity, message, advice });

export const blocker = textOf('blocker');
export const warning = textOf('warning');
export const info = textOf('info');

/** Returns the rules that apply. A rule that does not apply is false. */
export const applying = (rules: readonly (FindingText | false)[]): FindingText[] =>
  rules.filter((rule) => rule !== false);

/** A finding about the whole migration. `about` distinguishes it from other findings with the same code. */
export const overall = (finding: FindingText, about?: string): Found => ({
  ...finding,
  id: about === undefined ? finding.code : `${finding.code}:${about}`,
  project: null,
});

export const ofProject = (sourcePath: string, finding: FindingText): Found => ({
  ...finding,
  id: `${finding.code}:${sourcePath}`,
  project: sourcePath,
});
