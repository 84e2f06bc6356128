/** @file Validates restored records like GitLab's models; refused notes are not reported (gitlab-facts 5.5). */
import { isObject, notesOf, type JsonRecord } from '../content/project-content.ts';

interface Refusal {
  /** Null if an existing record is used instead, or the refusal is only logged: `failed_relations` does not list it. */
  exceptionClass: string | null;
  reason: string;
}

const recordInvalid = (reason: string): Refusal => ({
  exceptionClass: 'ActiveRecord::RecordInvalid',
  reason,
});

const notUnique = (reason: string): Refusal => ({ exceptionClass: 'ActiveRecord::RecordNotUnique', reason });

/** The text field that a record must have, with at most 255 characters. */
const titleField: Record<string, string> = {
  labels: 'title',
  milestones: 'title',
  issues: 'title',
  merge_requests: 'title',
  snippets: 'title',
  releases: 'tag',
  protected_branches: 'name',
  protected_tags: 'name',
  protected_environments: 'name',
  approval_rules: 'name',
  commit_notes: 'note',
};

/**
 * The field by which an existing record is found and used instead of a new one, or whose second record GitLab only logs.
 */
const lookupField: Record<string, string> = { labels: 'title', project_members: 'invite_email' };

/** The field that must be unique among the saved records of a project. */
const uniqueField: Record<string, string> = {
  milestones: 'iid',
  issues: 'iid',
  merge_requests: 'iid',
  ci_pipelines: 'iid',
  releases: 'tag',
};

const dateFields =
  'created_at updated_at closed_at due_date start_date released_at started_at finished_at expires_at'.split(
    ' ',
  );

/** Validates the records of one relation, one after another; only saved records count as existing. */
export class RelationValidator {
  readonly #relation: string;
  readonly #taken = new Set<unknown>();

  constructor(relation: string) {
    this.#relation = relation;
  }

  validate(record: unknown): Refusal | null {
    if (!isObject(record)) return { exceptionClass: 'NoMethodError', reason: 'not an object' };
    const relation = this.#relation;
    return (
      this.#titleRefusal(record) ??
      colourRefusal(relation, record) ??
      dateRefusal(record) ??
      this.#uniquenessRefusal(record)
    );
  }

  #titleRefusal(record: JsonRecord): Refusal | null {
    const field = titleField[this.#relation];
    if (field === undefined) return null;
    const value = record[field];
    if (typeof value !== 'string' || value.trim() === '') return recordInvalid(`${field} can't be blank`);
    if (field !== 'note' && Array.from(value).length > 255) return recordInvalid(`${field} is too long`);
    return null;
  }

  #uniquenessRefusal(record: JsonRecord): Refusal | null {
    const lookup = lookupField[this.#relation];
    const field = lookup ?? uniqueField[this.#relation];
    const value = field === undefined ? undefined : record[field];
    if (field === undefined || value === undefined || value === null) return null;
    const reason = `${field} has already been taken`;
    if (this.#taken.has(value)) {
      return lookup === undefined ? notUnique(reason) : { exceptionClass: null, reason };
    }
    this.#taken.add(value);
    return null;
  }
}

function colourRefusal(relation: string, record: JsonRecord): Refusal | null {
  if (relation !== 'labels') return null;
  const { color } = record;
  const valid = typeof color === 'string' && /^#(?:[0-9a-f]{3}){1,2}$/i.test(color.trim());
  return valid ? null : recordInvalid('color must be a valid color code');
}

function dateRefusal(record: JsonRecord): Refusal | null {
  const invalidField = dateFields.find((field) => {
    const value = record[field] ?? null;
    return value !== null && (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d/.test(value));
  });
  return invalidField === undefined ? null : recordInvalid(`${invalidField} is not a date`);
}

export function noteRefusal(note: JsonRecord): string | null {
  if (typeof note['note'] !== 'string' || note['note'].trim() === '') return "note can't be blank";
  const { position } = note;
  const hasPosition = (typeof position === 'object' && position !== null) || typeof position === 'string';
  return note['type'] === 'DiffNote' && !hasPosition ? "position can't be blank" : null;
}

/** Returns the record without the notes that cannot be saved, and the reason for each; null if all are kept. */
export function dropInvalidNotes(record: JsonRecord): { record: JsonRecord; dropped: string[] } | null {
  const notes = notesOf(record);
  const reasons = notes.map(noteRefusal);
  if (reasons.every((reason) => reason === null)) return null;
  return {
    record: { ...record, notes: notes.filter((_, index) => reasons[index] === null) },
    dropped: reasons.filter((reason) => reason !== null),
  };
}
