/** @file Compares an imported project with its source although the import could not map the users. */

/** Columns of records that hold a user, and lists in which several users become the importing one. */
const userColumns =
  /^(author_id|user_id|closed_by_id|updated_by_id|latest_closed_by_id|merged_by_id|issue_assignees|merge_request_assignees|merge_request_reviewers)$/;

/** Returns a copy without users, and without the names of authors that an import adds to notes. */
export const withoutUsers = <Value>(value: Value): Value =>
  JSON.parse(
    JSON.stringify(value, (column, content: unknown) =>
      userColumns.test(column) ? undefined : content,
    ).replaceAll(/\\n\\n \*By [^"*]+\*"/g, '"'),
  ) as Value;
