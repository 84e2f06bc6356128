/** @file Migrations in words: where projects go, their state and their results. */
import { errorText } from '../../../../src-contract/error-messages.ts';
import type { ErrorData } from '../../../../src-contract/errors.ts';
import {
  migratingStates,
  type MigratingProject,
  type Migration,
} from '../../../../src-contract/migrations/migration.ts';
import { chosenDepthText } from '../../../../src-contract/words/depths.ts';
import {
  migrationStatusText,
  projectStateText,
  stateCountText,
} from '../../../../src-contract/words/migrations.ts';
import { lowerFirst } from '../../../../src-contract/words/first-letter.ts';
import { formatDuration, joinLines, plural, tableOf, type Line } from '../terminal/format.ts';

const acceptedText = (acceptedCount: number): string[] =>
  acceptedCount === 0 ? [] : [`${plural(acceptedCount, 'loss', 'losses')} accepted`];

/** Returns, for example, `3 arrived, contents compared in part; 1 failed`. Omits states without projects. */
function countsText(migration: Migration): string {
  const states = migratingStates.filter((state) => migration.projects[state] > 0);
  if (states.length === 0) return 'no project';
  return [
    ...states.map((state) => `${migration.projects[state]} ${lowerFirst(stateCountText(state, migration))}`),
    ...acceptedText(migration.accepted),
  ].join('; ');
}

export const stateText = (project: Pick<MigratingProject, 'state' | 'depth'>): string =>
  lowerFirst(projectStateText(project).text);
const statusText = ({ status }: Migration): string => lowerFirst(migrationStatusText[status]);

export function migrationsText(migrations: readonly Migration[]): string {
  return tableOf(migrations, (migration) => ({
    NAME: migration.name,
    FROM: migration.source,
    TO: migration.target,
    STATE: statusText(migration),
    PROJECTS: countsText(migration),
  }));
}

export function migrationText(migration: Migration): string {
  const { rules, overrideParams, check, wave } = migration;
  const overrides = Object.entries(overrideParams).map(([key, value]) => `${key}=${value}`);
  return joinLines(
    `${migration.name}: from ${migration.source} to ${migration.target}, ${statusText(migration)}`,
    `Projects: ${countsText(migration)}`,
    wave.total > 1 && (wave.current === 0 ? `Waves: ${wave.total}` : `Wave ${wave.current} of ${wave.total}`),
    rules.map(({ from, to }) => `${from === '' ? 'Every group' : from} moves to ${to}`),
    overrides.length > 0 && `Every project gets ${overrides.join(', ')}`,
    migration.freeze && 'Sources are marked as archived before their export.',
    `Compared: ${lowerFirst(chosenDepthText[migration.compare].text)}. ${chosenDepthText[migration.compare].hint}`,
    (migration.status === 'draft' || (check?.blockers ?? 0) > 0) && checkText(check),
    (migration.status === 'ended' || migration.status === 'cancelled') && nextSteps(migration),
  );
}

function nextSteps({ name, projects, comparedInPart, arrivedWithUnlistedFailures }: Migration): Line[] {
  const { failed, cancelled, differs, uncompared } = projects;
  return [
    arrivedWithUnlistedFailures > 0 &&
      `GitLab may have left failures of ${plural(arrivedWithUnlistedFailures, 'arrived project')} out of its list, and what they lost is not known.`,
    failed + cancelled > 0 && `"packhorse migration again ${name}" retries failed and cancelled projects.`,
    differs > 0 &&
      `"packhorse migration reconcile ${name} PROJECT" lists what a project lacks. "packhorse migration failures ${name}" lists what GitLab reported.`,
    comparedInPart > 0 &&
      `"packhorse migration show ${name} PROJECT" says why contents were compared only in part.`,
    uncompared > 0 &&
      `"packhorse migration reconcile ${name} PROJECT --compare contents" compares the contents of a project.`,
  ];
}

function checkText(check: Migration['check']): string {
  if (check === null) return 'It has not been checked yet.';
  const { blockers, overridden } = check;
  if (blockers === 0 && overridden === 0) return 'The checks found nothing that blocks it.';
  const overriddenText = `${plural(overridden, 'blocker')} ${overridden === 1 ? 'was' : 'were'} overridden`;
  if (blockers === 0) return `Nothing else blocks it: ${overriddenText}.`;
  const blockersText = `${plural(blockers, 'blocker')} ${blockers === 1 ? 'prevents' : 'prevent'} the migration`;
  return overridden === 0 ? `${blockersText}.` : `${blockersText}; ${overriddenText}.`;
}

export function projectsText(projects: readonly MigratingProject[]): string {
  if (projects.length === 0) return 'No project.';
  return tableOf(projects, (project) => ({
    PROJECT: project.sourcePath,
    'GOES TO': `${project.placement.namespace}/${project.placement.path}`,
    WAVE: project.wave,
    STATE: stateText(project),
    REMARKS: remarksOf(project).join(' ') || null,
  }));
}

/** Returns the error in words, with the advice if a retry would fail because the path is taken. */
function errorWords(error: ErrorData): string {
  const { what, todo } = errorText(error, 'command-line');
  return error.code === 'path-taken' ? `${what} ${todo}` : what;
}

/** Returns the progress of a comparison as a sentence. */
export const comparingText = ({ done, total, msLeft }: NonNullable<MigratingProject['comparing']>): string =>
  `${done} of about ${total} requests, about ${formatDuration(msLeft)} left.`;

function remarksOf(project: MigratingProject): string[] {
  const { conflicts, placement, error, failures, missing, accepted, changedSince, waitsFor, comparing } =
    project;
  return [
    ...conflicts,
    ...(placement.overwrite ? ['It replaces the existing project.'] : []),
    ...(error === null ? [] : [errorWords(error)]),
    ...(waitsFor === null ? [] : [waitsFor]),
    ...(comparing === null ? [] : [comparingText(comparing)]),
    ...(failures.open === 0 ? [] : [`${plural(failures.open, 'failure')} open.`]),
    ...(missing === null || missing === 0 ? [] : [`${plural(missing, 'difference')}.`]),
    ...acceptedText(accepted).map((text) => `${text}.`),
    ...(changedSince === null ? [] : ['Its source has changed since its export.']),
  ];
}
