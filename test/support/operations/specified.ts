/**
 * @file The rest of each operation's row of the specification, as plain data: its title, parameters, replies and
 * refusals. If the specification lacks a fact, a row names another section of docs/gitlab-facts.md.
 */
import type { AttributeUse } from '../../../src-contract/projects/project-attributes.ts';
import type { ListFilter } from '../../../src-contract/projects/list-filters.ts';

export type ParameterType =
  ListFilter['type'] | 'boolean or string' | 'integer or string' | 'list of integers' | 'hash' | 'file';

export interface Parameter extends Omit<ListFilter, 'type'> {
  readonly type: ParameterType;
  /** Part of the address. Other parameters are in the query of a GET or DELETE, and in the body of a POST or PUT. */
  readonly in?: 'path';
  readonly required?: true;
  /** First release with the parameter, for example `17.1`. */
  readonly since?: string;
  /** The parameter that replaces this one, which still works. */
  readonly replacedBy?: string;
}

/** An unsuccessful reply. */
export interface Refusal {
  readonly status: number;
  readonly when: string;
}

export type Body = 'json' | 'form' | 'multipart';

export interface Specified {
  /** Part of the specification: 1 projects, 2 exports and imports, 3 tokens (gitlab-facts 14, 15 and 16). */
  readonly document: 1 | 2 | 3;
  /** The name of the operation in the specification. */
  readonly title: string;
  readonly parameters: readonly Parameter[];
  /** The operation also accepts the attributes of `project-attributes.ts` for this use. */
  readonly attributes?: AttributeUse;
  /** Allowed formats of the body, the usual one first; absent without a body. */
  readonly body?: readonly Body[];
  /** Statuses of success. */
  readonly successStatuses: readonly number[];
  readonly refusals: readonly Refusal[];
  /** The feature flag of an operation that is not final in GitLab. */
  readonly beta?: string;
  /** One sentence each. */
  readonly limits: readonly string[];
}
