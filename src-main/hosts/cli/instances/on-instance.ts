/** @file The shared options and lists of commands about an instance, or about one of its projects. */
import { Option, type Command } from 'commander';
import { limitOption, required } from '../terminal/options.ts';
import { tokenOptions, type TokenOptions } from '../running/session.ts';

export interface InstanceOptions extends TokenOptions {
  instance: string;
}

export const addInstanceOptions = (command: Command): Command =>
  tokenOptions(command.addOption(required(new Option('--instance <name>', 'the instance'))));

/** Adds the project as the first argument. */
export const addProjectArgument = (command: Command): Command =>
  addInstanceOptions(command.argument('<project>', 'full path or id'));

export interface ListOptions extends InstanceOptions {
  limit: number;
  all?: boolean;
}

export const listOptions = (command: Command): Command =>
  command.addOption(limitOption(100)).option('--all', 'all there are, page by page');

export interface ListPage<Entry> {
  entries: Entry[];
  next: string | null;
}

/** The maximum page size of GitLab. Pages are numbered, so all pages of a list must have one size. */
const largestPart = 100;

/** Returns as many entries of the list as are wanted; `more` is true if there are others. */
export async function wholeList<Entry>(
  { limit, all = false }: ListOptions,
  fetchPart: (place: { limit: number; cursor: string | null }) => Promise<ListPage<Entry>>,
): Promise<{ entries: Entry[]; more: boolean }> {
  const most = all ? Infinity : limit;
  const entries: Entry[] = [];
  let cursor: string | null = null;
  do {
    const part: ListPage<Entry> = await fetchPart({ limit: Math.min(largestPart, most), cursor });
    entries.push(...part.entries);
    cursor = part.next;
  } while (cursor !== null && entries.length < most);
  return { entries: entries.slice(0, most), more: cursor !== null || entries.length > most };
}

/** The line below a list that was cut short. */
export const moreLines = (more: boolean): string[] =>
  more ? ['', 'There are more; see --limit and --all.'] : [];
