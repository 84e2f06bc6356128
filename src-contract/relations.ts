/**
 * @file The relations by which source, archive and target are compared. The types of the lists, names and counts
 * follow from these lists, so the code compiles only if they contain every relation. Has no schema, because the window
 * imports it.
 */

interface RelationTraits {
  /** True if the archive contains the relation as refs of the repository, not as records. */
  isRef: boolean;
  /** The row of the comparison that counts the notes of its records; null if its records have none. */
  notes: string | null;
}

const plain = { isRef: false, notes: null } as const;
const refs = { isRef: true, notes: null } as const;

/** The relations that are also counted around an export, in the order of comparisons. */
const listedTraits = {
  issues: { isRef: false, notes: 'issue_notes' },
  merge_requests: { isRef: false, notes: 'merge_request_notes' },
  milestones: plain,
  labels: plain,
  releases: plain,
  ci_pipelines: plain,
  branches: refs,
  tags: refs,
} as const satisfies Record<string, RelationTraits>;
type ListedTraits = typeof listedTraits;

/** A relation whose records an instance lists with an identity: an iid, a title, the name of a tag or a ref. */
export type ListedRelation = keyof ListedTraits;
export const listedRelations = Object.keys(listedTraits) as ListedRelation[];

/**
 * Relations that only a comparison lists. They are not counted around an export, because a backup would pay for it with
 * more requests.
 */
export const uncountedRelations = [
  'boards',
  'snippets',
  'project_badges',
  'pipeline_schedules',
  'push_rule',
] as const;
export type UncountedRelation = (typeof uncountedRelations)[number];
export const isUncounted = (relation: string): relation is UncountedRelation =>
  (uncountedRelations as readonly string[]).includes(relation);

/** A relation whose records a comparison lists on both instances. */
export type ComparedRelation = ListedRelation | UncountedRelation;
export const comparedRelations: readonly ComparedRelation[] = [...listedRelations, ...uncountedRelations];

export type RefRelation = {
  [R in ListedRelation]: ListedTraits[R]['isRef'] extends true ? R : never;
}[ListedRelation];
export const isRef = (relation: ComparedRelation): relation is RefRelation =>
  !isUncounted(relation) && listedTraits[relation].isRef;

/** A relation that an archive contains as records. */
export type RecordRelation = Exclude<ComparedRelation, RefRelation>;

/** The relation of the notes on commits. An archive stores each as a record of its own. */
export const commitNotes = 'commit_notes';

/** A row that counts the notes of another relation's records. */
export type NoteRow = Exclude<ListedTraits[ListedRelation]['notes'], null>;

/** Returns the row that counts the notes of the relation's records; null if they have none. */
export const noteRowOf = (relation: ComparedRelation): NoteRow | null =>
  isUncounted(relation) ? null : listedTraits[relation].notes;

/** Returns the relation whose notes the row counts; null for any other row. */
export const relationOfNoteRow = (row: string): ListedRelation | null =>
  listedRelations.find((relation) => listedTraits[relation].notes === row) ?? null;

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
