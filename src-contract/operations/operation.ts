/**
 * @file What an operation of GitLab's API is: one row of the specification (gitlab-facts 14 to 16), as plain data. Where
 * the specification is silent a row names another section of docs/gitlab-facts.md.
 */
import type { AttributeUse } from '../projects/project-attributes.ts';

export type ParameterType =
  | 'boolean'
  | 'boolean or string'
  | 'integer'
  | 'string'
  | 'integer or string'
  | 'datetime'
  | 'date'
  | 'list of integers'
  | 'hash'
  | 'file';

/** Roles on a project or group, and beyond them. */
export type Caller =
  /** Also without a token, for what is public. */
  | 'anyone'
  | 'signed-in'
  /** Any default role on the project; for public and internal ones everybody who is signed in. */
  | 'reader'
  | 'maintainer'
  | 'owner'
  | 'administrator';

export interface Parameter {
  readonly name: string;
  readonly type: ParameterType;
  /** Part of the address; any other is in the query of a GET or DELETE, and in the body of a POST or PUT. */
  readonly in?: 'path';
  readonly required?: true;
  /** The values it may have; absent where they are not limited. */
  readonly values?: readonly string[];
  /** Of those values, the ones that only administrators may send. */
  readonly administratorsOnlyValues?: readonly string[];
  /** What counts where it is left out. */
  readonly standard?: string | number | boolean;
  readonly administratorsOnly?: true;
  /** Of a boolean: false asks for the contrary. Of the others false is the same as leaving it out. */
  readonly contrary?: true;
  /** The least role that it has an effect for, where that is above the one of the operation. */
  readonly minRole?: 'reporter';
  /** `higher`: paid tiers, `highest`: only the highest one. */
  readonly tier?: 'higher' | 'highest';
  /** First release that knows it, for example `17.1`. */
  readonly since?: string;
  /** What is to be sent in its place; it still works. */
  readonly replacedBy?: string;
  /** Anything else that is said of it, in a few words. */
  readonly note?: string;
}

/** An answer that is no success. */
export interface Refusal {
  readonly status: number;
  readonly when: string;
}

export type Body = 'json' | 'form' | 'multipart';

export interface Operation {
  /** Stable name, for example `fork-project`. */
  readonly id: string;
  /** Part of the specification: 1 projects, 2 exports and imports, 3 tokens (gitlab-facts 14, 15 and 16). */
  readonly document: 1 | 2 | 3;
  /** Its name in the specification. */
  readonly title: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/api/v4`, with `:name` for what is filled in. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** Takes besides the attributes of `project-attributes.ts` for this use. */
  readonly attributes?: AttributeUse;
  /** How the body may be written, the usual way first; absent where there is none. */
  readonly body?: readonly Body[];
  /** Statuses of success. */
  readonly answers: readonly number[];
  readonly refusals: readonly Refusal[];
  /** The least that may call it. */
  readonly who: Caller;
  /** First release that has it. */
  readonly since?: string;
  readonly tier?: 'higher';
  /** Not final in GitLab; behind the feature flag of this name. */
  readonly beta?: string;
  /** One sentence each. */
  readonly limits: readonly string[];
}
