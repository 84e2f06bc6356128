/**
 * @file The last step of a plan's backup: moves archives beyond the plan's current limits to the trash folder. The new
 * archive is already stored, so a disk error is only a warning.
 */
import { findingSchema } from '../../../src-contract/archives/archive-schema.ts';
import type { Finding } from '../../../src-contract/archives/archive.ts';
import { toSentence } from '../../../src-contract/sentence-parts.ts';
import { AppError } from '../../../src-contract/errors.ts';
import { exportInputSchema, exportResultSchema } from '../../../src-contract/runs/job-schema.ts';
import type { Retention } from '../../../src-contract/plans/plan.ts';
import { retentionPeriods } from '../../../src-contract/plans/retention-periods.ts';
import { z } from '../../../src-contract/schema.ts';
import { relationText } from '../../../src-contract/words/relations.ts';
import {
  hasLimits,
  decidePlanRetention,
  findShrinkage,
  type RetentionCandidate,
  type Shrinkage,
} from '../../archive/retention.ts';
import type { ArchivePort } from '../ports.ts';
import { warning, type Outcome, type StepContext } from '../running/step.ts';

export const pruneOutputSchema = z.object({
  findings: z.array(findingSchema),
  movedCount: z.number().int().default(0),
});

const done = (message: string, findings: Finding[] = [], movedCount = 0): Outcome => ({
  kind: 'done',
  output: { findings, movedCount } satisfies z.infer<typeof pruneOutputSchema>,
  message,
});

export async function prune(context: StepContext): Promise<Outcome> {
  const { instance, archives } = context.ports;
  const { planId, projectId, fullPath } = exportInputSchema.parse(context.job.input);
  if (planId === null) return done('All archives are kept.');
  const { archiveId } = exportResultSchema.parse(context.outputs['store']);
  const now = context.clock.now();
  const storedArchives = await archives.archivesOf({
    instanceName: instance.name,
    instanceUrl: instance.url,
    projectId,
    fullPath,
  });
  if (storedArchives.find(({ id }) => id === archiveId)?.readable !== true) {
    return done('Nothing was pruned: the new archive is not reliable.');
  }
  const policy = policyOf(context, planId, projectId);
  if ('finding' in policy) return done(policy.finding.message, [policy.finding]);
  if (policy.limits === null || !hasLimits(policy.limits.retention)) {
    return done('All archives are kept: the plan has no limits, or is no longer active.');
  }
  const foundShrinkage = findShrinkage(storedArchives, now);
  if (foundShrinkage !== null) {
    const finding = warning(
      'archive-shrank',
      `Older archives were kept: ${shrinkText(foundShrinkage)}`,
      foundShrinkage.countName,
    );
    return done(`Nothing was pruned: ${shrinkText(foundShrinkage)}`, [finding]);
  }

  const decisions = decidePlanRetention(storedArchives, policy.limits, folderOrNull(archives), now);
  const idsToMove = new Set(decisions.flatMap(({ id, keep }) => (keep ? [] : [id])));
  const reason = trashReason(policy.limits.retention);
  const { moved, failed } = await moveAllToTrash(
    archives,
    storedArchives.filter(({ id }) => idsToMove.has(id)),
    { reason, signal: context.signal },
  );
  for (const { path } of moved) context.log(`Moved to the trash folder: ${path}. ${reason}.`);
  const findings = failed.map(({ path, error }) => {
    const message = `An old archive could not be moved to the trash folder: ${toSentence(error.message)}`;
    return warning('prune-failed', message, path);
  });
  return done(
    `Kept ${storedArchives.length - moved.length} archives, moved ${moved.length} to the trash folder.`,
    findings,
    moved.length,
  );
}

/** Like `ArchivePort.folder`, but returns null for an unknown folder, which contains nothing to move. */
export const folderOrNull =
  (archives: Pick<ArchivePort, 'folder'>) =>
  (root: string | null): string | null => {
    try {
      return archives.folder(root);
    } catch {
      return null;
    }
  };

/**
 * Moves archives to the trash folder. Skips archives that are pinned or in use. Throws only `internal` and errors of
 * the catalogue.
 */
export async function moveAllToTrash<Archive extends RetentionCandidate & { path: string }>(
  archives: Pick<ArchivePort, 'moveToTrash'>,
  toMove: readonly Archive[],
  { reason, signal }: { reason: string; signal: AbortSignal },
): Promise<{ moved: Archive[]; failed: { path: string; error: AppError }[] }> {
  const moved: Archive[] = [];
  const failed: { path: string; error: AppError }[] = [];
  for (const archive of toMove) {
    signal.throwIfAborted();
    try {
      if (await archives.moveToTrash(archive.id, reason)) moved.push(archive);
    } catch (thrown) {
      const error = AppError.from(thrown);
      if (error.code === 'internal' || error.code.startsWith('catalogue-')) throw error;
      failed.push({ path: archive.path, error });
    }
  }
  return { moved, failed };
}

/** Returns why an archive is moved, without a full stop. The reason is stored with the archive in the trash folder. */
export function trashReason({ keepLast, withinDays, ...periods }: Retention): string {
  const limits = [
    ...(keepLast === null ? [] : [`the newest ${keepLast}`]),
    ...(withinDays === null ? [] : [`those of the last ${withinDays} days`]),
    ...retentionPeriods.flatMap((period) =>
      periods[period] === null ? [] : [`${periods[period]} ${period}`],
    ),
  ];
  return `Outside the limits that the plan sets for each project: ${limits.join(', ')}`;
}

type Policy = ReturnType<StepContext['ports']['retentionOf']>;

/** Returns the limits of the plan. If the plans cannot be read, returns a finding, and every archive is kept. */
function policyOf(
  context: StepContext,
  planId: string,
  projectId: number,
): { limits: Policy } | { finding: Finding } {
  try {
    return { limits: context.ports.retentionOf(planId, projectId) };
  } catch (thrown) {
    const { archivePath } = exportResultSchema.parse(context.outputs['store']);
    const message = `Older archives were kept: ${toSentence(AppError.from(thrown).message)}`;
    return { finding: warning('prune-failed', message, archivePath) };
  }
}

function shrinkText({ countName, comparedWith, comparedValue, newestValue }: Shrinkage): string {
  const name = relationText(countName);
  if (comparedWith === 'source')
    return `the source had ${comparedValue} ${name}, the new archive holds ${newestValue}, an earlier archive holds more.`;
  return countName === 'size'
    ? `the new archive has ${newestValue} bytes, an earlier archive has ${comparedValue}.`
    : `the new archive holds ${newestValue} ${name}, an earlier archive holds ${comparedValue}.`;
}
