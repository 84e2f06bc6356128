/** @file Scripted faults as data: the content of a fault file, and the effect of each kind. */
import { AppError } from '../../../src-contract/errors.ts';
import { z } from '../../../src-contract/schema.ts';

const count = z.int().min(0);
const atLeastOne = z.int().min(1);
const status = z.int().min(200).max(599);

const fault = <Kind extends string, Shape extends z.ZodRawShape>(kind: Kind, shape: Shape) =>
  z.strictObject({ kind: z.literal(kind), ...shape });

function isPattern(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}

const matchSchema = z.strictObject({
  method: z.string().optional(),
  /** Source of a regular expression, searched in the path with its query. */
  path: z.string().refine(isPattern, 'must be a regular expression').optional(),
  /** Full path of the requested project; for an import or fork, of the project to be created. */
  project: z.string().optional(),
  user: z.string().optional(),
  /** Acts from the nth matching request on. Default: 1, the first. */
  nth: atLeastOne.optional(),
  /** Acts this many times. Default: once if `nth` is given, otherwise always. */
  times: atLeastOne.optional(),
});

/**
 * Kinds that act before the server handles the request. In the address of `redirect`, `{path}` stands
 * for the requested path and query. `end-token` expires or revokes the caller's token permanently.
 */
const earlyFaults = [
  fault('respond', {
    status,
    body: z.unknown().optional(),
    headers: z.record(z.string(), z.string()).optional(),
    contentType: z.string().optional(),
  }),
  fault('html', { status: status.optional() }),
  fault('redirect', {
    to: z.string(),
    status: z.union([301, 302, 303, 307, 308].map((code) => z.literal(code))).optional(),
  }),
  fault('delay', { ms: count }),
  fault('reset', {}),
  fault('end-token', { as: z.enum(['expired', 'revoked']) }),
] as const;

/**
 * Kinds that act on the finished reply, after the work was done. `cut` sends `afterBytes` of the body and closes the
 * connection, with `reset` by a TCP reset. `framing` sets how the body is delimited: by its Content-Length, by chunks, or
 * only by the close of the connection. `stall` sends `afterBytes` and then nothing, on an open connection. `drip` sends
 * `bytes` bytes, waits, and repeats. `wrong-length` adds `by` to the Content-Length. `corrupt` flips the
 * byte at an offset.
 */
const lateFaults = [
  fault('lose-reply', {}),
  fault('cut', {
    afterBytes: count,
    framing: z.enum(['length', 'chunked', 'close']),
    reset: z.boolean().optional(),
  }),
  fault('stall', { afterBytes: count }),
  fault('drip', { bytes: atLeastOne, everyMs: count }),
  fault('wrong-length', { by: z.int() }),
  fault('corrupt', { at: count }),
] as const;

/**
 * The kind that acts on a list that is paged by number. `total`: `X-Total` and `X-Total-Pages` count `by` rows too many
 * or, if it is negative, too few. `repeated-page`: the page has the rows of the page before. `empty-page`: the page has
 * no rows. `hidden-rows`: the last rows are missing, but counted.
 */
const listFault = z.discriminatedUnion('as', [
  fault('false-list', {
    as: z.literal('total'),
    by: z.int().refine((difference) => difference !== 0, 'must not be 0'),
  }),
  fault('false-list', { as: z.literal('repeated-page'), page: z.int().min(2) }),
  fault('false-list', { as: z.literal('empty-page'), page: atLeastOne }),
  fault('false-list', { as: z.literal('hidden-rows'), count: atLeastOne }),
]);

/** A fault that ends the work in one of its states, by default in `started`. */
const ending = <Kind extends string, State extends string>(kind: Kind, at: readonly State[]) =>
  fault(kind, { as: z.enum(['failed', 'stuck']), at: z.enum(at).optional() });

/**
 * Kinds that act on the export, import, relation import or fork that the matching request starts. The
 * `drop-…` kinds silently lose the last records of a relation, its first nested notes and diffs, or the last files and
 * refs in name order; `skip` keeps that many records at the end. `change-records` silently gives other values to columns
 * of a relation's last records (`metrics.merged_at` is a column of a nested record), `change-notes` to columns of its
 * first nested notes. `change-files` silently gives the last files another content of the same size, or the wiki another
 * page; `drop-files` removes the whole wiki. Both kinds for notes affect the notes of users or, with `system`, only those
 * of the system.
 * `move-refs` silently sets refs to the parents of their commits: the default branch and the last others, or the last tags.
 * `drop-settings` uses the names of `tree/project.json`, and `name` for the name that an import request sends.
 * `repeat-records` writes the first records
 * of a relation a second time: after the last ones, or `instead` of them. `spread-failures` waits after each group of
 * `batch` refused records. `list-failures` lists a failure for each of `lines` and loses nothing; a line may be one that
 * the archive lacks. `delay-import` waits between the upload and the creation of the project, and continues
 * after the client has disconnected; `delay-work` does so for any request. An export whose packing fails has the state
 * `none`. `stuck` keeps the state for ever.
 */
const workFaults = [
  fault('delay-work', { ms: count }),
  fault('drop-records', { relation: z.string(), count: atLeastOne, skip: count.optional() }),
  fault('drop-notes', { relation: z.string(), count: atLeastOne, system: z.boolean().optional() }),
  fault('drop-diffs', { count: atLeastOne }),
  fault('change-records', {
    relation: z.string(),
    count: atLeastOne,
    values: z.record(z.string(), z.unknown()),
  }),
  fault('change-notes', {
    relation: z.string(),
    count: atLeastOne,
    /** Only notes of this type, such as `DiffNote`. Default: all. */
    type: z.string().optional(),
    system: z.boolean().optional(),
    values: z.record(z.string(), z.unknown()),
  }),
  fault('drop-files', {
    of: z.enum(['uploads', 'avatar', 'lfs-objects', 'wiki']),
    count: atLeastOne,
    /** True if `lfs-objects.json` still lists the dropped objects. */
    isListed: z.boolean().optional(),
  }),
  fault('change-files', { of: z.enum(['uploads', 'avatar', 'wiki', 'lfs-objects']), count: atLeastOne }),
  fault('drop-refs', { of: z.enum(['branches', 'tags']), count: atLeastOne }),
  fault('move-refs', { of: z.enum(['branches', 'tags']), count: atLeastOne }),
  fault('drop-settings', { names: z.array(z.string()).min(1) }),
  fault('repeat-records', { relation: z.string(), count: atLeastOne, instead: z.boolean().optional() }),
  fault('delay-import', { ms: count }),
  fault('spread-failures', { batch: atLeastOne, everyMs: count }),
  fault('list-failures', { relation: z.string(), lines: z.array(z.int()).min(1) }),
  fault('end-export', {
    as: z.enum(['failed', 'none', 'stuck']),
    at: z.enum(['queued', 'started', 'regeneration_in_progress']).optional(),
  }),
  ending('end-import', ['scheduled', 'started']).extend({ detail: z.string().optional() }),
  ending('end-relation-import', ['created', 'started']),
  ending('end-fork', ['scheduled', 'started']),
] as const;

const actionSchema = z.discriminatedUnion('kind', [...earlyFaults, ...lateFaults, listFault, ...workFaults]);

const faultSchema = z.strictObject({ match: matchSchema, action: actionSchema });

export type FaultMatch = z.infer<typeof matchSchema>;
export type FaultAction = z.infer<typeof actionSchema>;
export type Fault = z.infer<typeof faultSchema>;
export type FaultOf<Kind extends FaultAction['kind']> = Extract<FaultAction, { kind: Kind }>;

export type EarlyFault = z.infer<(typeof earlyFaults)[number]>;
export type LateFault = z.infer<(typeof lateFaults)[number]>;
export type ListFault = z.infer<typeof listFault>;

/** Throws `invalid-input` with the entry's number, from 1, and its field. */
export function parseFaults(value: unknown): Fault[] {
  const entries: unknown[] = Array.isArray(value) ? value : [value];
  return entries.map((entry, index) => {
    const parsed = faultSchema.safeParse(entry);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    const field = issue === undefined || issue.path.length === 0 ? '' : ` (${issue.path.join('.')})`;
    throw new AppError('invalid-input', `Fault ${index + 1}${field}: ${issue?.message ?? 'not a fault'}.`);
  });
}

export function parseFaultText(text: string): Fault[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new AppError('invalid-input', 'A fault file must contain a JSON list.', { cause: error });
  }
  return parseFaults(value);
}
