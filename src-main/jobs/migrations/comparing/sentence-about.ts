/** @file Writes the sentences of a comparison that end with a list of names. Pure. */
import { joinNames } from '../../../../src-contract/transfers/relation-members.ts';

/**
 * Returns a sentence that names each of them once, and none without names.
 * @param max maximum number of names; ten if absent.
 */
export function sentenceAbout(text: string, names: readonly string[], max?: number): string[] {
  return names.length === 0 ? [] : [`${text}: ${joinNames([...new Set(names)], max)}.`];
}
