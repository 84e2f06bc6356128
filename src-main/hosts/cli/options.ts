/** @file Values of options, checked while they are read: a wrong one is wrong usage before anything is opened. */
import { InvalidArgumentError, Option } from 'commander';

export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`Give a whole number from ${least} to ${most}.`);
  };
}

/** An option that takes one of a few words. */
export function choice(flags: string, description: string, words: readonly string[]): Option {
  return new Option(flags, description).choices(words);
}

/** For an option that may be given several times; the list is made when the first one comes. */
export function repeated(value: string, previous: string[] | undefined): string[] {
  return [...(previous ?? []), value];
}

/** `--limit` of a list, which is fetched page by page. */
export function limitOption(ordinarily: number): Option {
  return new Option('--limit <count>', 'how many at the most')
    .argParser(wholeNumber(1, 1_000_000))
    .default(ordinarily);
}
