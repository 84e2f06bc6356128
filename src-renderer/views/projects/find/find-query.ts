/**
 * @file Reads the list and the filters from the address. Their names are those of GitLab's API specification. Only
 * parameters in `listFilters` are read.
 */
import type { Instance } from '../../../../src-contract/instances/instance.ts';
import {
  listFilters,
  type ListFilter,
  type ListOperation,
} from '../../../../src-contract/projects/list-filters.ts';
import {
  projectListKinds,
  projectOrders,
  type ProjectQuery,
} from '../../../../src-contract/projects/project-details.ts';
import { momentOf } from '../../shared/moments.ts';

export type ListKind = (typeof projectListKinds)[number];
export type FilterName = keyof ProjectQuery;
export type Order = (typeof projectOrders)[number];

type Account = Pick<Instance, 'anonymous' | 'administrator'>;

const operationOf: Record<ListKind, ListOperation> = {
  all: 'list-projects',
  user: 'list-user-projects',
  contributed: 'list-contributed-projects',
  starred: 'list-starred-projects',
  forks: 'list-forks',
  // The specification lacks this list. The list accepts the parameters of the list of forks, except
  // `unknownToGroups`.
  group: 'list-forks',
};
const unknownToGroups = ['membership', 'updated_after', 'updated_before', 'statistics'];

/** Returns whether the list belongs to a user, a project or a group; null if it belongs to none of them. */
export const subjectKindOf = (list: ListKind): 'user' | 'project' | 'group' | null =>
  list === 'all' ? null : list === 'forks' ? 'project' : list === 'group' ? 'group' : 'user';

/** Parameters with controls of their own, and parameters that select no projects. */
const excludedNames = ['search', 'order_by', 'sort', 'simple', 'statistics', 'with_custom_attributes'];

const updatedAtFilters = ['updated_after', 'updated_before'];

/** Filters without effect for an anonymous account. */
const accountFilters = ['imported', 'membership', 'min_access_level', 'owned', 'starred'];

export interface Filter {
  name: FilterName;
  kind: 'choice' | 'yes-no' | 'role' | 'number' | 'day' | 'moment' | 'pairs' | 'text';
  values: readonly string[];
  /** True for a yes-or-no filter if the instance can also list the projects that do not match. */
  canExclude: boolean;
  /** Only instances of paid tiers apply the filter. */
  paid: boolean;
  /** The instance applies the filter only if the list is sorted by last change. */
  needsUpdatedAtOrder: boolean;
}

const parametersOf = (list: ListKind): readonly ListFilter[] =>
  listFilters[operationOf[list]].filter(({ name }) => list !== 'group' || !unknownToGroups.includes(name));
/** Each parameter of a list has the same name in the query, except the custom attributes. */
const nameOf = ({ name }: ListFilter): FilterName =>
  name.startsWith('custom_attributes') ? 'custom_attributes' : (name as FilterName);

export const canSearch = (list: ListKind): boolean =>
  parametersOf(list).some(({ name }) => name === 'search');

export const canShowStatistics = (list: ListKind, { anonymous }: Account): boolean =>
  !anonymous && parametersOf(list).some(({ name }) => name === 'statistics');

export function filtersOf(list: ListKind, { anonymous, administrator }: Account): Filter[] {
  return parametersOf(list).flatMap((parameter) => {
    const name = nameOf(parameter);
    if (excludedNames.includes(name)) return [];
    if (parameter.administratorsOnly === true && !administrator) return [];
    if (anonymous && accountFilters.includes(name)) return [];
    return [
      {
        name,
        kind: kindOf(name, parameter),
        values: parameter.values ?? [],
        canExclude: parameter.falseSelectsOpposite === true,
        paid: parameter.tier !== undefined,
        needsUpdatedAtOrder: updatedAtFilters.includes(name),
      },
    ];
  });
}

function kindOf(name: FilterName, { type, values }: ListFilter): Filter['kind'] {
  if (name === 'min_access_level') return 'role';
  if (name === 'custom_attributes') return 'pairs';
  if (values !== undefined) return 'choice';
  if (type === 'boolean') return 'yes-no';
  if (type === 'integer') return 'number';
  return type === 'date' ? 'day' : type === 'datetime' ? 'moment' : 'text';
}

/** The sort orders of the list. Similarity is only available for a search among the account's own projects. */
export function ordersOf(
  list: ListKind,
  { administrator }: Account,
  { search, membership }: Pick<ProjectQuery, 'search' | 'membership'>,
): Order[] {
  const parameter = parametersOf(list).find(({ name }) => name === 'order_by');
  const forbiddenOrders = administrator ? [] : (parameter?.administratorsOnlyValues ?? []);
  return projectOrders.filter(
    (order) =>
      parameter?.values?.includes(order) === true &&
      !forbiddenOrders.includes(order) &&
      (order !== 'similarity' || ((search ?? '') !== '' && membership === true)),
  );
}

export interface FindQuery {
  list: ListKind;
  subject: string | null;
  query: ProjectQuery;
}

/** Returns the query in the address, without parameters that the list does not know. `parameter` reads the address. */
export function queryFromAddress(parameter: (name: string) => string | null, account: Account): FindQuery {
  const list = projectListKinds.find((kind) => kind === parameter('list')) ?? 'all';
  const subject = parameter('whose')?.trim() ?? '';
  const query: Record<string, unknown> = {};
  const put = (name: FilterName, value: unknown): void => {
    if (value !== undefined && value !== '') query[name] = value;
  };
  if (canSearch(list)) put('search', parameter('search')?.trim());
  for (const filter of filtersOf(list, account)) put(filter.name, valueOf(filter, parameter(filter.name)));
  const oneOf = (names: readonly string[], name: string) => names.find((one) => one === parameter(name));
  put('order_by', oneOf(ordersOf(list, account, query), 'order_by'));
  put('sort', oneOf(['asc', 'desc'], 'sort'));
  if (canShowStatistics(list, account) && parameter('statistics') === 'true') query['statistics'] = true;
  const entries = Object.entries(query).filter(
    ([name]) => query['order_by'] === 'updated_at' || !updatedAtFilters.includes(name),
  );
  const usedSubject = subjectKindOf(list) === null || subject === '' ? null : subject;
  return { list, subject: usedSubject, query: Object.fromEntries(entries) };
}

function valueOf({ name, kind, values, canExclude }: Filter, text: string | null): unknown {
  if (text === null || text.trim() === '') return undefined;
  switch (kind) {
    case 'yes-no':
      return text === 'true' ? true : text === 'false' && canExclude ? false : undefined;
    case 'role':
    case 'number':
      return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
    case 'choice':
      return values.find((value) => value === text.trim());
    case 'pairs':
      return pairsOf(text);
    case 'day':
      return isDay(text) ? text : undefined;
    case 'moment':
      return momentOf(text, name.endsWith('_before') ? 'until' : 'from');
    default:
      return text.trim();
  }
}

const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

/** Reads `key=value, key=value`; skips everything else. */
function pairsOf(text: string): Record<string, string> | undefined {
  const pairs = text.split(',').flatMap((pair) => {
    const index = pair.indexOf('=');
    return index < 1 ? [] : [[pair.slice(0, index).trim(), pair.slice(index + 1).trim()] as const];
  });
  return pairs.length === 0 ? undefined : Object.fromEntries(pairs);
}
