/**
 * @file The noun *relation target*: data of a project, other than its records, that the import of one
 * relation may change.
 */

export interface TargetMember {
  id: number;
  username: string;
  /** 40 is Maintainer. */
  level: number;
}

export interface RelationTarget {
  account: { id: number; username: string; administrator: boolean };
  /** In the form of the API. */
  attributes: Record<string, unknown>;
  /** The direct ones, oldest row first; null where they may not be read. */
  members: TargetMember[] | null;
}

/** An issue or merge request of an archive with the username of its author there; null where the archive does not name it. */
export interface AuthoredRecord {
  iid: number;
  author: string | null;
}
