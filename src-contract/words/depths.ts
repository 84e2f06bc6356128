/** @file The words for a comparison without losses, by what it covers. */
import type { ComparisonDepth } from '../transfers/import.ts';

export const agreementText: Record<ComparisonDepth, { title: string; text: string }> = {
  numbers: {
    title: 'Arrived, contents not compared',
    text: 'The numbers of records agree. Their names and contents were not compared.',
  },
  names: {
    title: 'Arrived, contents not compared',
    text: 'The numbers and names of records agree. Their contents were not compared.',
  },
  fields: {
    title: 'Arrived, contents compared in part',
    text: 'The numbers, names and compared fields of records agree. Contents were compared in part.',
  },
  contents: {
    title: 'Arrived',
    text: 'The numbers, names and contents of records agree, as far as GitLab’s API shows them.',
  },
};
