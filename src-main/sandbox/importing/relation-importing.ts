/**
 * @file Relation imports: one relation of an archive added to an existing project. What has an iid that is taken is passed
 * over, nothing is changed or removed, and what is refused is told nowhere (gitlab-facts 8).
 */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../platform/clock.ts';
import { refuse } from '../requests/api-error.ts';
import type { Background } from '../background.ts';
import { readArchive } from '../content/archive-file.ts';
import { recordsOf } from '../content/project-content.ts';
import type { FaultOf } from '../faults/fault-schema.ts';
import { recordFaultsIn, type RecordFault } from '../exporting/losses.ts';
import { restoreRelation } from './restoring.ts';
import { fullPath, type Project, type User, type World } from '../world.ts';

export const importableRelations = ['issues', 'merge_requests', 'milestones', 'ci_pipelines'] as const;

/** Milliseconds that each state lasts at least. */
export interface RelationImportSpeed {
  relationCreatedMs: number;
  relationStartedMs: number;
}

export interface RelationImport {
  id: number;
  project: Project;
  relation: string;
  status: 'created' | 'started' | 'finished' | 'failed';
  createdAt: number;
  updatedAt: number;
}

type RelationImportFault = RecordFault | FaultOf<'end-relation-import'>;

/** After this long one that has not ended no longer stands in the way of another. */
const stale = 24 * 3_600_000;

export class RelationImporter {
  readonly #world: World;
  readonly #clock: Clock;
  readonly #speed: RelationImportSpeed;
  readonly #folder: string;
  readonly #background: Background;
  readonly #rows: RelationImport[] = [];
  /** The last upload by user and project: a later one takes the place of an earlier that has not begun. */
  readonly #uploads = new Map<string, { file: string; users: number }>();

  constructor(parts: {
    world: World;
    clock: Clock;
    speed: RelationImportSpeed;
    folder: string;
    background: Background;
  }) {
    this.#world = parts.world;
    this.#clock = parts.clock;
    this.#speed = parts.speed;
    this.#folder = parts.folder;
    this.#background = parts.background;
  }

  /** All of a project, oldest first. */
  of(project: Project): RelationImport[] {
    return this.#rows.filter((row) => row.project === project);
  }

  /** Throws 409 while one is scheduled or has begun, 400 while the project itself is imported. */
  checkFree(project: Project): void {
    const latest = this.of(project).at(-1);
    const isOpen = latest?.status === 'created' || latest?.status === 'started';
    if (isOpen && this.#clock.now() - latest.createdAt < stale) {
      throw refuse(409, 'A relation import is already in progress for this project');
    }
    if (project.importStatus !== 'scheduled' && project.importStatus !== 'started') return;
    const reason = 'Relation import tracker cannot be created for project with ongoing import';
    throw refuse(400, `Relation import could not be created: ${reason}`);
  }

  /** Begins one that goes on in the background. `file` is removed when nobody needs it any more. */
  async start(order: {
    user: User;
    project: Project;
    relation: string;
    file: string;
    faults: readonly RelationImportFault[];
  }): Promise<RelationImport> {
    const { user, project, relation, faults } = order;
    const now = this.#clock.now();
    const row: RelationImport = {
      id: this.#world.nextId(),
      project,
      relation,
      status: 'created',
      createdAt: now,
      updatedAt: now,
    };
    this.#rows.push(row);
    const key = `${user.id} ${project.id}`;
    const earlier = this.#uploads.get(key);
    if (earlier !== undefined) await rm(earlier.file, { force: true });
    const upload = { file: order.file, users: (earlier?.users ?? 0) + 1 };
    this.#uploads.set(key, upload);
    const work = this.#run(row, key, faults)
      .catch(() => {
        if (!this.#background.signal.aborted) this.#set(row, 'failed');
      })
      .finally(() => this.#release(key));
    this.#background.add(work);
    return row;
  }

  async #run(row: RelationImport, key: string, faults: readonly RelationImportFault[]): Promise<void> {
    const ending = faults.find((fault) => fault.kind === 'end-relation-import');
    for (const state of ['created', 'started'] as const) {
      this.#set(row, state);
      const { relationCreatedMs, relationStartedMs } = this.#speed;
      await this.#clock.sleep(
        state === 'created' ? relationCreatedMs : relationStartedMs,
        this.#background.signal,
      );
      if (ending === undefined || (ending.at ?? 'started') !== state) continue;
      if (ending.as === 'failed') this.#set(row, 'failed');
      return;
    }
    const bytes = await this.#read(row, this.#uploads.get(key)?.file ?? '');
    if (bytes !== null) this.#add(row, bytes, recordFaultsIn(faults));
    this.#set(row, 'finished');
  }

  /** The relation's bytes; null for an archive that is none or lacks it, which a server does not tell. */
  async #read({ id, relation }: RelationImport, file: string): Promise<Buffer | null> {
    const folder = join(this.#folder, `relation-import-${id}`);
    await mkdir(folder, { recursive: true });
    const archive = await readArchive(file, folder).catch(() => null);
    await rm(folder, { recursive: true, force: true });
    const bytes = archive?.members.get(`tree/project/${relation}.ndjson`);
    return Buffer.isBuffer(bytes) ? bytes : null;
  }

  #add({ project, relation }: RelationImport, bytes: Buffer, faults: readonly RecordFault[]): void {
    const content = project.content();
    const iids = recordsOf(content, relation).map((record) => record['iid']);
    const taken = new Set<unknown>(iids.filter((iid) => iid !== undefined && iid !== null));
    const restored = restoreRelation(relation, bytes, faults, ({ iid }) => taken.has(iid ?? null));
    for (const loss of restored.losses) {
      const place = { phase: 'import', project: fullPath(project), relation } as const;
      this.#world.losses.push({ ...place, ...loss, listed: false });
    }
    const before = content.relations.get(relation) ?? Buffer.alloc(0);
    const added = Buffer.from(restored.lines.map((text) => `${text}\n`).join(''));
    if (added.length === 0) return;
    content.relations.set(relation, Buffer.concat([before, added]));
    project.updatedAt = this.#clock.now();
  }

  async #release(key: string): Promise<void> {
    const upload = this.#uploads.get(key);
    if (upload === undefined) return;
    upload.users -= 1;
    if (upload.users > 0) return;
    this.#uploads.delete(key);
    await rm(upload.file, { force: true });
  }

  #set(row: RelationImport, status: RelationImport['status']): void {
    row.status = status;
    row.updatedAt = this.#clock.now();
  }
}
