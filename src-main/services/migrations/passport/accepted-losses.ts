/** @file Lists the accepted losses of a migrated project for its passport. Pure. */
import type { AcceptedLoss } from '../../../../src-contract/migrations/passport-schema.ts';
import type { StoredFailure } from '../../../catalogue/migrations/import-failures.ts';
import type { AssessedDifference } from '../../../jobs/migrations/comparing/differences.ts';
import { isoTime } from '../../../platform/clock.ts';

/**
 * Returns differences of the comparison, then listed failures. A record with a listed failure counts once, as that
 * failure.
 */
export const acceptedLosses = (
  differences: readonly AssessedDifference[],
  failures: readonly StoredFailure[],
): AcceptedLoss[] => [...acceptedDifferences(differences), ...failures.flatMap(acceptedFailure)];

const acceptedDifferences = (differences: readonly AssessedDifference[]): AcceptedLoss[] =>
  differences.flatMap(({ what, relation, lost, missing, open, accepted, isAcceptedItself }) =>
    accepted === null || !isAcceptedItself
      ? []
      : [
          {
            ...{ what, relation: relation === '' ? null : relation, lost, accepted: missing - open, missing },
            note: accepted.note,
            at: isoTime(accepted.at),
            failure: null,
          },
        ],
  );

function acceptedFailure({
  id,
  state,
  relation,
  line,
  record,
  note,
  changedAt,
}: StoredFailure): AcceptedLoss[] {
  if (state !== 'accepted') return [];
  const place = line === null ? (relation ?? 'relation unknown') : `${relation ?? ''} line ${line}`;
  const name = [(record?.iid ?? null) === null ? '' : `#${record?.iid ?? ''}`, record?.title ?? '']
    .filter(Boolean)
    .join(' ');
  return [
    {
      what: name === '' ? place : `${place}: ${name}`,
      ...{ relation, lost: 'on-import', accepted: 1, missing: 1, note },
      at: isoTime(changedAt),
      failure: id,
    },
  ];
}
