/** @file Findings of a check in words: equal findings are listed once with their projects. Pure. */
import type { PreflightFinding } from '../../../../src-contract/migrations/migration.ts';
import { joinLines, wrapText } from '../terminal/format.ts';

const maxNamed = 3;

/** Blockers are never combined, because each is overridden by its id. */
export function findingsText(findings: readonly PreflightFinding[]): string {
  const groups = Map.groupBy(findings, (one) =>
    one.severity === 'blocker' || one.overridden !== null
      ? one.id
      : JSON.stringify([one.severity, one.code, one.message, one.advice]),
  );
  return [...groups.values()].map(groupText).join('\n');
}

function groupText(group: readonly PreflightFinding[]): string {
  const [first] = group;
  if (first === undefined) return '';
  const { id, code, severity, project, message, advice, overridden } = first;
  const projects = group.flatMap((one) => one.project ?? []);
  const sentence =
    project === null || message.includes(project)
      ? message
      : `${group.length === 1 ? project : `For ${projectsText(projects)}`}: ${message}`;
  return joinLines(
    `${overridden === null ? severity : 'overridden'}  ${group.length === 1 ? id : code}`,
    wrapText(sentence),
    wrapText(overridden === null ? advice : `Overridden: ${overridden.note}`),
  );
}

/** `7 projects (a, b, c and 4 more)`. */
function projectsText(projects: readonly string[]): string {
  const more = projects.length - maxNamed;
  const [names, rest] = more > 1 ? [projects.slice(0, maxNamed), ` and ${more} more`] : [projects, ''];
  return `${projects.length} projects (${names.join(', ')}${rest})`;
}
