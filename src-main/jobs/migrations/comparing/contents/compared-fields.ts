/**
 * @file The fields of records that comparisons read: where the archive and GitLab's lists have each of them. Pure.
 * [Note: fields of records] gitlab-facts 5.4 names the fields of archives, gitlab-facts 7 what an import changes.
 */
import type { RecordRelation } from '../../../../../src-contract/relations.ts';
import { column, isFields, listOf, sameColumn, type ComparedField, type Fields } from './field-readers.ts';
import { normalizers, type ValueKind } from './field-values.ts';
import { issueFields, mergeRequestFields, titleOf } from './noteable-fields.ts';
import { jobColumns, pipelineJobs, retriedJobs, statusAfterImport } from './pipeline-jobs.ts';
import { uncountedFields } from './uncounted-fields.ts';

/** The comparable values of a record by field. A field that the record does not have is absent. */
export type RecordContents = Readonly<Record<string, string>>;

/** Only the reply about a single pipeline shows these. */
const singly = (kind: ValueKind, name: string): ComparedField => ({
  ...sameColumn(kind, name),
  isReadSingly: true,
});
export const pipelineColumns: Readonly<Record<string, ComparedField>> = {
  tag: singly('flag', 'tag'),
  yaml_errors: singly('text', 'yaml_errors'),
  started_at: singly('time', 'started_at'),
  finished_at: singly('time', 'finished_at'),
  committed_at: singly('time', 'committed_at'),
  duration: singly('number', 'duration'),
  before_sha: {
    ...singly('text', 'before_sha'),
    // GitLab shows zeros for a pipeline without one.
    listed: ({ before_sha: sha }) => (typeof sha === 'string' && /^0+$/.test(sha) ? null : sha),
    archived: ({ before_sha: sha }) => (typeof sha === 'string' && /^0+$/.test(sha) ? null : sha),
  },
};

const comparedFields: Record<RecordRelation, Readonly<Record<string, ComparedField>>> = {
  issues: issueFields,
  merge_requests: mergeRequestFields,
  milestones: {
    title: sameColumn('title', 'title'),
    description: sameColumn('text', 'description'),
    state: sameColumn('text', 'state'),
    start_date: sameColumn('day', 'start_date'),
    due_date: sameColumn('day', 'due_date'),
    created_at: sameColumn('time', 'created_at'),
  },
  labels: {
    color: sameColumn('colour', 'color'),
    description: sameColumn('text', 'description'),
    priority: {
      kind: 'number',
      archived: ({ priorities }) => {
        const list = listOf(priorities);
        return list === undefined ? undefined : (list[0]?.['priority'] ?? null);
      },
      listed: column('priority'),
    },
  },
  releases: {
    name: { kind: 'text', archived: ({ name, tag }) => name ?? tag, listed: column('name') },
    description: sameColumn('text', 'description'),
    sha: {
      kind: 'text',
      archived: column('sha'),
      // GitLab leaves it out for accounts that may not read the repository, and has null for a commit that it lacks.
      listed: ({ commit }) => (isFields(commit) ? commit['id'] : undefined),
      // For a release without `sha`, GitLab shows the commit of its tag.
      isDerivedIfEmpty: true,
    },
    released_at: {
      ...sameColumn('time', 'released_at'),
      // An import sets it.
      archived: ({ released_at: at, created_at: createdAt }) => (at === null ? createdAt : at),
    },
    created_at: sameColumn('time', 'created_at'),
    milestones: {
      kind: 'names',
      archived: ({ milestone_releases: links }) => listOf(links)?.map(titleOf),
      // GitLab omits an empty list.
      listed: ({ milestones = [] }) => listOf(milestones)?.map(({ title }) => title),
      hasRenames: true,
      needs: 'milestones',
    },
    links: {
      kind: 'names',
      archived: ({ links }) => listOf(links)?.map(linkText),
      listed: ({ assets }) => shownLinks(assets)?.map(linkText),
    },
    link_type: {
      kind: 'names',
      // An import gives the links of older archives the type by default.
      archived: ({ links }) => detailsOf(links, ({ link_type: type }) => type ?? 'other'),
      listed: ({ assets }) => detailsOf(shownLinks(assets), ({ link_type: type }) => type),
    },
    filepath: {
      kind: 'names',
      archived: ({ links }) => detailsOf(links, ({ filepath }) => filepath ?? ''),
      listed: ({ assets }) => detailsOf(shownLinks(assets), downloadPath),
    },
  },
  ci_pipelines: {
    ref: sameColumn('text', 'ref'),
    sha: sameColumn('text', 'sha'),
    source: sameColumn('text', 'source'),
    status: {
      ...sameColumn('text', 'status'),
      afterImport: statusAfterImport,
    },
    jobs: pipelineJobs,
    retried_jobs: retriedJobs,
    ...jobColumns,
    ...pipelineColumns,
    created_at: sameColumn('time', 'created_at'),
    name: {
      kind: 'text',
      // An export leaves out the record of a pipeline without a name.
      archived: ({ pipeline_metadata: metadata }) => (isFields(metadata) ? metadata['name'] : null),
      listed: column('name'),
    },
  },
  ...uncountedFields,
};

const shownLinks = (assets: unknown): Fields[] | undefined =>
  isFields(assets) ? listOf(assets['links']) : undefined;

/** Returns a detail of each link of a release that has it; undefined if the version of GitLab does not show it. */
const detailsOf = (links: unknown, detail: (link: Fields) => unknown): string[] | undefined => {
  const all = listOf(links)?.map((link) => ({ name: link['name'], value: detail(link) }));
  if (all === undefined || all.some(({ value }) => value === undefined)) return undefined;
  return all.flatMap(({ name, value }) =>
    typeof value === 'string' && value !== '' ? [`${String(name)}: ${value}`] : [],
  );
};

/**
 * GitLab shows the path only at the end of this address, which is the `url` for a link without a path. Older versions have
 * no `/downloads` before the path (gitlab-facts 5.7).
 */
const downloadPath = ({ url, direct_asset_url: address }: Fields): unknown => {
  if (typeof address !== 'string') return undefined;
  const [, path = ''] =
    /\/-\/releases\/.+?\/downloads(\/.*)$/.exec(address) ?? /\/-\/releases\/[^/]+(\/.*)$/.exec(address) ?? [];
  return address === url || path === '/' ? '' : path;
};

const linkText = ({ name, url }: Fields): string => `${String(name)}: ${String(url)}`;

/** Returns the compared fields of a relation, by the name that GitLab's API gives them. */
export const fieldsOf = (relation: RecordRelation): Readonly<Record<string, ComparedField>> =>
  comparedFields[relation];

/** Returns the names of the fields that archives contain and that are compared. */
export const comparedFieldNames = (relation: RecordRelation): string[] =>
  Object.entries(fieldsOf(relation)).flatMap(([name, { archived, isNeverCompared }]) =>
    archived === null || isNeverCompared === true ? [] : [name],
  );

/** Returns a compared field; undefined if the name is not one of the relation's fields, such as that of a note. */
export const fieldOf = (relation: string, name: string): ComparedField | undefined =>
  Object.entries(comparedFields)
    .filter(([each, fields]) => each === relation && Object.hasOwn(fields, name))
    .map(([, fields]) => fields[name])[0];

/** Returns the contents of a record of an archive. */
export const archivedContents = (relation: RecordRelation, record: Fields): RecordContents =>
  contentsOf(relation, ({ archived }) => archived?.(record));

/** Returns the contents of a row of GitLab's list. */
export const listedContents = (relation: RecordRelation, row: Fields): RecordContents =>
  contentsOf(relation, ({ listed }) => listed(row));

function contentsOf(relation: RecordRelation, read: (field: ComparedField) => unknown): RecordContents {
  const contents: Record<string, string> = {};
  for (const [name, field] of Object.entries(comparedFields[relation])) {
    const value = read(field);
    const normalized = value === undefined ? undefined : normalizers[field.kind](value);
    if (normalized !== undefined) contents[name] = normalized;
  }
  return contents;
}
