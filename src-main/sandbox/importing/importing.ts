/** @file Imports, with the states and texts of gitlab-facts 7. A failed import leaves the empty project behind. */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { enterStates, type WorkParts } from '../background.ts';
import type { Parameters } from '../requests/bodies.ts';
import { readArchive, type UnpackedArchive } from '../content/archive-file.ts';
import {
  defaultBranch,
  recordsOf,
  refsOf,
  relationsInOrder,
  type JsonRecord,
  type ProjectContent,
} from '../content/project-content.ts';
import { applyContentFaults } from '../exporting/content-losses.ts';
import type { FaultOf } from '../faults/fault-kinds.ts';
import { checkBundles, checkVersion, contentOf, ImportFailed } from './import-archive.ts';
import { contentFaultsIn, recordFaultsIn, type ContentFault, type RecordFault } from '../exporting/losses.ts';
import { capVisibility, setAttributes } from '../projects/project-making.ts';
import { restoreRelation } from './restoring.ts';
import { replaceAttributes } from '../exporting/root-attributes.ts';
import { applySettingRelations } from '../exporting/setting-relations.ts';
import { fullPath, hexDigest, roles, type Project, type User } from '../sandbox-database.ts';

export interface ImportRequest {
  user: User;
  project: Project;
  /** True if the caller's token belongs to a bot, which cannot become a member elsewhere. */
  isBotToken: boolean;
  /** Path of the archive, or the path to which `fetch` will write it. The file is removed when the import ends. */
  file: string;
  /** Downloads an archive that was not uploaded. Rejects with `ImportFailed`. */
  fetch: (() => Promise<void>) | null;
  overrides: Parameters;
  /** The project to be replaced once the import has succeeded. */
  replacedProject: Project | null;
  faults: (RecordFault | ContentFault | FaultOf<'spread-failures' | 'end-import'>)[];
}

export class Importer {
  readonly #parts: WorkParts;

  constructor(parts: WorkParts) {
    this.#parts = parts;
  }

  start(order: ImportRequest): void {
    const { project } = order;
    const { background } = this.#parts;
    project.importStatus = 'scheduled';
    project.importType = 'gitlab_project';
    project.correlationId = hexDigest(`import ${project.id}`, 32);
    const work = this.#run(order)
      .catch((error: unknown) => {
        if (background.signal.aborted) return;
        const detail = error instanceof ImportFailed ? error.message : 'Unable to save project.';
        project.importStatus = 'failed';
        project.importError = importError(project, detail);
      })
      .finally(() => rm(order.file, { force: true }));
    background.add(work);
  }

  async #run(order: ImportRequest): Promise<void> {
    const { project, user, replacedProject } = order;
    const { world, clock, speed } = this.#parts;
    const ending = order.faults.find((fault) => fault.kind === 'end-import');
    const states = { scheduled: speed.importScheduledMs, started: speed.importStartedMs };
    const end = await enterStates(this.#parts, states, ending, (state) => {
      project.importStatus = state;
    });
    if (end?.as === 'stuck') return;
    if (end !== null) {
      throw new ImportFailed(end.detail ?? 'Import timed out. Import took longer than 86400 seconds');
    }

    await order.fetch?.();
    const content = await this.#read(order);
    if (order.isBotToken) throw new ImportFailed(botRefusal);
    if (!user.administrator) content.relations.delete('project_members');
    project.content = () => content;
    replaceAttributes(project, content.attributes);
    applySettingRelations(project, content);
    setAttributes(world, project, order.overrides);
    project.visibility = capVisibility(project.visibility, project.namespace.visibility);
    const { branches } = await refsOf(content);
    const branch = branches.find(({ name }) => name === order.overrides['default_branch']);
    project.defaultBranch = branch?.name ?? (await defaultBranch(content));
    this.#mapMembers(order, content);
    if (replacedProject !== null) this.#replace(user, project, replacedProject);
    project.updatedAt = project.lastActivityAt = clock.now();
    project.importStatus = 'finished';
  }

  async #read(order: ImportRequest): Promise<ProjectContent> {
    const folder = join(this.#parts.folder, `import-${order.project.id}`);
    await mkdir(folder, { recursive: true });
    const archive = await readArchive(order.file, folder);
    try {
      return await this.#contentOf(order, archive, folder);
    } catch (error) {
      if (!archive.isDamaged || !(error instanceof ImportFailed)) throw error;
      throw new ImportFailed(`Command exited with error code 2: [FILTERED], ${error.message}`);
    }
  }

  async #contentOf(order: ImportRequest, archive: UnpackedArchive, folder: string): Promise<ProjectContent> {
    if (archive.hardLinks.length > 0) throw new ImportFailed('File shares hard link');
    checkVersion(archive);
    await checkBundles(archive);
    const content = contentOf(archive);
    for (const relation of relationsInOrder(content)) await this.#restore(order, content, relation);
    const branch = await defaultBranch(content);
    const shorter = join(folder, 'shorter.bundle');
    const { content: kept, lost } = await applyContentFaults(
      content,
      contentFaultsIn(order.faults),
      branch,
      shorter,
    );
    for (const loss of lost) {
      const place = { phase: 'import', project: fullPath(order.project), line: null } as const;
      this.#parts.world.losses.push({ ...place, ...loss, reason: 'fault', listed: false });
    }
    return kept;
  }

  async #restore({ project, faults }: ImportRequest, content: ProjectContent, relation: string) {
    const { world, clock, background } = this.#parts;
    const bytes = content.relations.get(relation) ?? Buffer.alloc(0);
    const spread = faults.find((fault) => fault.kind === 'spread-failures');
    const restored = restoreRelation(relation, bytes, recordFaultsIn(faults));
    for (const failure of restored.failures) {
      const row = { id: world.nextId(), createdAt: clock.now(), relation, ...failure };
      project.importFailures.push(row);
      if (spread === undefined || project.importFailures.length % spread.batch > 0) continue;
      await clock.sleep(spread.everyMs, background.signal);
    }
    for (const loss of restored.losses) {
      world.losses.push({ phase: 'import', project: fullPath(project), relation, ...loss });
    }
    if (restored.unchanged) return;
    content.relations.set(relation, Buffer.from(restored.lines.map((text) => `${text}\n`).join('')));
  }

  /** Replaces the old project. Only at this point does GitLab refuse a user who may not manage the namespace. */
  #replace(user: User, project: Project, old: Project): void {
    const { world } = this.#parts;
    const { namespace, path, name } = old;
    const role = user.administrator ? roles.owner : world.namespaceRole(user, namespace);
    if (role < roles.owner) {
      const place = namespace.fullPath;
      throw new ImportFailed(`User ${user.username} cannot overwrite a project in ${place}`);
    }
    for (const [id, since] of old.stars) project.stars.set(id, since);
    for (const [id, level] of old.shares) project.shares.set(id, level);
    for (const id of old.forks) {
      const fork = world.projects.get(id);
      if (fork === undefined) continue;
      fork.forkOf = project.id;
      project.forks.add(id);
    }
    world.removeProject(old);
    world.rename(project, path, name);
  }

  /** Only an administrator's import maps members, by public e-mail; any other import adds only the importer. */
  #mapMembers({ user, project }: ImportRequest, content: ProjectContent): void {
    if (project.namespace.kind === 'group') project.members.set(user.id, roles.maintainer);
    if (!user.administrator) return;
    for (const member of recordsOf(content, 'project_members')) {
      const { public_email: email } = (member['user'] ?? {}) as JsonRecord;
      const match = this.#parts.world.userWithEmail(email);
      if (match !== undefined) project.members.set(match.id, Number(member['access_level']));
    }
  }
}

const botRefusal =
  'Error adding importer user to Project members. Validation failed: ' +
  'User project bots cannot be added to other groups / projects';

function importError(project: Project, detail: string): string {
  return `Error importing repository  into ${fullPath(project)} - ${detail}`;
}
