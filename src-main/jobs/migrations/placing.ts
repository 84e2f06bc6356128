/** @file The destinations of a migration's projects: the rules about groups, and what GitLab would refuse. Pure. */
import type { MappingRule, Placement } from '../../../src-contract/migrations/migration.ts';
import { reservedPaths } from '../../../src-contract/projects/project-attribute-values.ts';
import { overrideProblems } from '../../../src-contract/transfers/override-params.ts';

const foldCase = (path: string): string => path.toLowerCase();

export function splitPath(fullPath: string): { group: string; path: string } {
  const at = fullPath.lastIndexOf('/');
  return { group: fullPath.slice(0, Math.max(at, 0)), path: fullPath.slice(at + 1) };
}

/** Returns whether a rule applies to the projects of a group. If several rules apply, the longest one wins. */
export const ruleApplies = ({ from }: MappingRule, group: string): boolean =>
  from === '' || foldCase(group) === foldCase(from) || foldCase(group).startsWith(`${foldCase(from)}/`);

/** Returns the target namespace of a group by the longest rule that applies; the same path without a rule. */
export function mapGroup(group: string, rules: readonly MappingRule[]): string {
  const [rule] = rules.filter((one) => ruleApplies(one, group)).sort((a, b) => b.from.length - a.from.length);
  if (rule === undefined) return group;
  const below = rule.from === '' ? group : group.slice(rule.from.length + 1);
  return below === '' ? rule.to : `${rule.to}/${below}`;
}

/** @param name name on the source, or null if it is unknown. Without a name GitLab uses the path. */
export function placementFor(
  { fullPath, name }: { fullPath: string; name: string | null },
  rules: readonly MappingRule[],
): Placement {
  const { group, path } = splitPath(fullPath);
  return { namespace: mapGroup(group, rules), path, name, overwrite: false, overrideParams: {} };
}

/** gitlab-facts 7.1: rules for new projects. Single separators between letters and digits. */
const newProjectPathPattern = /^[a-z0-9]+(?:[._-][a-z0-9]+|__[a-z0-9]+|-+[a-z0-9]+)*$/i;
const maxPathLength = 255;
const maxNameLength = 255;

/** gitlab-facts 7.1: the pattern of every group or project path, including old ones. */
const anyPath = /^[a-z0-9_.][a-z0-9_.-]*$/i;

/** Returns sentences about what GitLab would refuse in one placement. */
export function placementProblems({ namespace, path, name, overrideParams }: Placement): string[] {
  const problems: string[] = [];
  if (namespace === '') problems.push('It has no target group.');
  else problems.push(...groupRefusals(namespace));
  if (reservedPaths.includes(foldCase(path))) problems.push(`GitLab reserves the path "${path}".`);
  else if (path.length > maxPathLength) problems.push(`The path is longer than ${maxPathLength} characters.`);
  else if (/\.(git|atom)$/i.test(path)) problems.push('A path must not end in ".git" or ".atom".');
  else if (!newProjectPathPattern.test(path)) {
    problems.push(
      `"${path}" is not valid as the path of a new project. Use letters and digits with single ".", "_" or "-" between them.`,
    );
  }
  if (name !== null && name.length > maxNameLength) {
    problems.push(`The name is longer than ${maxNameLength} characters.`);
  }
  if (name !== null && !/^[\p{L}\p{N}\p{Emoji}_]/u.test(name)) {
    problems.push('A name must begin with a letter, a digit, an emoji or "_".');
  }
  return [...problems, ...overrideProblems(overrideParams)];
}

const wrongPart = (namespace: string): string | undefined =>
  namespace.split('/').find((part) => !anyPath.test(part) || /\.(git|atom)$/i.test(part));

export const isValidGroupPath = (namespace: string): boolean => wrongPart(namespace) === undefined;

function groupRefusals(namespace: string): string[] {
  const wrong = wrongPart(namespace);
  if (wrong === undefined) return [];
  return [
    wrong === ''
      ? `"${namespace}" is not a valid group path: a part of it is empty.`
      : `"${namespace}" is not a valid group path: it cannot contain "${wrong}".`,
  ];
}

/** Returns the problems of each placement, in order: refusals, and other projects that want the same place. */
export function conflictsOf(
  projects: readonly { sourcePath: string; placement: Placement; leftOut: boolean }[],
): string[][] {
  const placeOf = ({ namespace, path }: Placement): string => foldCase(`${namespace}/${path}`);
  const moving = projects.filter(({ leftOut }) => !leftOut);
  const projectsByTarget = Map.groupBy(moving, ({ placement }) => placeOf(placement));
  return projects.map(({ sourcePath, placement, leftOut }) => {
    if (leftOut) return [];
    const sameTargetProjects = projectsByTarget.get(placeOf(placement)) ?? [];
    const others = sameTargetProjects.filter((other) => other.sourcePath !== sourcePath);
    const [first] = others;
    const more = others.length > 1 ? ` and ${others.length - 1} more` : '';
    const same =
      first === undefined
        ? []
        : [
            `${first.sourcePath}${more} would be imported to the same path; GitLab ignores upper and lower case.`,
          ];
    return [...placementProblems(placement), ...same];
  });
}

/**
 * Returns the wave of the project at `index`, counted from 1. Projects keep their order, so those of one group stay
 * together.
 */
export function waveOf(index: number, waveSize: number | null): number {
  return waveSize === null ? 1 : Math.floor(index / waveSize) + 1;
}
