/** @file One finding of the checks before a migration, as the rules produce it. */
import type { PreflightFinding } from '../../../../src-contract/migrations/migration.ts';

export type Found = Omit<PreflightFinding, 'overridden'>;

interface FindingText {
  code: string;
  severity: PreflightFinding['severity'];
  message: string;
  advice: string;
}

/**
 * A finding about the whole migration. `about` distinguishes it from others of its code, for example by the path of a
 * group.
 */
export const overall = (finding: FindingText, about?: string): Found => ({
  ...finding,
  id: about === undefined ? finding.code : `${finding.code}:${about}`,
  project: null,
});

/** A finding about one project, identified by its path on the source. */
export const ofProject = (sourcePath: string, finding: FindingText): Found => ({
  ...finding,
  id: `${finding.code}:${sourcePath}`,
  project: sourcePath,
});
