/**
 * @file The visibility of an imported project: an import lowers what the target does not allow, also for administrators
 * (`Project#drop_visibility_level!`, gitlab-facts 7). Pure.
 */
import { isWider, visibilities } from '../../../src-contract/projects/project-details.ts';

export interface VisibilityLimits {
  /** The visibility of the target's group; null for a personal namespace, or if it is not known. */
  group: string | null;
  /** Visibilities that the instance restricts to administrators; empty if they are not known. */
  restricted: readonly string[];
}

/** Returns the visibility that an import gives a project whose archive or override has `visibility`. */
export function importedVisibility(visibility: string, { group, restricted }: VisibilityLimits): string {
  const allowed = group !== null && isWider(visibilities, visibility, group) ? group : visibility;
  return restricted.includes(allowed) ? 'private' : allowed;
}
