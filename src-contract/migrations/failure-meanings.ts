/**
 * @file The meaning of the exceptions of failed relations, and advice. GitLab reports no message, only the
 * class (gitlab-facts 5.5: which classes are seen, which of them GitLab tries again by itself). Pure.
 */

export interface FailureMeaning {
  /** A sentence each. */
  meaning: string;
  advice: string;
}

const afresh =
  'Import the relation again for this record: what ran out of time usually succeeds when the instance is less busy.';
const mistake =
  'Look at the record for a field of an unusual kind; if nothing is wrong with it, the versions of the two instances may be too far apart.';

/** By the name of the class, or its last part where it is in a module. */
const meanings: ReadonlyMap<string, FailureMeaning> = new Map([
  [
    'RecordInvalid',
    {
      meaning: 'GitLab checked the record and found a field that it does not take.',
      advice:
        'Look at the marked field, such as a title that is missing or longer than 255 characters; put the original right, export again, or enter the record by hand.',
    },
  ],
  [
    'RecordNotUnique',
    {
      meaning: 'The target has a record already with a number or a name that may be there only once.',
      advice:
        'Compare the two: if the archive has the same iid twice, one of them can only be entered by hand; if it is the same record, accept the failure.',
    },
  ],
  [
    'QueryCanceled',
    {
      meaning: 'The database of the target took too long and gave up, three times in a row.',
      advice: afresh,
    },
  ],
  [
    'StatementInvalid',
    {
      meaning: 'The database of the target refused the record as it was written.',
      advice:
        'Look for characters that no text may hold, a broken date, or a reference to something that does not exist.',
    },
  ],
  [
    'RangeError',
    {
      meaning: 'A number of the record is larger than GitLab can store.',
      advice: 'Look for a number of more than ten digits, put the original right and export again.',
    },
  ],
  [
    'DeadlineExceeded',
    {
      meaning: 'The git storage of the target did not answer in time, three times in a row.',
      advice: afresh,
    },
  ],
  [
    'NoMethodError',
    {
      meaning: 'GitLab met a value of a kind that it did not expect and could not continue.',
      advice: mistake,
    },
  ],
  [
    'ArgumentError',
    {
      meaning: 'A field of the record has a value that GitLab does not know, such as the name of a state.',
      advice: mistake,
    },
  ],
  [
    'RuntimeError',
    {
      meaning: 'GitLab gave the record up without saying why.',
      advice: 'Import the relation again, and look at the record if it fails again.',
    },
  ],
  [
    'Gitlab::ImportExport::Error',
    {
      meaning: 'The part of GitLab that imports archives refused this one.',
      advice:
        'Check the archive and the versions of both instances; export again from a version that is close to the target.',
    },
  ],
  [
    'MissingBundleFile',
    {
      meaning: 'The repository of a snippet is not in the archive, so the snippet came without its files.',
      advice: 'Copy the files of the snippet by hand, or export again.',
    },
  ],
]);

const unknown: FailureMeaning = {
  meaning: 'GitLab could not save this record; the kind of the error is not a usual one.',
  advice:
    'Look at the record, import its relation again, and ask the administrator of the target for the log if it fails again.',
};

export function meaningOf(exceptionClass: string): FailureMeaning {
  const last = exceptionClass.split('::').at(-1) ?? '';
  return meanings.get(exceptionClass) ?? meanings.get(last) ?? unknown;
}
