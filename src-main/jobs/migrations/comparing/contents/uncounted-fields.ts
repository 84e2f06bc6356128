/**
 * @file The compared fields of boards, snippets, badges, pipeline schedules and push rules. Pure. gitlab-facts 5.6 says
 * what archives and lists contain of them.
 */
import type { UncountedRelation } from '../../../../../src-contract/relations.ts';
import { snippetFiles } from './snippet-files.ts';
import {
  column,
  emojiField,
  emojiTimes,
  isFields,
  listOf,
  sameColumn,
  unexported,
  type Fields,
  type ComparedField,
  type RecordField,
} from './field-readers.ts';

/** Text that a user entered; a rule without it is null or empty. */
const textColumns = (...names: string[]): Record<string, RecordField> =>
  Object.fromEntries(names.map((name) => [name, sameColumn('text', name)]));

const flagColumns = (...names: string[]): Record<string, RecordField> =>
  Object.fromEntries(names.map((name) => [name, sameColumn('flag', name)]));

/** If a project has not set the switch, an archive has null, and GitLab's list the default of the instance. */
const switchesWithDefault = (...names: string[]): Record<string, RecordField> =>
  Object.fromEntries(
    names.map((name) => [
      name,
      { ...sameColumn('flag', name), archived: (record: Fields) => record[name] ?? undefined },
    ]),
  );

const unexportedTitle = (name: string): Record<string, RecordField> => ({
  [name]: {
    kind: 'text',
    archived: null,
    listed: ({ [name]: value }) => (isFields(value) ? (value['title'] ?? value['username']) : value),
  },
});

/** The limits of the lists of a board. Only instances with Premium show them. */
const listLimits = (...names: string[]): Record<string, RecordField> => {
  const values = (lists: unknown, name: string, nameOf: (list: Fields) => string[]): unknown => {
    const shown = listOf(lists)
      ?.filter((list) => nameOf(list).length > 0)
      .toSorted(byPosition)
      .map((list) => list[name]);
    // No limit is 0, in newer versions also null.
    return shown?.includes(undefined)
      ? undefined
      : shown?.map((value) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '0'));
  };
  return Object.fromEntries(
    names.map((name) => [
      name,
      {
        kind: 'limits',
        archived: ({ lists }: Fields) => values(lists, name, archivedListName),
        listed: ({ lists }: Fields) => values(lists, name, listedListName),
      },
    ]),
  );
};

const visibilities: Partial<Record<number, string>> = { 0: 'private', 10: 'internal', 20: 'public' };

export const uncountedFields: Record<UncountedRelation, Readonly<Record<string, ComparedField>>> = {
  boards: {
    ...flagColumns('hide_backlog_list', 'hide_closed_list'),
    weight: sameColumn('number', 'weight'),
    lists: {
      kind: 'sequence',
      hasRenames: true,
      archived: ({ lists }) => listOf(lists)?.toSorted(byPosition).flatMap(archivedListName),
      listed: ({ lists }) => listOf(lists)?.toSorted(byPosition).flatMap(listedListName),
    },
    ...listLimits('max_issue_count', 'max_issue_weight', 'limit_metric'),
    ...unexportedTitle('milestone'),
    ...unexportedTitle('assignee'),
    labels: {
      kind: 'names',
      archived: null,
      listed: ({ labels }) => listOf(labels)?.map(({ name }) => name),
    },
  },
  snippets: {
    title: sameColumn('title', 'title'),
    description: sameColumn('text', 'description'),
    visibility: {
      kind: 'text',
      archived: ({ visibility_level: level }) => visibilities[Number(level)],
      listed: column('visibility'),
    },
    files: snippetFiles,
    emoji: emojiField(),
    emoji_times: emojiTimes,
  },
  project_badges: textColumns('link_url', 'image_url'),
  pipeline_schedules: {
    ...textColumns('description', 'cron', 'cron_timezone'),
    ref: sameColumn('ref', 'ref'),
    // Archives before GitLab 14 contain this field, but an import never uses it.
    ...unexported('flag', 'active'),
  },
  push_rule: {
    ...textColumns('author_email_regex', 'branch_name_regex', 'commit_message_regex'),
    ...textColumns('commit_message_negative_regex', 'file_name_regex'),
    max_file_size: sameColumn('number', 'max_file_size'),
    ...flagColumns('deny_delete_tag', 'member_check', 'prevent_secrets'),
    ...switchesWithDefault('commit_committer_check', 'reject_unsigned_commits', 'reject_non_dco_commits'),
    ...unexported('flag', 'commit_committer_name_check'),
  },
};

/** GitLab orders the lists of a board like this. The position is unique among the lists that users make. */
export const byPosition = (a: Fields, b: Fields): number =>
  Number(a['position'] ?? 0) - Number(b['position'] ?? 0);

/** Returns no name for a list that every board has, and for one of a type that not every version shows. */
const archivedListName = ({ list_type: type, label, milestone }: Fields): string[] => {
  if (type === 'label') return [titleIn(label, 'title')];
  if (type === 'milestone') return [`milestone ${titleIn(milestone, 'title')}`];
  return type === 'assignee' || type === 'iteration' ? [type] : [];
};

const listedListName = ({ label, milestone, assignee, iteration }: Fields): string[] => {
  if (isFields(label)) return [titleIn(label, 'name')];
  if (isFields(milestone)) return [`milestone ${titleIn(milestone, 'title')}`];
  return isFields(assignee) ? ['assignee'] : isFields(iteration) ? ['iteration'] : [];
};

const titleIn = (value: unknown, name: string): string => {
  const title = isFields(value) ? value[name] : undefined;
  return typeof title === 'string' ? title : '';
};
