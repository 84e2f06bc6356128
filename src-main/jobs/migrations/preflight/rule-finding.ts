/** @file One finding of the checks before a migration, as the rules produce it. */
import type { PreflightFinding } from '../../../../src-contract/migrations/migration.ts';
import type { Side } from './facts.ts';

export type RuleFinding = Omit<PreflightFinding, 'overridden'>;

export interface FindingDetails {
  code: string;
  severity: PreflightFinding['severity'];
  message: string;
  advice: string;
  blocksOnlyProject?: true;
}

const findingBuilder =
  (severity: FindingDetails['severity']) =>
  (code: string, message: string, advice: string): FindingDetails => ({ code, severity, message, advice });

export const blocker = findingBuilder('blocker');
/** Builds a blocker that does not prevent the start: only its project does not move. */
export const projectBlocker = (...details: Parameters<typeof blocker>): FindingDetails => ({
  ...blocker(...details),
  blocksOnlyProject: true,
});
export const warning = findingBuilder('warning');
export const info = findingBuilder('info');

/** Returns the findings of the rules that apply. A rule that does not apply gives false. */
export const keepApplicable = (rules: readonly (FindingDetails | false)[]): FindingDetails[] =>
  rules.filter((rule) => rule !== false);

/** A finding about the whole migration. `subject` distinguishes it from other findings with the same code. */
export const migrationFinding = (finding: FindingDetails, subject?: string): RuleFinding => ({
  ...finding,
  id: subject === undefined ? finding.code : `${finding.code}:${subject}`,
  project: null,
});

/** Returns the id of the finding about a project that this side cannot show. */
export const unreadableFindingId = (side: Side, sourcePath: string): string =>
  `${side}-unreadable:${sourcePath}`;

export const projectFinding = (sourcePath: string, finding: FindingDetails): RuleFinding => ({
  ...finding,
  id: `${finding.code}:${sourcePath}`,
  project: sourcePath,
});
