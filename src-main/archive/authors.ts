/**
 * @file Finds the members of an archive who wrote some of its records. GitLab maps authors by the members in the same
 * archive, and replaces an author whom it cannot map by the importing account (gitlab-facts 8). GitLab also adds each
 * member to the project, so an archive of some records contains only the members that these records name.
 */
import { createReadStream } from 'node:fs';
import { AppError } from '../../src-contract/errors.ts';

export const membersRelation = 'project_members';

/** User ids as GitLab's records name them: `author_id`, `resolved_by_id`, `merge_user_id` … */
const userIdPattern =
  /"(?:[a-z_]{0,40}(?:user|author|assignee|owner)|[a-z_]{1,40}_by)_id"\s{0,8}:\s{0,8}(\d{1,19})/g;
/** Maximum length of one match. */
const maxMatchLength = 160;

/** More users than any project has. Each id takes about sixty bytes of memory. */
const maxUsers = 500_000;
/** A member's record has about a kilobyte. */
const maxMemberBytes = 1 << 20;

/** Adds every user id found in the file's records. Throws `archive-limit` beyond half a million. */
export async function addUserIds(file: string, userIds: Set<string>): Promise<void> {
  let rest = '';
  const addMatches = (text: string, isLast: boolean): void => {
    for (const match of text.matchAll(userIdPattern)) {
      // A number that the end of the piece may cut is found again in the next piece.
      if (isLast || match.index + match[0].length < text.length) userIds.add(copyText(match[1] ?? ''));
      if (userIds.size > maxUsers) {
        throw new AppError('archive-limit', `The chosen records name more than ${maxUsers} users.`);
      }
    }
  };
  for await (const piece of createReadStream(file, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
    const text = rest + piece.toString('latin1');
    addMatches(text, false);
    rest = text.slice(-maxMatchLength);
  }
  addMatches(rest, true);
}

/** Copies a part of a text, so that the whole text does not stay in memory. */
const copyText = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');

/** Yields the lines of a file without their ends. Skips lines longer than any member's record. */
export async function* readMemberLines(file: string): AsyncGenerator<Buffer, void> {
  let rest: Buffer[] = [];
  let length = 0;
  for await (const piece of createReadStream(file, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
    let offset = 0;
    for (let end = piece.indexOf(10); end !== -1; end = piece.indexOf(10, offset)) {
      length += end - offset;
      if (length <= maxMemberBytes) yield Buffer.concat([...rest, piece.subarray(offset, end)]);
      rest = [];
      length = 0;
      offset = end + 1;
    }
    length += piece.length - offset;
    if (length > maxMemberBytes) rest = [];
    else rest.push(Buffer.from(piece.subarray(offset)));
  }
  if (length > 0 && length <= maxMemberBytes) yield Buffer.concat(rest);
}

/**
 * Returns whether the record is a member with one of those user ids. Returns false for an invitation, which has no
 * user: GitLab would send it again.
 */
export function isMemberWithUserId(record: Buffer, userIds: ReadonlySet<string>): boolean {
  try {
    const { user } = JSON.parse(record.toString()) as { user?: { id?: unknown } | null };
    return typeof user?.id === 'number' && userIds.has(String(user.id));
  } catch {
    return false;
  }
}
