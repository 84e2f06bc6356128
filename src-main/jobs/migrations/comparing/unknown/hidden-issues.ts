/**
 * @file Confidential issues that the account might not see. Their arrival on a target is not known, and those of a source
 * are not compared. Pure.
 */
import type { MissingRecord } from '../../../../../src-contract/transfers/import.ts';
import { joinNames } from '../../../../../src-contract/transfers/relation-members.ts';
import type { ArchivedRecord, ListedRecord } from '../losses/naming-losses.ts';

/** GitLab's number of the role Planner, the lowest role that sees all confidential issues (gitlab-facts 11). */
const plannerLevel = 15;

export interface IssueReader {
  administrator: boolean;
  /** The role in the project of that side, as GitLab's number; null if it is not known. */
  accessLevel: number | null;
}

export interface IssueSides extends IssueReader {
  archive: readonly ArchivedRecord[];
  /** The issues of the other side; null if they may not be listed. */
  listed: readonly ListedRecord[] | null;
}

/** Returns whether the account might not see confidential issues. */
export const mayNotSeeIssues = ({ administrator, accessLevel }: IssueReader): boolean =>
  !administrator && (accessLevel ?? 0) < plannerLevel;

/** Returns the archived confidential issues that the other side does not list, if the account might not see them. */
export function possiblyHiddenIssues(sides: IssueSides): MissingRecord[] {
  const { archive, listed } = sides;
  if (listed === null || !mayNotSeeIssues(sides)) return [];
  const listedKeys = new Set(listed.map(({ key }) => key));
  return archive
    .filter(({ key, contents }) => contents?.['confidential'] === 'true' && !listedKeys.has(key))
    .map(({ line, iid, title }) => ({
      ...{ relation: 'issues', lost: 'on-import', line, iid, title, part: null },
    }));
}

/** Returns the records that are missing without doubt: all except the hidden ones. */
export function withoutHidden(
  missing: readonly MissingRecord[],
  hidden: readonly MissingRecord[],
): MissingRecord[] {
  const hiddenLines = new Set(hidden.map(({ line }) => line));
  return missing.filter(
    ({ relation, lost, line, part }) =>
      relation !== 'issues' || lost !== 'on-import' || part !== null || !hiddenLines.has(line),
  );
}

/** @param hidden archived issues that the source does not list. */
export function describeHiddenOnSource(instance: string, hidden: readonly MissingRecord[]): string[] {
  if (hidden.length === 0) return [];
  return [
    `"${instance}" does not list these confidential issues, and the account's role there may not suffice to see them and others, so it is not known whether the export lost confidential issues: ${namesOf(hidden)}.`,
  ];
}

const namesOf = (hidden: readonly MissingRecord[]): string =>
  joinNames(hidden.map(({ iid, line }) => `#${iid ?? `line ${line ?? ''}`}`));

export function describeHiddenIssues(instance: string, hidden: readonly MissingRecord[]): string[] {
  if (hidden.length === 0) return [];
  return [
    `"${instance}" does not list these confidential issues, and the account's role there may not suffice to see them, so it is not known whether they arrived: ${namesOf(hidden)}.`,
  ];
}
