/**
 * @file Exports: the state machine of gitlab-facts 6. Jobs and files belong to a user and a project together; what
 * another user exported does not exist for you. Times pass on the injected clock.
 */
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../platform/clock.ts';
import type { Background } from './background.ts';
import { refuse } from './api-error.ts';
import { writeArchive } from './content/archive-file.ts';
import { singletons, type ProjectContent } from './content/project-content.ts';
import type { ExportFault } from './fault-schema.ts';
import { fullPath, hexOf, type Project, type User, type World } from './world.ts';

export interface ExportFile {
  path: string;
  size: number;
  /** As a download offers it. */
  name: string;
  madeAt: number;
}

/** Milliseconds that each phase lasts. */
export interface ExportSpeed {
  /** From the request to the job's row: the status still says what it said before. */
  exportPendingMs: number;
  exportQueuedMs: number;
  exportStartedMs: number;
  /** The file is there, its job not yet over: `regeneration_in_progress`. */
  exportClosingMs: number;
}

const lifetime = 24 * 3_600_000;

interface Slot {
  job: 'queued' | 'started' | 'ended' | 'failed' | null;
  file: ExportFile | null;
}

export class Exporter {
  readonly #world: World;
  readonly #clock: Clock;
  readonly #speed: ExportSpeed;
  readonly #folder: string;
  readonly #version: string;
  readonly #background: Background;
  readonly #slots = new Map<string, Slot>();
  #files = 0;

  constructor(parts: {
    world: World;
    clock: Clock;
    speed: ExportSpeed;
    folder: string;
    version: string;
    background: Background;
  }) {
    this.#world = parts.world;
    this.#clock = parts.clock;
    this.#speed = parts.speed;
    this.#folder = parts.folder;
    this.#version = parts.version;
    this.#background = parts.background;
  }

  /** What the status endpoint says to this user. */
  async status(user: User, project: Project): Promise<string> {
    const { job } = this.#slot(user, project);
    const file = await this.file(user, project);
    if (job === 'queued' || job === 'started') return file === null ? job : 'regeneration_in_progress';
    if (file !== null) return 'finished';
    return job === 'failed' ? 'failed' : 'none';
  }

  /** The user's own file, while it is not older than a day. */
  async file(user: User, project: Project): Promise<ExportFile | null> {
    const slot = this.#slot(user, project);
    if (slot.file !== null && this.#clock.now() - slot.file.madeAt >= lifetime) await this.#removeFile(slot);
    return slot.file;
  }

  /** Starts an export. The user's previous file is gone afterwards, also when the request is refused. */
  async start(
    user: User,
    project: Project,
    description: string | null,
    faults: ExportFault[],
  ): Promise<void> {
    const slot = this.#slot(user, project);
    await this.#removeFile(slot);
    if (slot.job === 'queued' || slot.job === 'started') {
      throw refuse(
        400,
        "An export is already running or queued for this project. Please try again once it's done.",
      );
    }
    const work = this.#run(slot, project, description, faults).catch(() => {
      slot.job = 'failed';
    });
    this.#background.add(work);
  }

  async #run(slot: Slot, project: Project, description: string | null, faults: ExportFault[]): Promise<void> {
    const ending = faults.find((fault) => fault.kind === 'end-export');
    const pass = (ms: number) => this.#clock.sleep(ms, this.#background.signal);
    const endsAt = ending?.at ?? 'started';

    await pass(this.#speed.exportPendingMs);
    for (const state of ['queued', 'started'] as const) {
      slot.job = state;
      await pass(state === 'queued' ? this.#speed.exportQueuedMs : this.#speed.exportStartedMs);
      if (ending === undefined || endsAt !== state) continue;
      if (ending.as === 'failed') slot.job = 'failed';
      if (ending.as === 'none') slot.job = 'ended';
      return;
    }
    slot.file = await this.#write(project, description, faults);
    await pass(this.#speed.exportClosingMs);
    slot.job = 'ended';
  }

  async #write(project: Project, description: string | null, faults: ExportFault[]): Promise<ExportFile> {
    const path = join(this.#folder, `export-${++this.#files}.tar.gz`);
    const content = this.#withLosses(project, faults);
    await writeArchive(
      path,
      {
        ...content,
        attributes: {
          ...content.attributes,
          description: description ?? project.description,
          archived: project.archived,
        },
      },
      { gitlabVersion: this.#version, revision: hexOf(this.#version, 11), time: project.createdAt },
    );
    return {
      path,
      size: (await stat(path)).size,
      name: exportName(project, this.#clock.now()),
      madeAt: this.#clock.now(),
    };
  }

  /** The project's content without the records that scripted faults drop: the last ones of their relation. */
  #withLosses(project: Project, faults: ExportFault[]): ProjectContent {
    const content = project.content();
    const relations = new Map(content.relations);
    for (const fault of faults) {
      if (fault.kind !== 'drop-records' || singletons.has(fault.relation)) continue;
      const lines = (relations.get(fault.relation)?.toString('utf8') ?? '').split('\n');
      if (lines.at(-1) === '') lines.pop();
      const kept = Math.max(0, lines.length - fault.count);
      for (let line = kept; line < lines.length; line += 1) {
        const { relation } = fault;
        this.#world.losses.push({
          phase: 'export',
          project: fullPath(project),
          relation,
          line,
          part: 'record',
          reason: 'fault',
          listed: false,
        });
      }
      relations.set(
        fault.relation,
        Buffer.from(
          lines
            .slice(0, kept)
            .map((line) => `${line}\n`)
            .join(''),
        ),
      );
    }
    return { ...content, relations };
  }

  #slot(user: User, project: Project): Slot {
    const key = `${user.id} ${project.id}`;
    const known = this.#slots.get(key);
    if (known !== undefined) return known;
    const slot: Slot = { job: null, file: null };
    this.#slots.set(key, slot);
    return slot;
  }

  async #removeFile(slot: Slot): Promise<void> {
    const { file } = slot;
    slot.file = null;
    if (file !== null) await rm(file.path, { force: true });
  }
}

/** Minute and milliseconds, no seconds; everything but the ending is cut to 51 characters (gitlab-facts 5.1). */
function exportName(project: Project, now: number): string {
  const [date = '', time = ''] = new Date(now).toISOString().split('T');
  const stamp = `${date}_${time.slice(0, 2)}-${time.slice(3, 5)}-${time.slice(9, 12)}`;
  return `${`${stamp}_${fullPath(project).replaceAll('/', '_')}`.slice(0, 51)}_export.tar.gz`;
}
