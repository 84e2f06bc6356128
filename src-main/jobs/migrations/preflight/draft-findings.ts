/** @file Finds parts of a migration's draft that will have no effect. Pure. */
import { ruleApplies, splitPath } from '../placing.ts';
import { unknownOverrides } from '../../../../src-contract/transfers/override-params.ts';
import type { Facts } from './facts.ts';
import { accessLevels } from '../access-levels.ts';
import { blocker, info, migrationFinding, warning, type RuleFinding } from './rule-finding.ts';
import { sourceRole } from './project-findings.ts';

export function draftFindings(facts: Facts): RuleFinding[] {
  const { draft, projects } = facts;
  const groups = projects.map(({ sourcePath }) => splitPath(sourcePath).group);
  const unusedRules = draft.rules.filter((rule) => !groups.some((group) => ruleApplies(rule, group)));
  const unknownNames = new Set([
    ...unknownOverrides(draft.overrideParams),
    ...projects.flatMap(({ placement }) => unknownOverrides(placement.overrideParams)),
  ]);
  return [
    ...unusedRules.map(({ from, to }) =>
      migrationFinding(
        warning(
          'rule-without-project',
          `The rule ${from} → ${to} applies to none of the projects.`,
          'Check the spelling of the source group; a project without a rule keeps its group.',
        ),
        from,
      ),
    ),
    ...archivePermissionFindings(facts),
    ...[...unknownNames].map((name) =>
      migrationFinding(
        blocker(
          'override-unknown',
          `GitLab has no project setting named ${name}.`,
          'GitLab ignores unknown settings. Check the name in its API.',
        ),
        name,
      ),
    ),
  ];
}

/**
 * Reports sources that the account cannot archive at the end, which needs the role Owner. If sources are archived
 * first, each such source is a blocker instead.
 */
function archivePermissionFindings({ draft, projects, source: side }: Facts): RuleFinding[] {
  if (draft.freeze) return [];
  const notOwnedProjects = projects.filter(({ source }) => {
    const role = source === null ? null : sourceRole(source, side);
    return role !== null && role < accessLevels.owner;
  });
  const [first] = notOwnedProjects;
  if (first === undefined) return [];
  const moreCount = notOwnedProjects.length - 1;
  return [
    migrationFinding(
      info(
        'source-not-owner',
        `${side.user.username} is not an Owner of ${first.sourcePath}${moreCount === 0 ? '' : ` and ${moreCount} more`} and cannot archive ${moreCount === 0 ? 'it' : 'them'} at the end.`,
        'To archive the sources after the move, have the role raised to Owner.',
      ),
    ),
  ];
}
