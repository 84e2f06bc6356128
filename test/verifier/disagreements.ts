/** @file Compares the answers of the independent verifier on a project with the comparison that the product stored. */
import { relationOfNoteRow } from '../../src-contract/relations.ts';
import type { Reconciliation } from '../../src-contract/transfers/import.ts';
import { relationText } from '../../src-contract/words/relations.ts';

/** See `test/verifier/verify.py`. */
export type Difference = [...place: Place, answer: 'lost' | 'explained' | 'optional' | 'unread'];
type Place = [side: string, relation: string, key: string | number | null, field: string | null];

/**
 * Returns sentences; none if the verifier and the product agree.
 * @param sides those that were verified. The product compares the archive of an import with counts of its source, which
 *   the manifest of the archive holds.
 */
export function disagreementsOn(
  differences: readonly Difference[],
  reported: Reconciliation,
  sides: readonly string[],
): string[] {
  const named = namedLosses(reported);
  const namedSentences = new Set(named.map(toSentence));
  const possible = new Set(
    differences.flatMap(([side, relation, key, field, answer]) => [
      answer === 'unread' ? `${side} ${relation}` : toSentence([side, relation, key, field]),
      // Somebody may have created another record with the number of a lost one.
      ...(field === 'created_at' ? [toSentence([side, relation, key, null])] : []),
      ...otherParts(relation, field).map((part) => toSentence([side, relation, key, part])),
    ]),
  );
  // A lost record is reported without its fields.
  const isNamed = ([side, relation, key, field]: Place): boolean =>
    [field, null, ...otherParts(relation, field)].some((part) =>
      namedSentences.has(toSentence([side, relation, key, part])),
    ) || reported.unnamed?.some((loss) => loss.relation === relation && loss.lost === side) === true;
  const comparesFields = reported.depth === 'fields' || reported.depth === 'contents';
  const unsaid = differences.filter(([side, relation, key, field, answer]) => {
    const place: Place = [side, relation, key, field];
    if (answer === 'optional' || isNamed(place)) return false;
    // A comparison of numbers or names says that it compares no fields.
    if (!comparesFields && field !== null) return false;
    // Numbers show a loss without its name, also those of a list that may not be read now.
    if (
      (answer === 'unread' || reported.depth === 'numbers') &&
      lostRows(reported).some((row) => row[0] === side && row[1] === relation)
    )
      return false;
    const parts = [field, ...otherParts(relation, field)];
    return answer === 'lost' || !parts.some((part) => isDeclared([side, relation, key, part], reported));
  });
  const invented = named.filter(
    ([side, relation, key, field]) =>
      !possible.has(toSentence([side, relation, key, field])) && !possible.has(`${side} ${relation}`),
  );
  const inventedRows = lostRows(reported).filter(
    ([side, relation]) =>
      sides.includes(side) && !differences.some((one) => one[0] === side && one[1] === relation),
  );
  return [
    ...unsaid.map(
      ([side, relation, key, field, answer]) =>
        `the product does not report ${toSentence([side, relation, key, field])} (${answer})`,
    ),
    ...invented.map((place) => `only the product finds ${toSentence(place)}`),
    ...inventedRows.map(([side, relation]) => `only the product counts a loss ${side} of ${relation}`),
    ...(reported.reconciled && (named.length > 0 || unsaid.some(([, , , , answer]) => answer === 'lost'))
      ? ['the product says that nothing is lost']
      : []),
  ];
}

/** A member without an address in the archive is missing for the verifier; the product finds it by its username. */
const otherParts = (relation: string, field: string | null): string[] =>
  relation === 'project_members' && field === null ? ['access_level'] : entriesOf(field);

/** The verifier compares the users and commits of all reactions or changes together; the product those that both sides have. */
const entriesOf = (field: string | null): string[] =>
  field?.startsWith('emoji_users') === true
    ? ['emoji', 'upvotes', 'downvotes'].map((name) => field.replace('emoji_users', name))
    : [
        field
          ?.replace(/_event_(users|commits)$/, '_events')
          .replace(/^job_users$/, 'jobs')
          .replace(/^reviewers$/, 'review_state_users') ?? '',
      ].filter((name) => name !== (field ?? ''));

/** Relations whose comparison names a change by a phrase, such as a commit or a role, and not by a field. */
const phrased = [
  'branches',
  'tags',
  'project_members',
  'invitations',
  'protected_branches',
  'protected_tags',
  'protected_environments',
  'approval_rules',
];

function toSentence([side, relation, key, field]: Place): string {
  const part = field !== null && phrased.includes(relation) ? 'changed' : field;
  return `a loss ${side} of ${[relation, key, part].filter((word) => word !== null).join(', ')}`;
}

/** The size of LFS objects is a statistic of the project. */
const placeOfRow = (side: string, row: string): Place | null =>
  row === 'wiki'
    ? [side, 'wiki', null, null]
    : row === 'lfs_objects_size'
      ? [side, 'settings', null, row]
      : null;

/** A member cannot have such a name, because it contains spaces. */
const invitationTitle = /^invitation of /;

/** The title of a note on a commit begins with the commit, and that of a file ends with the size. */
const titleParts: Partial<Record<string, RegExp>> = {
  commit_notes: /^\w{8}: /,
  uploads: / \(\d+ bytes\)$/,
  lfs_objects: / \(\d+ bytes\)$/,
  invitations: invitationTitle,
};

function namedLosses(reported: Reconciliation): Place[] {
  return [
    ...reported.missing.map(({ lost, iid, title, part, ...record }): Place => {
      // An archive has members and invitations in one relation.
      const isInvitation = record.relation === 'project_members' && invitationTitle.test(title ?? '');
      const relation = isInvitation ? 'invitations' : record.relation;
      // The verifier compares all pages of a wiki together.
      if (relation === 'wiki') return [lost, relation, null, 'content'];
      const name = title?.replace(titleParts[relation] ?? /^$/, '') ?? null;
      // Each note has its own name.
      return [
        lost,
        relation,
        iid ?? name,
        part?.name.replace(/ of the (note|system note) of .*/s, ' of a $1') ?? null,
      ];
    }),
    // The side is null if the archive does not contain the setting.
    ...reported.settings.map(({ lost, attribute }): Place => [
      lost ?? 'on-export',
      'settings',
      null,
      attribute.replace(/^custom_attributes\..*/s, 'custom_attributes'),
    ]),
    ...reported.rows.flatMap(({ relation, verdict }) =>
      sidesOf(verdict).flatMap((side) => {
        const place = placeOfRow(side, relation);
        return place === null ? [] : [place];
      }),
    ),
  ];
}

const sidesOf = (verdict: Reconciliation['rows'][number]['verdict']): string[] =>
  verdict === 'lost-on-both'
    ? ['on-export', 'on-import']
    : verdict.startsWith('lost-')
      ? [verdict.slice('lost-'.length)]
      : [];

/** Returns the sides and relations whose numbers show a loss. */
const lostRows = ({ rows }: Reconciliation): [side: string, relation: string][] =>
  rows.flatMap(({ relation, verdict }) =>
    sidesOf(verdict).flatMap((side): [string, string][] =>
      placeOfRow(side, relation) === null ? [[side, relationOfNoteRow(relation) ?? relation]] : [],
    ),
  );

/** Returns whether a sentence says that the difference may be an edit, or that it cannot be judged. */
function isDeclared(
  [side, relation, key, field]: Place,
  { declared, unproven = [] }: Reconciliation,
): boolean {
  if (field !== null) {
    const owner =
      relation === 'settings' || key === null
        ? ''
        : ` of ${relation} ${typeof key === 'number' ? `#${key}` : key}`;
    const isContent = (sentence: string): boolean =>
      sentence.replaceAll(/ of the (note|system note) of \S+/g, ' of a $1').includes(`${field}${owner}`) ||
      / and \d+ more\.$/.test(sentence);
    if (declared.some((sentence) => sentence.startsWith('These contents differ') && isContent(sentence)))
      return true;
  }
  if (field?.includes('note') === true) return declared.some((sentence) => /\bnotes?\b/.test(sentence));
  if (side === 'on-import' && unproven.includes(relation)) return true;
  const words = relation === 'settings' ? [field ?? ''] : [relation, relationText(relation)];
  if (relation === 'settings' && side === 'on-export') words.push('settings were compared with the archive');
  if (relation === 'branches' || relation === 'tags') words.push('refs');
  return declared.some(
    (sentence) =>
      !/^These contents|^The (system )?notes/.test(sentence) && words.some((word) => sentence.includes(word)),
  );
}
