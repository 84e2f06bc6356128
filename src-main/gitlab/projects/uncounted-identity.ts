/**
 * @file Identifies the records of relations without a number. GitLab's lists and archives give the identifying fields
 * the same names (gitlab-facts 5.6).
 */
import type { UncountedRelation } from '../../../src-contract/relations.ts';
import { parseTime } from '../../platform/clock.ts';

type Fields = Readonly<Record<string, unknown>>;

interface UncountedIdentity {
  /** The same on source, archive and target; null if the record lacks the field. */
  key: string | null;
  title: string | null;
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** Imports keep the time of creation, and titles may be edited. Some lists write times without fractions of a second. */
function creationKey({ created_at: at }: Fields): string | null {
  const time = parseTime(textOf(at) ?? undefined);
  return time === null ? null : String(Math.floor(time / 1000));
}

/** A badge may have no name. */
const badgeName = ({ name, link_url: link, image_url: image }: Fields): string | null =>
  textOf(name) ?? (textOf(link) === null ? null : `${textOf(link) ?? ''} ${textOf(image) ?? ''}`.trim());

const readers: Record<UncountedRelation, (record: Fields) => UncountedIdentity> = {
  boards: ({ name }) => ({ key: textOf(name), title: textOf(name) }),
  snippets: (record) => ({ key: creationKey(record), title: textOf(record['title']) }),
  project_badges: (record) => ({ key: badgeName(record), title: badgeName(record) }),
  pipeline_schedules: (record) => ({ key: creationKey(record), title: textOf(record['description']) }),
  // A project has at most one.
  push_rule: () => ({ key: 'push_rule', title: null }),
};

export const uncountedIdentity = (relation: UncountedRelation, record: Fields): UncountedIdentity =>
  readers[relation](record);
