/**
 * @file Writes the placement of a migration's projects as a table for a spreadsheet, and reads the edited table. Pure.
 */
import { AppError } from '../../../../src-contract/errors.ts';
import type { MigratingProject, Placement } from '../../../../src-contract/migrations/migration.ts';
import { placementSchema } from '../../../../src-contract/migrations/migration-schema.ts';
import { readCsv, writeCsv, invalidCsvError, type CsvRow } from './csv.ts';

/** Columns that may be changed, and those that identify a project. */
const filled = [
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
type Filled = (typeof filled)[number];
/** Columns for information only: their values are ignored on reading. */
const told = ['state', 'target_url', 'missing', 'failures', 'accepted'] as const;

export function placementTable(projects: readonly MigratingProject[]): string {
  return writeCsv(
    [...filled, ...told],
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

const maxNamed = 20;

/**
 * Returns the projects whose placement the table changes. Fields without a column stay. Throws `invalid-input` with the
 * line and the problem of each wrong row.
 */
export function readPlacementTable(
  csv: string,
  projects: readonly MigratingProject[],
  conflictsOf: ConflictsOf = () => [],
): EditedPlacement[] {
  const rows = readCsv(csv, [...filled, ...told]);
  const known = new Map(projects.map((project) => [project.sourceId, project]));
  const byPath = new Map(projects.map((project) => [project.sourcePath.toLowerCase(), project]));
  const lineOf = new Map<number, number>();
  const problems: string[] = [];
  const places: EditedPlacement[] = [];
  for (const row of rows) {
    try {
      const project = projectOf(row, known, byPath);
      const before = lineOf.get(project.sourceId);
      if (before !== undefined) throw invalidCsvError(`${project.sourcePath} is already on line ${before}.`);
      lineOf.set(project.sourceId, row.line);
      const place = placeOf(row, project);
      if (isSame(place, project)) continue;
      assertPlaceable(project);
      places.push(place);
    } catch (thrown) {
      problems.push(`Line ${row.line}: ${(thrown as Error).message}`);
    }
  }
  if (problems.length === 0) problems.push(...conflictsIn(places, projects, lineOf, conflictsOf));
  if (problems.length > 0) {
    const more = problems.length > maxNamed ? [`${problems.length - maxNamed} more rows are wrong.`] : [];
    const said = [...problems.slice(0, maxNamed), ...more];
    throw new AppError('invalid-input', said.join(' '), { details: { rows: said.join('\n') } });
  }
  return places;
}

type ConflictsOf = (
  projects: readonly { sourcePath: string; placement: Placement; leftOut: boolean }[],
) => string[][];

function conflictsIn(
  places: readonly EditedPlacement[],
  projects: readonly MigratingProject[],
  lineOf: ReadonlyMap<number, number>,
  conflictsOf: ConflictsOf,
): string[] {
  const filledOf = new Map(places.map((place) => [place.project, place]));
  const after = projects.map(({ sourceId, sourcePath, placement, state }) => ({
    sourcePath,
    placement: filledOf.get(String(sourceId))?.placement ?? placement,
    leftOut: filledOf.get(String(sourceId))?.leftOut ?? state === 'left-out',
  }));
  const conflicts = conflictsOf(after);
  return projects.flatMap(({ sourceId }, at) =>
    filledOf.has(String(sourceId))
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

function placeOf({ cells }: CsvRow, project: MigratingProject): EditedPlacement {
  const cell = <T>(name: Filled, read: (text: string) => T, otherwise: T): T =>
    cells[name] === undefined ? otherwise : read(cells[name]);
  const { placement } = project;
  const wanted = placementSchema.safeParse({
    namespace: cell('target_namespace', notEmpty('target_namespace'), placement.namespace),
    path: cell('target_path', notEmpty('target_path'), placement.path),
    name: cell('target_name', (text) => (text === '' ? null : text), placement.name),
    overwrite: cell('overwrite', yes('overwrite'), placement.overwrite),
    overrideParams: cell('override_params', pairsIn, placement.overrideParams),
  });
  if (!wanted.success) {
    const [issue] = wanted.error.issues;
    throw invalidCsvError(`target_${issue?.path.join('.') ?? 'path'}: ${issue?.message ?? 'it is wrong'}.`);
  }
  return {
    project: String(project.sourceId),
    placement: wanted.data,
    wave: cell('wave', waveIn, project.wave),
    leftOut: cell('left_out', yes('left_out'), project.state === 'left-out'),
  };
}

function isSame({ placement, wave, leftOut }: EditedPlacement, project: MigratingProject): boolean {
  const now = project.placement;
  return (
    wave === project.wave &&
    leftOut === (project.state === 'left-out') &&
    placement.namespace === now.namespace &&
    placement.path === now.path &&
    placement.name === now.name &&
    placement.overwrite === now.overwrite &&
    pairsText(placement.overrideParams) === pairsText(now.overrideParams)
  );
}

function assertPlaceable({ sourcePath, state, importJob }: MigratingProject): void {
  if (state === 'arrived' || state === 'differs' || state === 'finishing') {
    throw invalidCsvError(`${sourcePath} was imported, so its placement can no longer be changed.`);
  }
  if (state === 'importing' && importJob !== null) throw invalidCsvError(`${sourcePath} is being imported.`);
}

const yesOrNo = (is: boolean): string => (is ? 'yes' : 'no');

/** Reads yes or no, also in the spellings of spreadsheets. An empty cell means no. */
const yes =
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

function waveIn(text: string): number {
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

function pairsIn(text: string): Record<string, string> {
  const pairs: [string, string][] = [];
  let at = 0;
  const part = (ends: string): string => {
    let said = '';
    for (; at < text.length && !ends.includes(text[at] ?? ''); at += 1) {
      if (text[at] === '\\') at += 1;
      said += text[at] ?? '';
    }
    return said;
  };
  while (at < text.length) {
    while (/\s/.test(text[at] ?? '')) at += 1;
    if (at >= text.length) break;
    const from = at;
    const key = part('=;');
    if (text[at] !== '=' || key === '') {
      throw invalidCsvError(
        `override_params has "${text.slice(from, at)}", which is not of the form key=value.`,
      );
    }
    at += 1;
    const value = part(';');
    at += 1;
    if (pairs.some(([other]) => other === key)) throw invalidCsvError(`override_params has "${key}" twice.`);
    pairs.push([key, value]);
  }
  return Object.fromEntries(pairs);
}
