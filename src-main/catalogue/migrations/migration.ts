/** One step from a version of the catalogue to the next. */
export interface Migration {
  /** The catalogue's `user_version` afterwards: one more than that of the migration before. */
  version: number;
  sql: string;
}
