/** @file Which projects "all" means: those the account is a member of with a role that allows exports. */
import { mayExport, type Project } from '../../src-preload/contract/project.ts';
import type { ProjectSource } from './ports.ts';

export interface Selection {
  chosen: Project[];
  skipped: { project: string; why: string }[];
}

/** Asks the instance, page by page. A project whose role the instance does not tell is chosen; its job will see. */
export async function selectExportable(source: ProjectSource, signal: AbortSignal): Promise<Selection> {
  const selection: Selection = { chosen: [], skipped: [] };
  for await (const project of source.projects({ membership: true }, signal)) {
    if (mayExport(project.accessLevel)) selection.chosen.push(project);
    else selection.skipped.push({ project: project.fullPath, why: 'an export needs the role Maintainer' });
  }
  return selection;
}
