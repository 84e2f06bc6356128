/** @file What was written into a migration and will have no effect. Pure. */
import { isAbout, splitPath } from '../migrations/placing.ts';
import { unknownOverrides } from '../../../src-preload/contract/projects/override-params.ts';
import type { Facts } from './facts.ts';
import { overall, type Found } from './found.ts';

export function draftFindings({ draft, projects }: Facts): Found[] {
  const groups = projects.map(({ sourcePath }) => splitPath(sourcePath).group);
  const idle = draft.rules.filter((rule) => !groups.some((group) => isAbout(rule, group)));
  const unknown = new Set([
    ...unknownOverrides(draft.overrideParams),
    ...projects.flatMap(({ placement }) => unknownOverrides(placement.overrideParams)),
  ]);
  return [
    ...idle.map(({ from, to }) =>
      overall(
        {
          code: 'rule-without-project',
          severity: 'warning',
          message: `The rule ${from} → ${to} is about none of the projects.`,
          advice:
            'Look whether the group of the source is spelled as it is there; a project without a rule keeps its group.',
        },
        from,
      ),
    ),
    ...[...unknown].map((name) =>
      overall(
        {
          code: 'override-unknown',
          severity: 'blocker',
          message: `No project is known to have a setting ${name}.`,
          advice: 'GitLab passes over what it does not know. Look whether the name is one of its API.',
        },
        name,
      ),
    ),
  ];
}
