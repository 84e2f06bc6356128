/**
 * @file The last step of a backup that a plan asked for: archives beyond the plan's limit go to the trash folder of the store.
 * The limit is asked for only now, since a job may be old when it comes this far, or be done again long after. The new archive
 * is safe by then, so a disk that refuses costs a warning, never the backup.
 */
import { findingSchema, type Finding } from '../../src-preload/contract/archive.ts';
import { AppError } from '../../src-preload/contract/errors.ts';
import { exportInputSchema, exportResultSchema } from '../../src-preload/contract/job.ts';
import { z } from '../../src-preload/contract/schema.ts';
import { retain, shrinkage, type Shrinkage } from '../archive/retention.ts';
import type { Outcome, StepContext } from './step.ts';

/** What the step leaves. */
export const prunedSchema = z.object({ findings: z.array(findingSchema) });

const done = (says: string, findings: Finding[] = []): Outcome => ({
  kind: 'done',
  output: { findings } satisfies z.infer<typeof prunedSchema>,
  says,
});

export async function prune(context: StepContext): Promise<Outcome> {
  const { instance, archives } = context.ports;
  const { planId, projectId, fullPath } = exportInputSchema.parse(context.job.input);
  if (planId === null) return done('All archives are kept.');
  const { archiveId } = exportResultSchema.parse(context.outputs['store']);
  const now = context.clock.now();
  const held = await archives.archivesOf({
    instanceName: instance.name,
    instanceUrl: instance.url,
    projectId,
    fullPath,
  });
  if (held.find(({ id }) => id === archiveId)?.readable !== true) {
    return done('Nothing was pruned: the new archive could not be relied on.');
  }
  let keepLast: number | null;
  try {
    keepLast = context.ports.keepLast(planId);
  } catch (thrown) {
    const { message } = AppError.from(thrown);
    const where = exportResultSchema.parse(context.outputs['store']).archivePath;
    return done(`Nothing was pruned: ${message}.`, [
      {
        code: 'prune-failed',
        severity: 'warning',
        message: `Older archives were left alone: ${message}.`,
        where,
      },
    ]);
  }
  if (keepLast === null) return done('All archives are kept: the plan does not limit them, or no longer.');
  const less = shrinkage(held, now);
  if (less !== null) return done(`Nothing was pruned: ${shrinkText(less)}`, [shrinkFinding(less)]);

  const findings: Finding[] = [];
  const beyond = new Set(retain(held, { keepLast }, now).flatMap(({ id, keep }) => (keep ? [] : [id])));
  const reason = `Beyond the newest ${keepLast} that are kept of each project`;
  let moved = 0;
  for (const { id, path } of held.filter(({ id }) => beyond.has(id))) {
    context.signal.throwIfAborted();
    try {
      if (!(await archives.discard(id, reason))) continue;
      moved += 1;
      context.log(`Moved to the trash folder: ${path}. ${reason}.`);
    } catch (thrown) {
      const error = AppError.from(thrown);
      // A failure of the catalogue is met by the next try; a disk, or a state file that cannot be read, is looked at by a person.
      if (error.code === 'internal' || error.code.startsWith('catalogue-')) throw error;
      findings.push({
        code: 'prune-failed',
        severity: 'warning',
        message: `An old archive could not be moved to the trash folder: ${error.message}.`,
        where: path,
      });
    }
  }
  return done(`Kept ${held.length - moved} archives, moved ${moved} to the trash folder.`, findings);
}

function shrinkText({ what, before, now }: Shrinkage): string {
  return what === 'size'
    ? `the new archive has ${now} bytes, an earlier one has ${before}.`
    : `the new archive holds ${now} ${what}, an earlier one holds ${before}.`;
}

function shrinkFinding(less: Shrinkage): Finding {
  return {
    code: 'archive-shrank',
    severity: 'warning',
    message: `Older archives were left alone: ${shrinkText(less)}`,
    where: less.what,
  };
}
