/**
 * @file The relations by which source, archive and target are compared. The types of the lists, names and counts
 * follow from this table, so the code compiles only if they contain every relation. Has no schema, because the window
 * imports it.
 */

interface ComparedRelation {
  /** True if the archive contains the relation as refs of the repository, not as records. */
  isRef: boolean;
  /** The row of the comparison that counts the notes of its records; null if its records have none. */
  notes: string | null;
}

const plain = { isRef: false, notes: null } as const;
const refs = { isRef: true, notes: null } as const;

/** The relations in the order of comparisons. */
const comparedRelations = {
  issues: { isRef: false, notes: 'issue_notes' },
  merge_requests: { isRef: false, notes: 'merge_request_notes' },
  milestones: plain,
  labels: plain,
  releases: plain,
  ci_pipelines: plain,
  branches: refs,
  tags: refs,
} as const satisfies Record<string, ComparedRelation>;
type ComparedRelations = typeof comparedRelations;

/** A relation whose records an instance lists with an identity: an iid, a title, the name of a tag or a ref. */
export type ListedRelation = keyof ComparedRelations;
export const listedRelations = Object.keys(comparedRelations) as ListedRelation[];

export type RefRelation = {
  [R in ListedRelation]: ComparedRelations[R]['isRef'] extends true ? R : never;
}[ListedRelation];
export const isRef = (relation: ListedRelation): relation is RefRelation => comparedRelations[relation].isRef;

/** A row that counts the notes of another relation's records. */
export type NoteRow = Exclude<ComparedRelations[ListedRelation]['notes'], null>;

/** Returns the row that counts the notes of the relation's records; null if they have none. */
export const noteRowOf = (relation: ListedRelation): NoteRow | null => comparedRelations[relation].notes;

/** Returns the relation whose notes the row counts; null for any other row. */
export const relationOfNoteRow = (row: string): ListedRelation | null =>
  listedRelations.find((relation) => comparedRelations[relation].notes === row) ?? null;

/** The rows that are counted on source and target. The row for a relation of the archive has that relation's name. */
export type CountedRelation = ListedRelation | NoteRow;
export const countedRelations: readonly CountedRelation[] = [
  ...listedRelations,
  ...listedRelations.flatMap((relation) => noteRowOf(relation) ?? []),
];

/** Returns a value for each row that is counted. */
export function mapCountedRelations<T>(
  count: (relation: ListedRelation) => T,
  countNotes: (relation: ListedRelation) => T,
): Record<CountedRelation, T> {
  return Object.fromEntries(
    countedRelations.map((row) => {
      const relation = relationOfNoteRow(row);
      return [row, relation === null ? count(row as ListedRelation) : countNotes(relation)];
    }),
  ) as Record<CountedRelation, T>;
}
