/** @file How a project that a job of ours made is told from one that somebody else made meanwhile at the same path. */
import { AppError } from '../../../src-preload/contract/errors.ts';
import type { Project } from '../../../src-preload/contract/projects/project.ts';
import { parseTime } from '../../platform/clock.ts';
import type { StepContext } from '../running/step.ts';

/** What was known before the request left. */
export interface Before {
  /** Newest project id that the account could see. */
  watermark: number;
  /** Id of the user who is named as the maker. */
  userId: number;
  /** The server's clock minus ours. */
  clockSkewMs: number;
}

/** Clocks are told in whole seconds. */
const slackMs = 5_000;

/** The project at a full path, or null. One that moved away answers under its old path too, which is then free. */
export async function projectAt(context: StepContext, fullPath: string): Promise<Project | null> {
  try {
    const project = await context.ports.instance.project(fullPath, context.signal);
    return project.fullPath.toLowerCase() === fullPath.toLowerCase() ? project : null;
  } catch (thrown) {
    if (AppError.from(thrown).code === 'project-missing') return null;
    throw thrown;
  }
}

/** Whether all its marks say that a request of that time made it. */
export function isOurs(project: Project, before: Before, intentAt: number): boolean {
  const createdAt = parseTime(project.createdAt);
  return (
    project.id > before.watermark &&
    project.creatorId === before.userId &&
    createdAt !== null &&
    createdAt >= intentAt + before.clockSkewMs - slackMs
  );
}
