/**
 * @file Checks one record by `record-rules.ts` and by the known ways in which imports fail (gitlab-facts 5.3, 5.5, 7: a
 * line over 50 MB or one that is no JSON ends the whole import; invalid nested parts are not reported). Uses
 * `will-be-refused` only if a validation or a column's type leaves GitLab no choice. Pure.
 */
import { isUtf8 } from 'node:buffer';
import { suspicionSeverities, type RecordFinding } from '../../../src-contract/archives/record.ts';
import { isObject, type Fields } from '../../platform/objects.ts';
import { defaultReadLimits } from '../limits.ts';
import type { RecordKeys } from './record-keys.ts';
import { int4Fields, isDateField, rulesByRelation, type RelationRules } from './record-rules.ts';

/** Facts about the rest of the archive. Checks that need an unknown fact are skipped. */
export interface RecordContext {
  /** Lines of the relation with that iid, or that title, in ascending order. */
  linesWithIid?(iid: unknown): readonly number[];
  linesWithTitle?(title: string): readonly number[];
  /** Titles of the relations `milestones` and `labels`. */
  milestones?: ReadonlySet<string>;
  labels?: ReadonlySet<string>;
}

/** `severity` is given only if it is not the usual one of the code. */
type Report = (
  path: string,
  code: RecordFinding['code'],
  message: string,
  severity?: RecordFinding['severity'],
) => void;

/** The usual severity and the advice by code. */
const severityAndAdvice: Record<
  RecordFinding['code'],
  readonly [severity: RecordFinding['severity'], advice: string]
> = {
  'line-too-long': [
    'will-be-refused',
    'Export again after shortening the original, or leave the record out.',
  ],
  'text-invalid-utf8': [
    'may-be-dropped',
    'Look at the text in the original; it was damaged before it was exported.',
  ],
  'record-malformed': ['will-be-refused', 'Export again, or leave the line out.'],
  'title-missing': ['will-be-refused', 'Give the original a title and export again.'],
  'title-too-long': ['will-be-refused', 'Shorten it in the original and export again.'],
  'value-missing': [
    'may-be-dropped',
    'Check whether the record was imported. If not, set the value in the original and export again.',
  ],
  'value-unknown': ['may-be-dropped', 'The target may not know this value; check the record there.'],
  'duplicate-iid': ['may-be-dropped', 'Compare both records; only one of them can be imported unchanged.'],
  'duplicate-title': ['may-be-dropped', 'Rename one of them in the original and export again.'],
  'milestone-unknown': ['suspicious', 'GitLab creates it from this record; compare it with the original.'],
  'label-unknown': ['suspicious', 'GitLab creates it from this record; compare it with the original.'],
  'sha-invalid': [
    'suspicious',
    'Data that depends on the commit, such as changes or a deleted source branch, may be missing on the target.',
  ],
  'note-empty': ['may-be-dropped', 'Ignore this unless the attachment or the reactions of the note matter.'],
  'position-missing': [
    'may-be-dropped',
    'Look for the note on the target, and add it by hand if it matters.',
  ],
  'text-nul': ['may-be-dropped', 'Remove it in the original and export again.'],
  'date-invalid': ['suspicious', 'Compare with the original.'],
  'integer-out-of-range': ['may-be-dropped', 'Correct it in the original and export again.'],
};

const maxTitleLength = 255;
const maxSuspicions = 100;
const maxDepth = 64;
const shaFields = ['diff_head_sha', 'source_branch_sha', 'target_branch_sha', 'merge_commit_sha', 'sha'];

const isBlank = (value: unknown): boolean => typeof value === 'string' && value.trim() === '';

/** Facts about a record's bytes. */
export interface RecordTraits {
  length: number;
  isUtf8: boolean;
  isJson: boolean;
}

/**
 * @param record `bytes` are the complete stored bytes; `line` is its zero-based place in the relation.
 * @returns at most a hundred suspicions, the most serious first.
 */
export function checkRecord(
  record: { relation: string; line: number; bytes: Buffer },
  context: RecordContext = {},
): RecordFinding[] {
  const { length } = record.bytes;
  return collectFindings((report) => {
    const isTooLong = length > defaultReadLimits.recordBytes;
    const parsed = isTooLong ? { value: null } : parse(record.bytes);
    checkTraits({ length, isUtf8: isUtf8(record.bytes), isJson: parsed !== null }, report);
    const value = parsed?.value;
    if (!isObject(value)) return;
    checkFields(record, value, context, report);
    checkReferences(record.relation, value, context, report);
    checkNotes(value, report);
    walk(value, '', 0, report);
  });
}

/** Like `checkRecord`, for a record that is too large to parse: by its bytes, and its keys in the index. */
export function checkLargeRecord(
  record: { relation: string; line: number },
  traits: RecordTraits,
  keys: RecordKeys | null,
  context: RecordContext,
): RecordFinding[] {
  return collectFindings((report) => {
    checkTraits(traits, report);
    if (traits.isJson && keys !== null) checkFields(record, keys, context, report);
  });
}

function collectFindings(check: (report: Report) => void): RecordFinding[] {
  const found: RecordFinding[] = [];
  check((path, code, message, severity = severityAndAdvice[code][0]) => {
    if (found.length < maxSuspicions)
      found.push({ code, severity, path, message, advice: severityAndAdvice[code][1] });
  });
  const weight = ({ severity }: RecordFinding): number => suspicionSeverities.indexOf(severity);
  return found.toSorted((a, b) => weight(a) - weight(b));
}

function checkTraits({ length, isUtf8, isJson }: RecordTraits, report: Report): void {
  if (length > defaultReadLimits.recordBytes) {
    report(
      '',
      'line-too-long',
      `The line has ${length} bytes; GitLab reads at most 50 MiB and refuses the whole archive.`,
    );
  }
  if (!isUtf8) {
    report('', 'text-invalid-utf8', 'Some bytes of the line are not UTF-8.');
  }
  if (!isJson) {
    report(
      '',
      'record-malformed',
      'The line is not JSON; GitLab then refuses the whole archive with "Incorrect JSON format".',
    );
  }
}

/** Returns null for invalid JSON. A blank line is no record and has no value. */
function parse(bytes: Buffer): { value: unknown } | null {
  const text = bytes.toString();
  try {
    return { value: JSON.parse(text) };
  } catch {
    return text.trim() === '' ? { value: null } : null;
  }
}

function checkFields(
  record: { relation: string; line: number },
  value: Fields,
  context: RecordContext,
  report: Report,
): void {
  const rules = rulesByRelation.get(record.relation) ?? {};
  checkTitle(value, rules, report);
  checkValues(value, rules, report);
  checkUniqueness(record, value, rules, context, report);
}

function checkTitle(record: Fields, { titleField, titleLimit }: RelationRules, report: Report): void {
  if (titleField === undefined) return;
  const value = record[titleField];
  if (value === undefined || value === null || isBlank(value)) {
    report(titleField, 'title-missing', `The ${titleField} is missing; the record is invalid without one.`);
  } else if (titleLimit === true && typeof value === 'string' && Array.from(value).length > maxTitleLength) {
    report(
      titleField,
      'title-too-long',
      `The ${titleField} has ${Array.from(value).length} characters; at most ${maxTitleLength} are valid.`,
    );
  }
}

function checkValues(
  record: Fields,
  { required = [], allowedValues = {} }: RelationRules,
  report: Report,
): void {
  for (const field of required) {
    // Older versions exported without the field.
    if (record[field] !== null) continue;
    report(field, 'value-missing', `${field} is null; the model requires a value.`);
  }
  for (const [field, allowed] of Object.entries(allowedValues)) {
    const value = record[field];
    if (value === undefined || value === null || allowed.includes(value as string | number)) continue;
    report(field, 'value-unknown', `${field} is none of ${allowed.join(', ')}.`);
  }
}

function checkUniqueness(
  { line }: { line: number },
  record: Fields,
  { iid, mergesTitles, titleField = '' }: RelationRules,
  context: RecordContext,
  report: Report,
): void {
  const sameIid = iid === undefined ? [] : (context.linesWithIid?.(record['iid']) ?? []);
  const others = sameIid.filter((other) => other !== line);
  if (others.length > 0 && typeof record['iid'] === 'number') {
    const isLater = others.some((other) => other < line);
    report(
      'iid',
      'duplicate-iid',
      `The iid ${record['iid']} is also on line ${others[0]}; an iid must be unique in a project.`,
      iid === 'unique' && isLater ? 'will-be-refused' : 'may-be-dropped',
    );
  }
  const text = record[titleField];
  if (mergesTitles !== true || typeof text !== 'string') return;
  const sameTitle = (context.linesWithTitle?.(text) ?? []).filter((other) => other !== line);
  if (sameTitle.length === 0) return;
  report(
    titleField,
    'duplicate-title',
    `The same ${titleField} is on line ${sameTitle[0]}; GitLab may merge the two.`,
  );
}

function checkReferences(
  relation: string,
  record: Fields,
  { milestones, labels }: RecordContext,
  report: Report,
): void {
  const milestone = record['milestone'];
  if (milestones !== undefined && isObject(milestone) && isOfProject(milestone)) {
    const { title } = milestone;
    if (typeof title === 'string' && !milestones.has(title)) {
      report(
        'milestone.title',
        'milestone-unknown',
        'The milestone is not among the milestones of the archive.',
      );
    }
  }
  const links = Array.isArray(record['label_links']) ? (record['label_links'] as unknown[]) : [];
  links.forEach((link, index) => {
    const label = isObject(link) ? link['label'] : null;
    if (labels === undefined || !isObject(label) || !isOfProject(label)) return;
    if (typeof label['title'] !== 'string' || labels.has(label['title'])) return;
    report(
      `label_links[${index}].label.title`,
      'label-unknown',
      'The label is not among the labels of the archive.',
    );
  });
  if (relation !== 'merge_requests' && relation !== 'ci_pipelines') return;
  for (const field of shaFields) {
    const value = record[field];
    if (value === undefined || value === null || value === '') continue;
    if (typeof value === 'string' && /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/i.test(value)) continue;
    report(field, 'sha-invalid', `${field} is not a commit SHA.`);
  }
}

/** A group may have milestones and labels that the archive does not list. */
function isOfProject(value: Fields): boolean {
  return (value['group_id'] ?? null) === null && value['type'] !== 'GroupLabel';
}

function checkNotes(record: Fields, report: Report): void {
  const notes = Array.isArray(record['notes']) ? (record['notes'] as unknown[]) : [];
  notes.forEach((note, index) => {
    if (!isObject(note)) return;
    if (note['note'] === null || isBlank(note['note'])) {
      report(
        `notes[${index}].note`,
        'note-empty',
        'The note has no text; it is invalid and GitLab would silently skip it.',
      );
    }
    if (note['type'] === 'DiffNote' && !isObject(note['position']) && typeof note['position'] !== 'string') {
      report(
        `notes[${index}].position`,
        'position-missing',
        'The diff note has no position. It is invalid, and GitLab would silently skip it.',
      );
    }
  });
}

/** Visits every value at any depth. */
function walk(value: unknown, path: string, depth: number, report: Report): void {
  if (depth > maxDepth) return;
  if (Array.isArray(value)) {
    value.forEach((element, index) => {
      walk(element, `${path}[${index}]`, depth + 1, report);
    });
    return;
  }
  if (!isObject(value)) return;
  for (const [name, field] of Object.entries(value)) {
    const fieldPath = path === '' ? name : `${path}.${name}`;
    if (typeof field === 'string') checkText(name, field, fieldPath, report);
    else if (typeof field === 'number') checkNumber(name, field, fieldPath, report);
    else walk(field, fieldPath, depth + 1, report);
  }
}

function checkText(name: string, text: string, path: string, report: Report): void {
  if (text.includes('\0')) {
    report(path, 'text-nul', 'The text has a NUL character, which the database of GitLab cannot store.');
  }
  if (!isDateField(name) || text === '' || isPossibleDate(text)) return;
  report(
    path,
    'date-invalid',
    `${JSON.stringify(text.slice(0, 40))} is not a valid date; GitLab would drop or replace it.`,
  );
}

/** Accepts dates as GitLab writes them, with or without a time. Older versions wrote `2016-06-14 15:02:04 UTC`. */
function isPossibleDate(text: string): boolean {
  const parts =
    /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d):(\d\d)(?:\.\d+)?\s?(?:Z|UTC|[+-]\d\d:?\d\d)?)?$/.exec(text);
  if (parts === null) return false;
  const [year, month, day, hour, minute, second] = Array.from({ length: 6 }, (_, index) =>
    Number(parts.at(index + 1) ?? 0),
  ) as [number, number, number, number, number, number];
  const isDay =
    month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
  return isDay && year >= 1900 && hour < 24 && minute < 60 && second <= 60;
}

function checkNumber(name: string, number: number, path: string, report: Report): void {
  const isId = name === 'id' || name.endsWith('_id');
  const limit = int4Fields.has(name) ? 2 ** 31 : isId ? 2 ** 63 : null;
  if (limit === null || (number < limit && number >= -limit)) return;
  report(
    path,
    'integer-out-of-range',
    `${Number.isFinite(number) ? `${name} is ${number}, more than` : `${name} has more digits than`} its column can hold.`,
    number >= 2 ** 63 || number < -(2 ** 63) ? 'will-be-refused' : 'may-be-dropped',
  );
}
