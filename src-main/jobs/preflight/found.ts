/** @file One finding of the checks before a migration, as the rules write it. */
import type { PreflightFinding } from '../../../src-contract/migrations/migration.ts';

export type Found = Omit<PreflightFinding, 'overridden'>;

interface FindingText {
  code: string;
  severity: PreflightFinding['severity'];
  message: string;
  advice: string;
}

/** About the whole migration. `about`: what tells it from others of its code, as the path of a group. */
export const overall = (said: FindingText, about?: string): Found => ({
  ...said,
  id: about === undefined ? said.code : `${said.code}:${about}`,
  project: null,
});

/** About one project, by its path on the source. */
export const ofProject = (sourcePath: string, said: FindingText): Found => ({
  ...said,
  id: `${said.code}:${sourcePath}`,
  project: sourcePath,
});
