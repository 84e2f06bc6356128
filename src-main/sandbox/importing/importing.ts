/** @file Imports, with the states and texts of gitlab-facts 7. A failed import leaves the empty project behind. */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { enterStates, type WorkDeps } from '../background.ts';
import { avatarIn } from '../projects/avatar.ts';
import type { Parameters } from '../requests/bodies.ts';
import { readArchive, type UnpackedArchive } from '../content/archive-file.ts';
import {
  defaultBranch,
  encodeLines,
  recordsOf,
  refsOf,
  relationsInOrder,
  type JsonRecord,
  type ProjectContent,
} from '../content/project-content.ts';
import { applyContentFaults } from '../exporting/content-losses.ts';
import type { FaultOf } from '../faults/fault-kinds.ts';
import { iterationsOfGroups } from './epics-and-iterations.ts';
import { createRecordsOfGroups } from './group-records.ts';
import { checkBundles, checkLfsListing, checkVersion, contentOf, ImportFailed } from './import-archive.ts';
import {
  contentFaultsIn,
  recordFaultsIn,
  type ContentFault,
  type Loss,
  type RecordFault,
} from '../exporting/losses.ts';
import { capVisibility, setAttributes } from '../projects/project-making.ts';
import { rightsOf } from './member-mapping.ts';
import { restoreRelation } from './restoring.ts';
import { replaceAttributes } from '../exporting/root-attributes.ts';
import { applyCustomAttributes } from '../exporting/custom-attributes.ts';
import { applySettingRelations } from '../exporting/setting-relations.ts';
import {
  fullPath,
  hexDigest,
  roles,
  selfAndAncestors,
  type Project,
  type User,
} from '../sandbox-database.ts';

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
  faults: (RecordFault | ContentFault | FaultOf<'spread-failures' | 'list-failures' | 'end-import'>)[];
}

export class Importer {
  readonly #deps: WorkDeps;

  constructor(deps: WorkDeps) {
    this.#deps = deps;
  }

  start(request: ImportRequest): void {
    const { project } = request;
    const { background } = this.#deps;
    project.importStatus = 'scheduled';
    project.importType = 'gitlab_project';
    project.correlationId = hexDigest(`import ${project.id}`, 32);
    const work = this.#run(request)
      .catch((error: unknown) => {
        if (background.signal.aborted) return;
        const detail = error instanceof ImportFailed ? error.message : 'Unable to save project.';
        project.importStatus = 'failed';
        project.importError = importError(project, detail);
      })
      .finally(() => rm(request.file, { force: true }));
    background.add(work);
  }

  async #run(request: ImportRequest): Promise<void> {
    const { project, user, replacedProject } = request;
    const { database, clock, speed } = this.#deps;
    const endFault = request.faults.find((fault) => fault.kind === 'end-import');
    const states = { scheduled: speed.importScheduledMs, started: speed.importStartedMs };
    const end = await enterStates(this.#deps, states, endFault, (state) => {
      project.importStatus = state;
    });
    if (end?.as === 'stuck') return;
    if (end !== null) {
      throw new ImportFailed(end.detail ?? 'Import timed out. Import took longer than 86400 seconds');
    }

    await request.fetch?.();
    const content = await this.#read(request);
    if (request.isBotToken) throw new ImportFailed(botRefusal);
    if (!user.administrator) content.relations.delete('project_members');
    project.content = () => content;
    project.avatar = avatarIn(content);
    replaceAttributes(project, content.attributes);
    applySettingRelations(project, content);
    applyCustomAttributes(project, content);
    setAttributes(database, project, request.overrides);
    this.#loseName(request);
    const allowed = capVisibility(project.visibility, project.namespace.visibility);
    project.visibility = database.restrictedVisibilities.has(allowed) ? 'private' : allowed;
    const { branches } = await refsOf(content);
    const branch = branches.find(({ name }) => name === request.overrides['default_branch']);
    project.defaultBranch = branch?.name ?? (await defaultBranch(content));
    this.#mapMembers(request, content);
    if (replacedProject !== null) this.#replace(user, project, replacedProject);
    project.updatedAt = project.lastActivityAt = clock.now();
    await database.reachMoment('import-ended', project);
    project.importStatus = 'finished';
  }

  /** The name is no part of an export. A request without one gets the path as its name. */
  #loseName({ project, faults }: ImportRequest): void {
    const isLost = faults.some((fault) => fault.kind === 'drop-settings' && fault.names.includes('name'));
    if (!isLost || project.name === project.path) return;
    project.name = project.path;
    this.#addLoss(project, { relation: 'project', part: 'setting', name: 'name' });
  }

  #addLoss(project: Project, loss: Pick<Loss, 'relation' | 'part' | 'name'>): void {
    const fields = { phase: 'import', project: fullPath(project), line: null } as const;
    this.#deps.database.losses.push({ ...fields, ...loss, reason: 'fault', listed: false });
  }

  async #read(request: ImportRequest): Promise<ProjectContent> {
    const folder = join(this.#deps.folder, `import-${request.project.id}`);
    await mkdir(folder, { recursive: true });
    const archive = await readArchive(request.file, folder);
    try {
      return await this.#contentOf(request, archive, folder);
    } catch (error) {
      if (!archive.isDamaged || !(error instanceof ImportFailed)) throw error;
      throw new ImportFailed(`Command exited with error code 2: [FILTERED], ${error.message}`);
    }
  }

  async #contentOf(
    request: ImportRequest,
    archive: UnpackedArchive,
    folder: string,
  ): Promise<ProjectContent> {
    if (archive.hardLinks.length > 0) throw new ImportFailed('File shares hard link');
    checkVersion(archive);
    await checkBundles(archive);
    const content = contentOf(archive);
    for (const relation of relationsInOrder(content)) await this.#restore(request, content, relation);
    createRecordsOfGroups(content, (relation) => titlesOfGroups(request.project, relation));
    await checkLfsListing(content);
    this.#listFaultyFailures(request);
    const branch = await defaultBranch(content);
    const bundlePath = join(folder, 'shorter.bundle');
    const { content: keptContent, lost } = await applyContentFaults(
      content,
      contentFaultsIn(request.faults),
      branch,
      bundlePath,
    );
    for (const loss of lost) this.#addLoss(request.project, loss);
    return keptContent;
  }

  async #restore({ project, user, faults }: ImportRequest, content: ProjectContent, relation: string) {
    const { database, clock, background } = this.#deps;
    const bytes = content.relations.get(relation) ?? Buffer.alloc(0);
    const spreadFault = faults.find((fault) => fault.kind === 'spread-failures');
    // GitLab uses the label or milestone of a group instead of creating one with the same title.
    const usedTitles =
      relation === 'labels' || relation === 'milestones'
        ? titlesOfGroups(project, relation)
        : new Set<string>();
    const context = {
      rights: rightsOf(database, user, project, recordsOf(content, 'project_members')),
      iterations: iterationsOfGroups(project.namespace),
    };
    const isSkipped = ({ title }: JsonRecord): boolean => usedTitles.has(String(title));
    const restored = restoreRelation(relation, bytes, recordFaultsIn(faults), context, isSkipped);
    for (const failure of restored.failures) {
      const row = { id: database.nextId(), createdAt: clock.now(), relation, ...failure };
      project.importFailures.push(row);
      if (spreadFault === undefined || project.importFailures.length % spreadFault.batch > 0) continue;
      await clock.sleep(spreadFault.everyMs, background.signal);
    }
    for (const loss of restored.losses) {
      database.losses.push({ phase: 'import', project: fullPath(project), relation, ...loss });
    }
    if (restored.unchanged) return;
    content.relations.set(relation, encodeLines(relation, restored.lines));
  }

  #listFaultyFailures({ project, faults }: ImportRequest): void {
    const { database, clock } = this.#deps;
    const refusal = { exceptionClass: 'ActiveRecord::RecordInvalid', message: 'Validation failed' };
    for (const fault of faults) {
      if (fault.kind !== 'list-failures') continue;
      for (const line of fault.lines) {
        const { relation } = fault;
        const createdAt = clock.now();
        project.importFailures.push({ id: database.nextId(), createdAt, relation, line, ...refusal });
      }
    }
  }

  /** Replaces the old project. Only at this point does GitLab refuse a user who may not manage the namespace. */
  #replace(user: User, project: Project, oldProject: Project): void {
    const { database } = this.#deps;
    const { namespace, path, name } = oldProject;
    const role = user.administrator ? roles.owner : database.namespaceRole(user, namespace);
    if (role < roles.owner) {
      const namespacePath = namespace.fullPath;
      throw new ImportFailed(`User ${user.username} cannot overwrite a project in ${namespacePath}`);
    }
    for (const [id, since] of oldProject.stars) project.stars.set(id, since);
    for (const [id, level] of oldProject.shares) project.shares.set(id, level);
    for (const id of oldProject.forks) {
      const fork = database.projects.get(id);
      if (fork === undefined) continue;
      fork.forkOf = project.id;
      project.forks.add(id);
    }
    database.removeProject(oldProject);
    database.rename(project, path, name);
  }

  /** Only an administrator's import maps members, by public e-mail; any other import adds only the importer. */
  #mapMembers({ user, project }: ImportRequest, content: ProjectContent): void {
    if (project.namespace.kind === 'group') project.members.set(user.id, roles.maintainer);
    if (!user.administrator) return;
    for (const member of recordsOf(content, 'project_members')) {
      const { public_email: email } = (member['user'] ?? {}) as JsonRecord;
      const match = this.#deps.database.userWithEmail(email);
      if (match === undefined) continue;
      project.members.set(match.id, Number(member['access_level']));
      if (typeof member['expires_at'] === 'string') project.memberUntil.set(match.id, member['expires_at']);
    }
  }
}

const titlesOfGroups = ({ namespace }: Project, relation: 'labels' | 'milestones'): Set<string> =>
  new Set(selfAndAncestors(namespace).flatMap((group) => group[relation].map(({ title }) => title)));

const botRefusal =
  'Error adding importer user to Project members. Validation failed: ' +
  'User project bots cannot be added to other groups / projects';

function importError(project: Project, detail: string): string {
  return `Error importing repository  into ${fullPath(project)} - ${detail}`;
}
