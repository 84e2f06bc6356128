/**
 * @file Relation imports: add one relation of an archive to an existing project. A record whose iid exists is skipped.
 * The archive's attributes are also assigned to the project, and its members may be removed (gitlab-facts 8).
 */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { enterStates, type WorkDeps } from '../background.ts';
import { messageError } from '../requests/api-error.ts';
import { readArchive, type UnpackedArchive } from '../content/archive-file.ts';
import { linesOf, recordsOf, type JsonRecord } from '../content/project-content.ts';
import type { FaultOf } from '../faults/fault-kinds.ts';
import { recordFaultsIn, type RecordFault } from '../exporting/losses.ts';
import { mergeAttributes } from '../exporting/root-attributes.ts';
import { iterationsOfGroups } from './epics-and-iterations.ts';
import { ImportFailed, parseLine, projectAttributesOf } from './import-archive.ts';
import { ensureDefaultMember, mapMembers, rightsOf } from './member-mapping.ts';
import { restoreRelation } from './restoring.ts';
import { fullPath, type Project, type User } from '../sandbox-database.ts';

export const importableRelations = ['issues', 'merge_requests', 'milestones', 'ci_pipelines'] as const;

export interface RelationImport {
  id: number;
  project: Project;
  relation: string;
  status: 'created' | 'started' | 'finished' | 'failed';
  createdAt: number;
  updatedAt: number;
}

type RelationImportFault = RecordFault | FaultOf<'end-relation-import'>;

/** After this time an unfinished import no longer blocks another import. */
const staleAfterMs = 24 * 3_600_000;

export class RelationImporter {
  readonly #deps: WorkDeps;
  readonly #rows: RelationImport[] = [];
  /** The last upload by user and project. A later upload replaces an earlier one whose import has not started. */
  readonly #uploads = new Map<string, { file: string; useCount: number }>();

  constructor(deps: WorkDeps) {
    this.#deps = deps;
  }

  importsOf(project: Project): RelationImport[] {
    return this.#rows.filter((row) => row.project === project);
  }

  /** Throws 409 while a relation import is scheduled or started, 400 while the project itself is being imported. */
  assertNoOpenImport(project: Project): void {
    const latest = this.importsOf(project).at(-1);
    const isOpen = latest?.status === 'created' || latest?.status === 'started';
    if (isOpen && this.#deps.clock.now() - latest.createdAt < staleAfterMs) {
      throw messageError(409, 'A relation import is already in progress for this project');
    }
    if (project.importStatus !== 'scheduled' && project.importStatus !== 'started') return;
    const reason = 'Relation import tracker cannot be created for project with ongoing import';
    throw messageError(400, `Relation import could not be created: ${reason}`);
  }

  /** Starts an import in the background. `file` is removed after its last use. */
  async start(request: {
    user: User;
    project: Project;
    relation: string;
    file: string;
    faults: readonly RelationImportFault[];
  }): Promise<RelationImport> {
    const { user, project, relation, faults } = request;
    const { database, clock, background } = this.#deps;
    const at = clock.now();
    const id = database.nextId();
    const row: RelationImport = { id, project, relation, status: 'created', createdAt: at, updatedAt: at };
    this.#rows.push(row);
    const key = `${user.id} ${project.id}`;
    const earlierUpload = this.#uploads.get(key);
    if (earlierUpload !== undefined) await rm(earlierUpload.file, { force: true });
    const upload = { file: request.file, useCount: (earlierUpload?.useCount ?? 0) + 1 };
    this.#uploads.set(key, upload);
    const work = this.#run(row, user, key, faults)
      .catch(() => {
        if (!background.signal.aborted) this.#setStatus(row, 'failed');
      })
      .finally(() => this.#release(key));
    background.add(work);
    return row;
  }

  async #run(row: RelationImport, user: User, key: string, faults: readonly RelationImportFault[]) {
    const { database, clock, speed } = this.#deps;
    const endFault = faults.find((fault) => fault.kind === 'end-relation-import');
    const states = { created: speed.relationCreatedMs, started: speed.relationStartedMs };
    const end = await enterStates(this.#deps, states, endFault, (state) => {
      this.#setStatus(row, state);
    });
    if (end !== null) {
      if (end.as === 'failed') this.#setStatus(row, 'failed');
      return;
    }
    const archive = await this.#read(row, this.#uploads.get(key)?.file ?? '');
    ensureDefaultMember(database, row.project, user, clock.now());
    let root: JsonRecord;
    try {
      root = projectAttributesOf(archive);
    } catch {
      // The worker stops here. Its retry finds a tracker that cannot start, so the state does not change.
      return;
    }
    mergeAttributes(row.project, root);
    this.#addRecords(row, user, archive, recordFaultsIn(faults));
    this.#setStatus(row, 'finished');
  }

  async #read({ id }: RelationImport, file: string): Promise<UnpackedArchive> {
    const folder = join(this.#deps.folder, `relation-import-${id}`);
    await mkdir(folder, { recursive: true });
    const archive = await readArchive(file, folder);
    await rm(folder, { recursive: true, force: true });
    return archive;
  }

  /**
   * Adds the records of the relation. A missing or unreadable relation adds nothing, and the server does not report it.
   */
  #addRecords(
    { project, relation }: RelationImport,
    user: User,
    archive: UnpackedArchive,
    faults: readonly RecordFault[],
  ): void {
    const { database, clock } = this.#deps;
    const bytes = archive.members.get(`tree/project/${relation}.ndjson`);
    if (!Buffer.isBuffer(bytes)) return;
    const content = project.content();
    const iids = recordsOf(content, relation).map((record) => record['iid']);
    const existingIids = new Set<unknown>(iids.filter((iid) => iid !== undefined && iid !== null));
    let restored: ReturnType<typeof restoreRelation>;
    try {
      const context = {
        rights: rightsOf(database, user, project, membersIn(archive)),
        iterations: iterationsOfGroups(project.namespace),
      };
      restored = restoreRelation(relation, bytes, faults, context, ({ iid }) =>
        existingIids.has(iid ?? null),
      );
    } catch (error) {
      if (error instanceof ImportFailed) return;
      throw error;
    }
    for (const loss of restored.losses) {
      const lossFields = { phase: 'import', project: fullPath(project), relation } as const;
      database.losses.push({ ...lossFields, ...loss, listed: false });
    }
    if (restored.lines.length === 0) return;
    mapMembers(database, project, user, membersIn(archive), clock.now());
    const existingBytes = content.relations.get(relation) ?? Buffer.alloc(0);
    const addedLines = restored.lines.map((text) => `${text}\n`).join('');
    content.relations.set(relation, Buffer.concat([existingBytes, Buffer.from(addedLines)]));
    project.updatedAt = clock.now();
  }

  async #release(key: string): Promise<void> {
    const upload = this.#uploads.get(key);
    if (upload === undefined) return;
    upload.useCount -= 1;
    if (upload.useCount > 0) return;
    this.#uploads.delete(key);
    await rm(upload.file, { force: true });
  }

  #setStatus(row: RelationImport, status: RelationImport['status']): void {
    row.status = status;
    row.updatedAt = this.#deps.clock.now();
  }
}

/** Returns the member records of the archive; empty if the archive has no file of members. */
function membersIn({ members }: UnpackedArchive): unknown[] {
  const bytes = members.get('tree/project/project_members.ndjson');
  return Buffer.isBuffer(bytes) ? linesOf(bytes).map(parseLine) : [];
}
