/** @file The CSV file that maps export files to projects: a header, then `file,project`; quoted as in RFC 4180. */
import { basename, isAbsolute, resolve } from 'node:path';
import { AppError } from '../../../../src-contract/errors.ts';

interface Line {
  /** The number of its first line, counted from one. */
  number: number;
  fields: string[];
}

const lineError = (line: number, why: string): AppError =>
  new AppError('invalid-input', `Line ${line}: ${why}.`);

/** Returns the lines of a CSV text without empty ones. Throws `invalid-input` with the line number. */
function csvLines(text: string): Line[] {
  const lines: Line[] = [];
  // One field and its separator: a quoted field may contain commas, line ends and doubled quotes.
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;
  const content = text.replace(/^\uFEFF/, '');
  let number = 1;
  let current: Line = { number, fields: [] };
  while (field.lastIndex < content.length || current.fields.length > 0) {
    const found = field.exec(content);
    if (found === null) throw lineError(number, 'a quote or the end of the line is out of place');
    const [matched, quoted, plain = '', separator] = found;
    current.fields.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    number += matched.split('\n').length - 1;
    if (separator === ',') continue;
    if (current.fields.some((text) => text !== '')) lines.push(current);
    current = { number, fields: [] };
  }
  return lines;
}

/**
 * Returns the project of each file, in their order. The map names a file by its path, relative to the map's folder, or
 * by its name alone if it is unique. Throws `invalid-input`: it names the line that is invalid or has an unknown file,
 * or the file that has no line. @param files absolute paths.
 */
export function projectsFromMap(text: string, folder: string, files: readonly string[]): string[] {
  const [header, ...lines] = csvLines(text);
  const columns = header?.fields.map((name) => name.trim().toLowerCase()) ?? [];
  const [fileColumn, projectColumn] = [columns.indexOf('file'), columns.indexOf('project')];
  if (columns.length !== 2 || fileColumn === -1 || projectColumn === -1) {
    throw lineError(1, 'the first line must be "file,project"');
  }
  const projects = new Map<string, string>();
  for (const { number, fields } of lines) {
    const [reference = '', project = ''] = [fields[fileColumn]?.trim(), fields[projectColumn]?.trim()];
    if (fields.length !== 2) throw lineError(number, 'it must have two fields');
    if (reference === '') throw lineError(number, 'it names no file');
    if (project === '') throw lineError(number, 'it names no project');
    const file = findFile(reference, folder, files);
    if (file === null)
      throw lineError(number, `"${reference}" matches none or several of the files to adopt`);
    if (projects.has(file)) throw lineError(number, `"${reference}" has a line already`);
    projects.set(file, project);
  }
  return files.map((file) => {
    const project = projects.get(file);
    if (project === undefined) throw new AppError('invalid-input', `The map has no line for ${file}.`);
    return project;
  });
}

function findFile(reference: string, folder: string, files: readonly string[]): string | null {
  const path = isAbsolute(reference) ? reference : resolve(folder, reference);
  if (files.includes(path)) return path;
  const [only, another] = files.filter((file) => basename(file) === reference);
  return another === undefined ? (only ?? null) : null;
}
