/**
 * @file The meaning of the exceptions of failed relations, and advice. GitLab reports only the class, no message.
 * gitlab-facts 5.5 lists the classes that occur, and those that GitLab retries itself. Pure.
 */

export interface FailureMeaning {
  /** Both are full sentences. */
  meaning: string;
  advice: string;
}

const retryAdvice =
  'Import the relation again for this record: a timeout usually disappears when the instance is less busy.';
const fieldAdvice =
  'Look at the record for a field of an unusual kind; if nothing is wrong with it, the versions of the two instances may be too far apart.';

/** By the name of the class, or by its last part if the class is in a module. */
const meanings: ReadonlyMap<string, FailureMeaning> = new Map([
  [
    'RecordInvalid',
    {
      meaning: 'GitLab checked the record and found an invalid field.',
      advice:
        'Check the marked field, such as a title that is missing or longer than 255 characters. Correct the original and export again, or enter the record by hand.',
    },
  ],
  [
    'RecordNotUnique',
    {
      meaning: 'The target already has a record with this number or name, which must be unique.',
      advice:
        'Compare both records. If they are the same record, accept the failure. If the archive has the same iid twice, enter one of them by hand.',
    },
  ],
  [
    'QueryCanceled',
    {
      meaning: 'The database of the target took too long and gave up, three times in a row.',
      advice: retryAdvice,
    },
  ],
  [
    'StatementInvalid',
    {
      meaning: 'The database of the target refused to write the record.',
      advice: 'Look for invalid characters, a broken date, or a reference to something that does not exist.',
    },
  ],
  [
    'RangeError',
    {
      meaning: 'A number of the record is larger than GitLab can store.',
      advice: 'Look for a number of more than ten digits, correct the original and export again.',
    },
  ],
  [
    'DeadlineExceeded',
    {
      meaning: 'The git storage of the target did not respond in time, three times in a row.',
      advice: retryAdvice,
    },
  ],
  [
    'NoMethodError',
    {
      meaning: 'GitLab could not process a value of an unexpected type.',
      advice: fieldAdvice,
    },
  ],
  [
    'ArgumentError',
    {
      meaning: 'A field of the record has a value that GitLab does not know, such as the name of a state.',
      advice: fieldAdvice,
    },
  ],
  [
    'RuntimeError',
    {
      meaning: 'GitLab could not import the record and gave no reason.',
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
      meaning:
        'The repository of a snippet is not in the archive, so the snippet was imported without its files.',
      advice: 'Copy the files of the snippet by hand, or export again.',
    },
  ],
]);

const unknownMeaning: FailureMeaning = {
  meaning: 'GitLab could not save this record. The exception is an unusual one.',
  advice:
    'Look at the record, import its relation again, and ask the administrator of the target for the log if it fails again.',
};

export function meaningOf(exceptionClass: string): FailureMeaning {
  const last = exceptionClass.split('::').at(-1) ?? '';
  return meanings.get(exceptionClass) ?? meanings.get(last) ?? unknownMeaning;
}
