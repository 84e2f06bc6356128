/** @file Collects all findings of the checks before a migration. Pure. */
import { preflightSeverities } from '../../../../src-contract/migrations/migration.ts';
import { draftFindings } from './draft-findings.ts';
import type { Facts } from './facts.ts';
import type { RuleFinding } from './rule-finding.ts';
import { namespaceFindings } from './namespace-findings.ts';
import { projectFindings } from './project-findings.ts';
import { sideFindings } from './side-findings.ts';

/** Returns blockers first, then warnings. Within each severity, findings about the whole migration come first. */
export function findingsOf(facts: Facts): RuleFinding[] {
  const found = [
    ...sideFindings(facts),
    ...draftFindings(facts),
    ...namespaceFindings(facts),
    ...projectFindings(facts),
  ];
  const rank = ({ severity }: RuleFinding): number => preflightSeverities.indexOf(severity);
  return found.toSorted((a, b) => rank(a) - rank(b));
}

/** Returns every required group that is missing, outermost first. `exists` is called with each prefix in lower case. */
export function findMissingGroups(
  namespaces: readonly string[],
  exists: (path: string) => boolean,
): string[] {
  const missing = new Map<string, string>();
  for (const namespace of namespaces) {
    const parts = namespace.split('/');
    for (let length = 1; length <= parts.length; length += 1) {
      const path = parts.slice(0, length).join('/');
      const folded = path.toLowerCase();
      if (path !== '' && !missing.has(folded) && !exists(folded)) missing.set(folded, path);
    }
  }
  const depth = (path: string): number => path.split('/').length;
  return [...missing.values()].sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1));
}
