/** @file Validates the query of a list of projects, because a server silently ignores some invalid queries. */
import { AppError } from '../../../src-contract/errors.ts';
import {
  listFilters,
  type ListFilter,
  type ListOperation,
} from '../../../src-contract/projects/list-filters.ts';
import type { ProjectQuery } from '../../../src-contract/projects/project-details.ts';
import type { Query } from '../http/exchange.ts';

interface QueryUse {
  operation: ListOperation | null;
  anonymous: boolean;
  keyset: boolean;
}

/** Parameters that require an account. */
const accountParameters = [
  'imported',
  'include_hidden',
  'include_pending_delete',
  'membership',
  'min_access_level',
  'owned',
  'repository_storage',
  'starred',
  'statistics',
  'with_custom_attributes',
] as const satisfies ReadonlyArray<keyof ProjectQuery>;

/** Returns the query as it is sent. Throws `invalid-input` for a query that the specification forbids. */
export function validateQuery(query: ProjectQuery, { operation, anonymous, keyset }: QueryUse): Query {
  const refuse = (parameter: string, reason: string): never => {
    throw new AppError('invalid-input', reason, { details: { parameter } });
  };
  const { custom_attributes: custom = {}, ...plain } = query;
  const order = query.order_by ?? 'created_at';
  const parameters: readonly ListFilter[] | null = operation === null ? null : listFilters[operation];
  for (const [name, value] of Object.entries(query)) {
    if (parameters === null || typeof value === 'object') continue;
    const filter = parameters.find((parameter) => parameter.name === name);
    if (filter === undefined) refuse(name, `This list cannot be filtered by "${name}".`);
    if (filter?.values?.includes(String(value)) === false) {
      refuse(name, `"${name}" of this list must be one of ${filter.values.join(', ')}.`);
    }
  }
  if (Object.keys(custom).length > 0 && operation !== null && operation !== 'list-projects') {
    refuse('custom_attributes', 'Only the list of all projects can be filtered by custom attributes.');
  }
  for (const name of ['updated_after', 'updated_before'] as const) {
    if (query[name] !== undefined && order !== 'updated_at') {
      refuse(name, `"${name}" needs order_by=updated_at; GitLab ignores it with another order.`);
    }
  }
  if (order === 'similarity') {
    if ((query.search ?? '') === '') refuse('order_by', 'order_by=similarity needs "search".');
    if (query.membership !== true) {
      refuse('order_by', 'order_by=similarity needs membership=true, because it orders only own projects.');
    }
  }
  if (keyset && order !== 'id') refuse('order_by', 'Keyset pagination needs order_by=id.');
  for (const name of anonymous ? accountParameters : []) {
    if (query[name] !== undefined && query[name] !== false) {
      refuse(name, `"${name}" needs an account; this instance is used without one.`);
    }
  }
  for (const [name, value] of Object.entries(plain)) {
    if (/_(after|before)$/.test(name) && typeof value === 'string' && Number.isNaN(Date.parse(value))) {
      refuse(name, `"${name}" must be a time such as 2026-01-31T12:00:00Z.`);
    }
  }
  return {
    ...plain,
    ...Object.fromEntries(Object.entries(custom).map(([key, value]) => [`custom_attributes[${key}]`, value])),
  };
}
