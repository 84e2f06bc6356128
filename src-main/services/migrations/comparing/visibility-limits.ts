/** @file Reads why an import may have lowered the visibility of a project. */
import { dirname } from 'node:path/posix';
import { isWider, visibilities } from '../../../../src-contract/projects/project-details.ts';
import type { VisibilityLimits } from '../../../jobs/migrations/imported-visibility.ts';
import {
  archivedVisibility,
  type ArchivedSettings,
} from '../../../jobs/migrations/comparing/settings/setting-table.ts';
import type { RemoteInstance } from '../../instances/remote/remote-instance.ts';
import type { TargetSide } from './sides/fetching-sides.ts';

/** Returns null, without a request, if the target is not less visible than its archive. */
export async function visibilityLimitsOf(
  remote: Pick<RemoteInstance, 'visibilityLimits'>,
  archive: ArchivedSettings | null,
  { details }: TargetSide,
  signal: AbortSignal,
): Promise<VisibilityLimits | null> {
  const archived = archive === null ? null : archivedVisibility(archive);
  const { fullPath, visibility } = details.project;
  if (archived === null || visibility === null || !isWider(visibilities, archived, visibility)) return null;
  return remote.visibilityLimits(dirname(fullPath), signal);
}
