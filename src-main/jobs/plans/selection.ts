/**
 * @file Finds the projects of a selection. Lists them with the instance's filters and checks each again, because a
 * server silently ignores filters that it does not know.
 */
import { dayMs } from '../../../src-contract/bounds.ts';
import { AppError, mayConcernOneProject } from '../../../src-contract/errors.ts';
import type { Selection } from '../../../src-contract/plans/plan.ts';
import { isMarkedForDeletion, mayExport, type Project } from '../../../src-contract/projects/project.ts';
import { outOfScopeText, type Scope } from '../../../src-contract/projects/scope.ts';
import { isoTime } from '../../platform/clock.ts';
import type { ProjectFilter, ProjectSource } from '../ports.ts';

/** `name` is null for a project that its instance could not show. The job of that project reports the error. */
export type ChosenProject = Pick<Project, 'id' | 'fullPath'> & { name: string | null };

export interface SelectedProjects {
  chosen: ChosenProject[];
  skipped: { id: number; project: string; why: string }[];
  /** All projects that the instance listed, selected or not. For a selection by name, the projects that were found. */
  listed: Project[];
}

type Rule = Extract<Selection, { kind: 'rule' }>;
type ChosenProjects = Extract<Selection, { kind: 'projects' }>['projects'];

const ownerLevel = 50;
/** If more projects than this are chosen, they are read from the list, a hundred per page. */
const maxReadSingly = 20;

export const scopeFilter = (scope: Scope): ProjectFilter => ({
  membership: scope === 'member',
  ...(scope === 'owned' && { owned: true }),
});

/**
 * Applies the selection. Also selects projects whose role is not reported; their jobs check the role. Skips a project
 * marked for deletion only if it certainly did not change since its newest archive: GitLab will delete everything that
 * no archive contains.
 */
export async function selectProjects(
  source: ProjectSource,
  selection: Selection,
  now: number,
  signal: AbortSignal,
  isCurrent: (project: Project) => boolean = () => false,
): Promise<SelectedProjects> {
  const choice: SelectedProjects = { chosen: [], skipped: [], listed: [] };
  const decide = (project: Project): void => {
    choice.listed.push(project);
    const why = skipReason(source, selection, project, isCurrent);
    if (why === null) choice.chosen.push(project);
    else choice.skipped.push({ id: project.id, project: project.fullPath, why });
  };
  if (selection.kind === 'projects') {
    await chooseNamed(source, selection.projects, signal, decide, choice);
    return choice;
  }
  if (selection.kind === 'all') {
    for await (const project of source.projects(scopeFilter(selection.scope), signal)) decide(project);
    return choice;
  }
  // GitLab can list starred projects, but not projects without a star.
  const starred = new Set<number>();
  if (selection.starred === false) {
    const filter = { ...scopeFilter(selection.scope), starred: true };
    for await (const { id } of source.projects(filter, signal)) starred.add(id);
  }
  const fits = ruleTest(selection, starred, now);
  for await (const project of source.projects(filterOf(selection, now), signal)) {
    if (fits(project)) decide(project);
  }
  return choice;
}

/** Returns why a project is skipped although the selection includes it; null if it is backed up. */
function skipReason(
  { administrator }: ProjectSource,
  selection: Selection,
  project: Project,
  isCurrent: (project: Project) => boolean,
): string | null {
  const isNonMember =
    selection.kind !== 'projects' && selection.scope === 'visible' && project.accessLevel === null;
  if (!administrator && (isNonMember || !mayExport(project.accessLevel))) {
    return 'an export needs the role Maintainer';
  }
  if (!isMarkedForDeletion(project) || !isCurrent(project)) return null;
  const { markedForDeletionOn } = project;
  return `it is ${outOfScopeText('marked', markedForDeletionOn)}, and nothing has changed since its newest archive, which is complete`;
}

async function chooseNamed(
  source: ProjectSource,
  projects: ChosenProjects,
  signal: AbortSignal,
  decide: (project: Project) => void,
  { chosen, skipped }: SelectedProjects,
): Promise<void> {
  const remaining = new Map(projects.map((one) => [one.id, one]));
  if (remaining.size > maxReadSingly) {
    for await (const project of source.projects({ membership: true }, signal)) {
      if (remaining.delete(project.id)) decide(project);
    }
  }
  for (const { id, fullPath } of remaining.values()) {
    signal.throwIfAborted();
    try {
      decide(await source.project(id, signal));
    } catch (thrown) {
      const error = AppError.from(thrown);
      if (error.code === 'project-missing' || error.code === 'project-moved') {
        skipped.push({ id, project: fullPath, why: 'it was deleted, or this account can no longer see it' });
        continue;
      }
      // A bad token or an unavailable server would fail for every project.
      if (signal.aborted || !mayConcernOneProject(error)) throw error;
      await source.assertAccount(signal);
      chosen.push({ id, fullPath, name: null });
    }
  }
}

function filterOf(rule: Rule, now: number): ProjectFilter {
  const scope = scopeFilter(rule.scope);
  return {
    ...scope,
    visibility: rule.visibility ?? undefined,
    archived: rule.markedArchived ?? undefined,
    // GitLab treats false as no filter: it lists all projects.
    owned: rule.owned === true ? true : scope.owned,
    starred: rule.starred === true ? true : undefined,
    topic: rule.topic ?? undefined,
    activeAfter: rule.activeWithinDays === null ? undefined : isoTime(now - rule.activeWithinDays * dayMs),
  };
}

/** Returns a test for listed projects. Ignores topics, which only the server knows. Rejects ids in `starred`. */
function ruleTest(rule: Rule, starred: ReadonlySet<number>, now: number): (project: Project) => boolean {
  const group = rule.group === null ? null : `${rule.group.replace(/^\/+|\/+$/g, '').toLowerCase()}/`;
  const since = rule.activeWithinDays === null ? null : now - rule.activeWithinDays * dayMs;
  const tests: ((project: Project) => boolean)[] = [
    ({ fullPath }) => group === null || fullPath.toLowerCase().startsWith(group),
    ({ visibility }) => rule.visibility === null || visibility === null || visibility === rule.visibility,
    ({ archived }) => rule.markedArchived === null || archived === rule.markedArchived,
    ({ lastActivityAt }) => since === null || lastActivityAt === null || Date.parse(lastActivityAt) >= since,
    ({ accessLevel }) =>
      rule.owned === null || accessLevel === null || accessLevel >= ownerLevel === rule.owned,
    ({ fullPath }) => rule.name === null || fitsPattern(fullPath, rule.name),
    ({ fullPath }) => !rule.except.some((pattern) => fitsPattern(fullPath, pattern)),
    ({ id }) => !starred.has(id),
  ];
  return (project) => tests.every((test) => test(project));
}

/** Returns whether a complete path matches the pattern, ignoring case. `*` matches any characters. */
function fitsPattern(path: string, pattern: string): boolean {
  const text = path.toLowerCase();
  const [first = '', ...rest] = pattern.toLowerCase().split('*');
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length)
    return false;
  let position = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, position);
    if (found === -1) return false;
    position = found + part.length;
  }
  return position <= text.length - last.length;
}
