/**
 * @file Writes the placement of a migration's projects as a table for a spreadsheet, and reads the edited table. Pure.
 */
import { AppError } from '../../../../src-contract/errors.ts';
import type { MigratingProject, Placement } from '../../../../src-contract/migrations/migration.ts';
import { placementSchema } from '../../../../src-contract/migrations/migration-schema.ts';
import { readCsv, writeCsv, invalidCsvError, type CsvRow } from './csv.ts';

/** Columns that may be changed, and those that identify a project. */
const editableColumns = [
  'source_id',
  'source_path',
  'wave',
  'left_out',
  'target_namespace',
  'target_path',
  'target_name',
  'overwrite',
  'override_params',
] as const;
type EditableColumn = (typeof editableColumns)[number];
/** Columns for information only: their values are ignored on reading. */
const infoColumns = ['state', 'target_url', 'missing', 'failures', 'accepted'] as const;

export function placementTable(projects: readonly MigratingProject[]): string {
  return writeCsv(
    [...editableColumns, ...infoColumns],
    projects.map(({ placement, ...project }) => [
      String(project.sourceId),
      project.sourcePath,
      String(project.wave),
      yesOrNo(project.state === 'left-out'),
      placement.namespace,
      placement.path,
      placement.name ?? '',
      yesOrNo(placement.overwrite),
      pairsText(placement.overrideParams),
      project.state,
      project.targetUrl ?? '',
      project.missing === null ? '' : String(project.missing),
      String(project.failures.open),
      String(project.accepted),
    ]),
  );
}

export interface EditedPlacement {
  /** Id on the source. */
  project: string;
  placement: Placement;
  wave: number;
  leftOut: boolean;
}

const maxShownProblems = 20;

/**
 * Returns the projects whose placement the table changes. Fields without a column stay. Throws `invalid-input` with the
 * line and the problem of each wrong row.
 */
export function readPlacementTable(
  csv: string,
  projects: readonly MigratingProject[],
  conflictsOf: ConflictsOf = () => [],
): EditedPlacement[] {
  const rows = readCsv(csv, [...editableColumns, ...infoColumns]);
  const known = new Map(projects.map((project) => [project.sourceId, project]));
  const byPath = new Map(projects.map((project) => [project.sourcePath.toLowerCase(), project]));
  const lineOf = new Map<number, number>();
  const problems: string[] = [];
  const edits: EditedPlacement[] = [];
  for (const row of rows) {
    try {
      const project = projectOf(row, known, byPath);
      const before = lineOf.get(project.sourceId);
      if (before !== undefined) throw invalidCsvError(`${project.sourcePath} is already on line ${before}.`);
      lineOf.set(project.sourceId, row.line);
      const edit = readEdit(row, project);
      if (isSame(edit, project)) continue;
      assertPlaceable(project);
      edits.push(edit);
    } catch (thrown) {
      problems.push(`Line ${row.line}: ${(thrown as Error).message}`);
    }
  }
  if (problems.length === 0) problems.push(...conflictsIn(edits, projects, lineOf, conflictsOf));
  if (problems.length > 0) {
    const more =
      problems.length > maxShownProblems
        ? [`${problems.length - maxShownProblems} more rows are wrong.`]
        : [];
    const lines = [...problems.slice(0, maxShownProblems), ...more];
    throw new AppError('invalid-input', lines.join(' '), { details: { rows: lines.join('\n') } });
  }
  return edits;
}

type ConflictsOf = (
  projects: readonly { sourcePath: string; placement: Placement; leftOut: boolean }[],
) => string[][];

function conflictsIn(
  edits: readonly EditedPlacement[],
  projects: readonly MigratingProject[],
  lineOf: ReadonlyMap<number, number>,
  conflictsOf: ConflictsOf,
): string[] {
  const editByProject = new Map(edits.map((place) => [place.project, place]));
  const after = projects.map(({ sourceId, sourcePath, placement, state }) => ({
    sourcePath,
    placement: editByProject.get(String(sourceId))?.placement ?? placement,
    leftOut: editByProject.get(String(sourceId))?.leftOut ?? state === 'left-out',
  }));
  const conflicts = conflictsOf(after);
  return projects.flatMap(({ sourceId }, at) =>
    editByProject.has(String(sourceId))
      ? (conflicts[at] ?? []).map((why) => `Line ${lineOf.get(sourceId) ?? 0}: ${why}`)
      : [],
  );
}

function projectOf(
  { cells }: CsvRow,
  byId: ReadonlyMap<number, MigratingProject>,
  byPath: ReadonlyMap<string, MigratingProject>,
): MigratingProject {
  const id = cells['source_id']?.trim() ?? '';
  const path = cells['source_path']?.trim() ?? '';
  if (id === '' && path === '')
    throw invalidCsvError('The row names no project: source_id and source_path are empty.');
  const found =
    id === '' ? byPath.get(path.toLowerCase()) : /^\d+$/.test(id) ? byId.get(Number(id)) : undefined;
  if (found === undefined) throw invalidCsvError(`The migration has no project ${id === '' ? path : id}.`);
  if (path !== '' && found.sourcePath.toLowerCase() !== path.toLowerCase()) {
    throw invalidCsvError(`source_id ${id} is ${found.sourcePath}, not ${path}.`);
  }
  return found;
}

function readEdit({ cells }: CsvRow, project: MigratingProject): EditedPlacement {
  const cell = <T>(name: EditableColumn, read: (text: string) => T, otherwise: T): T =>
    cells[name] === undefined ? otherwise : read(cells[name]);
  const { placement } = project;
  const wanted = placementSchema.safeParse({
    namespace: cell('target_namespace', notEmpty('target_namespace'), placement.namespace),
    path: cell('target_path', notEmpty('target_path'), placement.path),
    name: cell('target_name', (text) => (text === '' ? null : text), placement.name),
    overwrite: cell('overwrite', parseYesNo('overwrite'), placement.overwrite),
    overrideParams: cell('override_params', parsePairs, placement.overrideParams),
  });
  if (!wanted.success) {
    const [issue] = wanted.error.issues;
    throw invalidCsvError(`target_${issue?.path.join('.') ?? 'path'}: ${issue?.message ?? 'it is wrong'}.`);
  }
  return {
    project: String(project.sourceId),
    placement: wanted.data,
    wave: cell('wave', parseWave, project.wave),
    leftOut: cell('left_out', parseYesNo('left_out'), project.state === 'left-out'),
  };
}

function isSame({ placement, wave, leftOut }: EditedPlacement, project: MigratingProject): boolean {
  const current = project.placement;
  return (
    wave === project.wave &&
    leftOut === (project.state === 'left-out') &&
    placement.namespace === current.namespace &&
    placement.path === current.path &&
    placement.name === current.name &&
    placement.overwrite === current.overwrite &&
    pairsText(placement.overrideParams) === pairsText(current.overrideParams)
  );
}

function assertPlaceable({ sourcePath, state, importJob }: MigratingProject): void {
  if (['arrived', 'uncompared', 'differs', 'finishing'].includes(state)) {
    throw invalidCsvError(`${sourcePath} was imported, so its placement can no longer be changed.`);
  }
  if (state === 'importing' && importJob !== null) throw invalidCsvError(`${sourcePath} is being imported.`);
}

const yesOrNo = (is: boolean): string => (is ? 'yes' : 'no');

/** Reads yes or no, also in the spellings of spreadsheets. An empty cell means no. */
const parseYesNo =
  (name: string) =>
  (text: string): boolean => {
    const word = text.trim().toLowerCase();
    if (['yes', 'y', 'true', '1', 'x'].includes(word)) return true;
    if (['no', 'n', 'false', '0', ''].includes(word)) return false;
    throw invalidCsvError(`${name} is "${text}"; write yes or no.`);
  };

const notEmpty =
  (name: string) =>
  (text: string): string => {
    if (text.trim() === '') throw invalidCsvError(`${name} is empty.`);
    return text;
  };

function parseWave(text: string): number {
  const wave = /^\d{1,6}$/.test(text.trim()) ? Number(text) : 0;
  if (wave >= 1) return wave;
  throw invalidCsvError(`wave is "${text}"; write a whole number from 1.`);
}

/**
 * Returns the form `visibility=private; topics=a\;b`. A backslash escapes a character that would end a name or a value.
 */
function pairsText(pairs: Readonly<Record<string, string>>): string {
  return Object.entries(pairs)
    .map(([key, value]) => `${key.replace(/[\\;=]|^\s/g, '\\$&')}=${value.replace(/[\\;]/g, '\\$&')}`)
    .join('; ');
}

function parsePairs(text: string): Record<string, string> {
  const pairs: [string, string][] = [];
  let at = 0;
  const readUntil = (ends: string): string => {
    let result = '';
    for (; at < text.length && !ends.includes(text[at] ?? ''); at += 1) {
      if (text[at] === '\\') at += 1;
      result += text[at] ?? '';
    }
    return result;
  };
  while (at < text.length) {
    while (/\s/.test(text[at] ?? '')) at += 1;
    if (at >= text.length) break;
    const from = at;
    const key = readUntil('=;');
    if (text[at] !== '=' || key === '') {
      throw invalidCsvError(
        `override_params has "${text.slice(from, at)}", which is not of the form key=value.`,
      );
    }
    at += 1;
    const value = readUntil(';');
    at += 1;
    if (pairs.some(([other]) => other === key)) throw invalidCsvError(`override_params has "${key}" twice.`);
    pairs.push([key, value]);
  }
  return Object.fromEntries(pairs);
}
