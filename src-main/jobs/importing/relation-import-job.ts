/**
 * @file The job that imports one relation of an archive again; it sends the request once. GitLab adds only missing
 * records, may lose some, and may change attributes, members and authors (gitlab-facts 8). The job compares all of
 * them.
 */
import { countInArchive, type Finding } from '../../../src-contract/archives/archive.ts';
import { findingSchema } from '../../../src-contract/archives/archive-schema.ts';
import { AppError } from '../../../src-contract/errors.ts';
import type { RelationImportInput } from '../../../src-contract/runs/job.ts';
import { relationImportInputSchema } from '../../../src-contract/runs/job-schema.ts';
import { z } from '../../../src-contract/schema.ts';
import type { RelationImport } from '../../../src-contract/transfers/transfer.ts';
import { relationImportResultSchema } from '../../../src-contract/transfers/transfer-schema.ts';
import { assertKeepsMembers, joinNames } from '../../../src-contract/transfers/relation-members.ts';
import type { AuthoredRecord } from '../../../src-contract/transfers/relation-target-schema.ts';
import {
  authoredRecordSchema,
  relationTargetSchema,
} from '../../../src-contract/transfers/relation-target-schema.ts';
import { needsToken } from '../running/retry.ts';
import { sendOnce } from '../running/send-once.ts';
import { pollsSchema } from './import-follow.ts';
import { relationEffects, pickComparedAttributes } from './relation-effects.ts';
import {
  done,
  pollDelay,
  uploadProgress,
  waitForServer,
  warning,
  type JobDefinition,
  type Outcome,
  type StepContext,
} from '../running/step.ts';

const busySchema = z.object({ polls: z.number(), since: z.number() });
const preparedSchema = z.object({
  relation: z.string(),
  fullPath: z.string(),
  inArchive: z.number(),
  before: z.number().nullable(),
  /** True if all records of the archive are missing from the project. */
  missingOnly: z.boolean().default(false),
  /**
   * The project before the import; null in older jobs. `sent` has the archive's records that the project lacked, with
   * their authors. `areAllKnown` is true if every record of the archive was looked up in the project.
   * Outputs of jobs in progress have the keys `target`, `sent` and `areAllKnown`, so these keep their names.
   */
  target: relationTargetSchema.nullable().default(null),
  sent: z.array(authoredRecordSchema).default([]),
  areAllKnown: z.boolean().default(false),
  /** Id of the project's newest relation import before ours; 0 for none. */
  watermark: z.number(),
});
const acceptedSchema = z.object({ id: z.number(), at: z.number() });
type AcceptedImport = z.infer<typeof acceptedSchema>;
const comparedSchema = z.object({
  after: z.number().nullable(),
  effects: z.array(findingSchema).default([]),
  missingIids: z.array(z.number()).nullable().default(null),
});
type Compared = z.infer<typeof comparedSchema>;

const inputOf = (context: StepContext): RelationImportInput =>
  relationImportInputSchema.parse(context.job.input);
const preparedOf = (context: StepContext) => preparedSchema.parse(context.outputs['prepare']);
const isOpen = ({ status }: RelationImport): boolean => status === 'created' || status === 'started';

async function countRecords(context: StepContext): Promise<number | null> {
  const { projectId, relation } = inputOf(context);
  return (await context.ports.instance.counts(projectId, context.signal))[relation];
}

async function prepare(context: StepContext): Promise<Outcome> {
  const { instance, archives } = context.ports;
  const input = inputOf(context);
  const { archivePath, sha256, projectId, relation, missingOnly = false, removeMembers = false } = input;
  const { fullPath } = await instance.project(projectId, context.signal);
  const earlierImports = await instance.relationImports(projectId, context.signal);
  const openImport = earlierImports.find(isOpen);
  if (openImport !== undefined) return waitForOther(context, openImport);
  const inspection = await archives.inspect(archivePath, context.signal);
  if (inspection.sha256 !== sha256) {
    throw new AppError('archive-changed', `${archivePath} is no longer the file that was chosen.`);
  }
  const inArchive = countInArchive(inspection, relation);
  const target = await instance.targetSnapshot(projectId, context.signal);
  assertKeepsMembers(target, fullPath, removeMembers);
  const { lacking, isEachLookedUp } = await findLacking(context, inArchive);
  const prepared: z.infer<typeof preparedSchema> = {
    relation,
    fullPath,
    inArchive,
    before: await countRecords(context),
    missingOnly,
    target: { ...target, attributes: pickComparedAttributes(target) },
    ...{ sent: lacking, areAllKnown: isEachLookedUp },
    watermark: Math.max(0, ...earlierImports.map(({ id }) => id)),
  };
  return done(prepared, `The archive holds ${inArchive} ${relation}.`);
}

/** Maximum number of records whose authors are read. Fifty authors take one request. */
const maxAuthors = 1000;

async function findLacking(
  context: StepContext,
  inArchive: number,
): Promise<{ lacking: AuthoredRecord[]; isEachLookedUp: boolean }> {
  const { instance, archives } = context.ports;
  const { archivePath, projectId, relation } = inputOf(context);
  const { records } = await archives.authoredRecords(archivePath, relation, maxAuthors, context.signal);
  const iids = records.map(({ iid }) => iid);
  const authorByIid = await instance.recordAuthors(projectId, relation, iids, context.signal);
  if (authorByIid === null) return { lacking: [], isEachLookedUp: false };
  const lacking = records.filter(({ iid }) => !authorByIid.has(iid));
  return { lacking, isEachLookedUp: records.length === inArchive };
}

/** Waits for the running relation import: a second one would replace its file (gitlab-facts 8). */
function waitForOther(context: StepContext, { relation, status }: RelationImport): Outcome {
  const memo = busySchema.safeParse(context.memo).data;
  const { polls, since } = memo ?? { polls: 0, since: context.clock.now() };
  return waitForServer(context, {
    since,
    ms: pollDelay(context.ports.instance.pace, polls),
    text: `Another import of ${relation} into this project is running; waiting for it to end.`,
    tooLate: `Another import of ${relation} is still ${status}.`,
    memo: { polls: polls + 1, since } satisfies z.infer<typeof busySchema>,
  });
}

async function send(context: StepContext): Promise<Outcome> {
  const { instance } = context.ports;
  const { projectId, archivePath, sha256, sizeBytes, relation } = inputOf(context);
  const { fullPath, watermark } = preparedOf(context);
  const toAccepted = ({ id }: RelationImport): AcceptedImport => ({ id, at: context.clock.now() });
  return sendOnce<AcceptedImport>(context, {
    requestName: 'import request',
    action: 'import',
    async send() {
      const upload = { archivePath, sha256, sizeBytes, fullPath, relation };
      const progress = uploadProgress(context, sizeBytes);
      return toAccepted(await instance.importRelation(upload, progress, context.signal));
    },
    async find() {
      const all = await instance.relationImports(projectId, context.signal);
      const newerImports = all.filter((one) => one.id > watermark && one.relation === relation);
      const [first] = newerImports.sort((a, b) => a.id - b.id);
      return first === undefined ? null : toAccepted(first);
    },
  });
}

async function waitForEnd(context: StepContext): Promise<Outcome> {
  const { instance } = context.ports;
  const { projectId, relation } = inputOf(context);
  const { id, at } = acceptedSchema.parse(context.outputs['send']);
  const all = await instance.relationImports(projectId, context.signal);
  const ours = all.find((one) => one.id === id);
  if (ours === undefined) {
    throw new AppError('relation-import-failed', 'The instance no longer lists the accepted import.');
  }
  if (ours.status === 'finished') return done(null, `The import of ${relation} is finished.`);
  if (ours.status === 'failed') {
    throw new AppError('relation-import-failed', `The instance reports that importing ${relation} failed.`);
  }
  const { polls } = pollsSchema.safeParse(context.memo).data ?? { polls: 0 };
  return waitForServer(context, {
    since: at,
    ms: pollDelay(instance.pace, polls),
    text: `GitLab is importing ${relation} (${ours.status}).`,
    tooLate: `The import is still ${ours.status} after its time limit.`,
    memo: { polls: polls + 1 },
  });
}

/**
 * Throws if no record was added. GitLab also reports `finished` if it could not read the records or refused them
 * (gitlab-facts 8).
 */
function assertAddedRecords(
  { relation, inArchive, before, missingOnly }: z.infer<typeof preparedSchema>,
  after: number | null,
): void {
  if (before === null || after === null || after > before) return;
  if (missingOnly ? inArchive === 0 : before >= inArchive) return;
  throw new AppError(
    'relation-import-failed',
    `GitLab reports the import as finished, but it added no records: the project has ${after} ${relation}, as before.`,
  );
}

const maxCountAttempts = 5;

async function compare(context: StepContext): Promise<Outcome> {
  const { relation } = inputOf(context);
  const finish = (output: Compared, message: string): Outcome => done(output, message);
  let after: number | null;
  let effects: Finding[];
  let missingIids: Compared['missingIids'];
  try {
    after = await countRecords(context);
    ({ effects, missingIids } = await compareTarget(context));
  } catch (thrown) {
    const error = AppError.from(thrown);
    const canRetry = error.retry !== 'never' && context.attempt < maxCountAttempts;
    if (context.signal.aborted || needsToken(error) || canRetry) throw thrown;
    const effects = [notComparedWarning];
    return finish(
      { after: null, effects, missingIids: null },
      `The target could not be counted: ${error.message}`,
    );
  }
  const prepared = preparedOf(context);
  // Other changes must be reported even if no record was added.
  if (effects.length === 0) assertAddedRecords(prepared, after);
  return finish({ after, effects, missingIids }, `The project has ${after ?? '?'} ${relation}.`);
}

const notComparedWarning = warning(
  'effects-not-compared',
  'The target could not be read, so changes to attributes, members and authors are not known.',
  null,
);

async function compareTarget(context: StepContext): Promise<Pick<Compared, 'effects' | 'missingIids'>> {
  const { instance } = context.ports;
  const { projectId, relation } = inputOf(context);
  const { target: before, sent: lacking, areAllKnown: isEachLookedUp } = preparedOf(context);
  if (before === null) return { effects: [], missingIids: null };
  const after = await instance.targetSnapshot(projectId, context.signal);
  const iids = lacking.map(({ iid }) => iid);
  const authors = await instance.recordAuthors(projectId, relation, iids, context.signal);
  const missing = authors === null ? [] : iids.filter((iid) => !authors.has(iid));
  const isComplete = isEachLookedUp && authors !== null;
  return {
    effects: relationEffects({ before, after, sent: lacking, authors }),
    missingIids: missing.length > 0 || isComplete ? missing : null,
  };
}

export const relationImportJob: JobDefinition = {
  kind: 'relation-import',
  steps: [
    { name: 'prepare', run: prepare },
    { name: 'send', run: send },
    { name: 'wait', run: waitForEnd },
    { name: 'compare', run: compare },
  ],
  toResult(outputs) {
    const { relation, fullPath, inArchive, before, missingOnly } = preparedSchema.parse(outputs['prepare']);
    const { after, effects, missingIids } = comparedSchema.parse(outputs['compare']);
    const { id } = acceptedSchema.parse(outputs['send']);
    const counts = { inArchive, before, after };
    const result = relationImportResultSchema.parse({ id, relation, fullPath, ...counts, missingIids });
    const expected = inArchive + (missingOnly ? (before ?? 0) : 0);
    const warnings = [
      ...countWarnings(relation, expected, after),
      ...missingWarnings(relation, missingIids ?? []),
      ...effects,
    ];
    return { result, warnings };
  },
};

function missingWarnings(relation: string, iids: readonly number[]): Finding[] {
  if (iids.length === 0) return [];
  const names = joinNames(iids.map((iid) => `#${iid}`));
  const message = `${relation}: the project still lacks these records of the archive: ${names}.`;
  return [warning('lost-on-import', message, relation)];
}

function countWarnings(relation: string, expected: number, after: number | null): Finding[] {
  if (after === null)
    return [warning('not-counted', `${relation}: the target could not be counted.`, relation)];
  if (after >= expected) return [];
  const message = `${relation}: the target should have ${expected} and has ${after}.`;
  return [warning('lost-on-import', message, relation)];
}
