/** @file Parses and checks values of project attributes before they are sent (gitlab-facts 14.3). */
import { AppError } from '../errors.ts';
import {
  attributesFor,
  unknownAttributeMessage,
  type Attribute,
  type AttributeField,
  type AttributeUse,
  type AttributeValue,
  type AttributeValues,
} from './project-attributes.ts';

/**
 * Parses the value of `KEY=VALUE`: true, false, whole numbers, comma-separated lists, hashes as JSON. Throws
 * `invalid-input`.
 */
export function parseAttribute(attribute: Attribute, text: string): AttributeValue {
  const value = parseValue(attribute, text);
  const problem = typeProblem(attribute, value);
  if (problem !== null) throw invalidValuesError([problem], [attribute.name]);
  return value as AttributeValue;
}

function parseValue({ type }: Attribute, text: string): unknown {
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  if (type === 'integer') return /^\d+$/.test(text) ? Number(text) : text;
  if (type === 'list') return text.split(',').flatMap((entry) => entry.trim() || []);
  if (type !== 'hash') return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/**
 * Returns the values to send. Throws `invalid-input` with all problems: attributes that do not exist for this use,
 * wrong types, and forbidden combinations. Sends no request, so it does not check limits of a tier or a role.
 */
export function checkAttributes(
  use: AttributeUse,
  values: Readonly<Record<string, unknown>>,
): AttributeValues {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  const violations = findViolations(use, entries);
  if (violations.length === 0) return Object.fromEntries(entries) as AttributeValues;
  throw invalidValuesError(
    violations.map(([, sentence]) => sentence),
    violations.flatMap(([names]) => names),
  );
}

/** Returns one sentence for each problem with the values. */
export const attributeProblems = (use: AttributeUse, values: Readonly<Record<string, unknown>>): string[] =>
  findViolations(use, Object.entries(values)).map(([, sentence]) => sentence);

function findViolations(use: AttributeUse, entries: readonly (readonly [string, unknown])[]): Violation[] {
  const attributesByName = new Map(attributesFor(use).map((attribute) => [attribute.name, attribute]));
  const violations = entries.flatMap(([name, value]): Violation[] => {
    const attribute = attributesByName.get(name);
    const problem =
      attribute === undefined ? unknownAttributeMessage(name, use) : typeProblem(attribute, value);
    return problem === null ? [] : [[[name], problem]];
  });
  // The rules below need valid values.
  return violations.length > 0 ? violations : checkRules(use, Object.fromEntries(entries) as AttributeValues);
}

const invalidValuesError = (problems: string[], names: string[]): AppError =>
  new AppError('invalid-input', problems.join(' '), {
    details: { attributes: [...new Set(names)].join(', ') },
  });

/** Returns the problem as a sentence; null if the value is valid. */
function typeProblem(attribute: Attribute, value: unknown): string | null {
  const { name, type, values = [], fields = [] } = attribute;
  switch (type) {
    case 'boolean':
      return typeof value === 'boolean' ? null : `"${name}" must be true or false.`;
    case 'integer':
      return isCount(value) ? null : `"${name}" must be a whole number.`;
    case 'text':
      return typeof value === 'string' ? null : `"${name}" must be a text.`;
    case 'file':
      return typeof value === 'string' ? null : `"${name}" must be the path of a file.`;
    case 'choice':
      return values.includes(value as string) ? null : `"${name}" must be one of ${values.join(', ')}.`;
    case 'list':
      return isTexts(value) ? null : `"${name}" must be a list of texts.`;
    case 'hash':
      return hashProblem(name, fields, value);
  }
}

function hashProblem(name: string, fields: readonly AttributeField[], value: unknown): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return `"${name}" must be a JSON object with some of ${fields.map((field) => field.name).join(', ')}.`;
  }
  for (const [key, part] of Object.entries(value)) {
    const field = fields.find((candidate) => candidate.name === key);
    if (field === undefined) {
      return `"${name}" has no "${key}"; it has ${fields.map((candidate) => candidate.name).join(', ')}.`;
    }
    const problem = typeProblem({ name: `${name}.${key}`, type: field.type, uses: [] }, part);
    if (problem !== null) return problem;
  }
  return null;
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string');

type Violation = [names: string[], sentence: string];

/** Checks the rules of gitlab-facts 14.3 and 7.1 other than types. */
function checkRules(use: AttributeUse, values: AttributeValues): Violation[] {
  const violations: Violation[] = use === 'edit' ? [] : checkCombinations(use, values);
  const { name, path, description } = values;
  if (use === 'edit' && Object.keys(values).length === 0) violations.push([[], 'No attribute was given.']);
  if (use !== 'edit' && values['avatar'] === '')
    violations.push([['avatar'], '"avatar" must be the path of a file.']);
  if (typeof name === 'string') violations.push(...checkNameRules(name));
  if (typeof path === 'string') violations.push(...checkPathRules(use, path));
  if (typeof description === 'string' && countCharacters(description) > 2000) {
    violations.push([['description'], 'A description may have at most 2,000 characters.']);
  }
  return violations;
}

/** Checks attributes of a new project that require or exclude each other. */
function checkCombinations(use: AttributeUse, values: AttributeValues): Violation[] {
  const violations: Violation[] = [];
  const hasReadme = values['initialize_with_readme'] === true;
  const usesTemplate = values['use_custom_template'] === true;
  const isSet = (name: string): boolean =>
    values[name] !== undefined && values[name] !== '' && values[name] !== false;

  if (use === 'createFor' && !isSet('name')) {
    violations.push([['name'], 'A project that is created for a user needs a "name".']);
  } else if (!isSet('name') && !isSet('path')) {
    violations.push([['name', 'path'], 'A new project needs a "name" or a "path".']);
  }
  if (isSet('default_branch') && !hasReadme) {
    violations.push([
      ['default_branch', 'initialize_with_readme'],
      '"default_branch" of a new project needs initialize_with_readme=true.',
    ]);
  }
  for (const other of ['import_url', 'template_name', 'template_project_id', 'use_custom_template']) {
    if (!hasReadme || !isSet(other)) continue;
    violations.push([
      ['initialize_with_readme', other],
      `"initialize_with_readme" and "${other}" both define the initial repository; set only one of them.`,
    ]);
  }
  for (const other of ['group_with_project_templates_id', 'template_project_id']) {
    if (usesTemplate || !isSet(other)) continue;
    violations.push([[other, 'use_custom_template'], `"${other}" needs use_custom_template=true.`]);
  }
  return violations;
}

const maxCharacters = 255;
/** Counts code points, which is close to the number of visible characters. */
const countCharacters = (text: string): number => Array.from(text).length;

function checkNameRules(name: string): Violation[] {
  if (countCharacters(name) > maxCharacters)
    return [[['name'], `A name may have at most ${maxCharacters} characters.`]];
  if (
    name === '' ||
    /^[\p{L}\p{N}\p{Extended_Pictographic}_][\p{L}\p{M}\p{N}\p{S}\p{Pd}\p{Cf}_.+ ]*$/u.test(name)
  ) {
    return [];
  }
  return [
    [
      ['name'],
      'A name must begin with a letter, a digit, an emoji or "_". It may also contain ".", "+", "-" and spaces.',
    ],
  ];
}

/** Project paths that GitLab reserves. */
export const reservedPaths = [
  '-',
  'badges',
  'blame',
  'blob',
  'builds',
  'commits',
  'create',
  'create_dir',
  'edit',
  'environments/folders',
  'files',
  'find_file',
  'gitlab-lfs/objects',
  'info/lfs/objects',
  'new',
  'preview',
  'raw',
  'refs',
  'tree',
  'update',
  'wikis',
];

function checkPathRules(use: AttributeUse, path: string): Violation[] {
  const violation = (sentence: string): Violation[] => [[['path'], sentence]];
  if (path === '') return use === 'edit' ? violation('A path cannot be empty.') : [];
  if (path.length > maxCharacters) return violation(`A path may have at most ${maxCharacters} characters.`);
  if (reservedPaths.includes(path.toLowerCase())) return violation(`"${path}" is a reserved name.`);
  if (!/^[A-Za-z0-9_.-]+$/.test(path)) {
    return violation('A path may contain only letters without accents, digits, "_", "-" and ".".');
  }
  if (/\.(git|atom)$/i.test(path)) return violation('A path must not end in ".git" or ".atom".');
  if (path.startsWith('-')) return violation('A path must not begin with "-".');
  // An existing project may keep such a path.
  if (use === 'edit') return [];
  if (/^[._-]|[._-]$/.test(path)) return violation('A path must begin and end with a letter or a digit.');
  if (/[._-]{2}/.test(path)) return violation('A path must not contain two of "_", "-" and "." in a row.');
  return [];
}
