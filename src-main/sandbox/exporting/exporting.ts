/** @file Exports (gitlab-facts 6). Jobs and files belong to a user and a project. Other users do not see them. */
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { enterStates, type WorkParts } from '../background.ts';
import { messageError } from '../requests/api-error.ts';
import { writeArchive } from '../content/archive-file.ts';
import { applyExportFaults } from './export-losses.ts';
import type { ExportFault } from './losses.ts';
import { sendArchive, type OutboundOptions } from './outbound.ts';
import { withMembers } from './member-records.ts';
import { rootAttributesOf } from './root-attributes.ts';
import { settingRelationsOf } from './setting-relations.ts';
import { fullPath, hexDigest, type Project, type User } from '../sandbox-database.ts';

export interface ExportFile {
  path: string;
  size: number;
  name: string;
  madeAt: number;
}

export type EarlierFilePolicy =
  /** The old file can be downloaded until the new one exists (gitlab-facts 15.1). */
  | 'kept'
  /** Every request first removes the old file, even a refused request, like servers since 13.3. */
  | 'removed';

export interface PushTarget {
  url: string;
  method: 'PUT' | 'POST';
}

interface ExportRequest {
  /** Replaces the project's own description. */
  description: string | null;
  /** Receives the finished file. */
  destination: PushTarget | null;
  faults: readonly ExportFault[];
}

/** A message that GitLab sends only by mail. */
export interface Mail {
  to: string;
  project: string;
  subject: string;
  text: string;
}

const lifetime = 24 * 3_600_000;

interface Slot {
  /** True if an export was requested and its job has no row yet. */
  pending: boolean;
  job: 'queued' | 'started' | 'ended' | 'failed' | null;
  file: ExportFile | null;
}

interface ExporterParts extends WorkParts {
  version: string;
  outbound: OutboundOptions;
  previous: EarlierFilePolicy;
}

export class Exporter {
  readonly #parts: ExporterParts;
  /** Mails about pushed files, oldest first. */
  readonly mails: Mail[] = [];
  readonly #slots = new Map<string, Slot>();
  #files = 0;

  constructor(parts: ExporterParts) {
    this.#parts = parts;
  }

  async status(user: User, project: Project): Promise<string> {
    const { job, pending } = this.#slot(user, project);
    const file = await this.file(user, project);
    const isRunning = job === 'queued' || job === 'started';
    if (file !== null) return isRunning || pending ? 'regeneration_in_progress' : 'finished';
    return isRunning || job === 'failed' ? job : 'none';
  }

  /** Returns the user's own file if it is at most a day old, else null. */
  async file(user: User, project: Project): Promise<ExportFile | null> {
    const slot = this.#slot(user, project);
    const isOld = slot.file !== null && this.#parts.clock.now() - slot.file.madeAt >= lifetime;
    if (isOld) await this.#removeFile(slot);
    return slot.file;
  }

  async onRequest(user: User, project: Project): Promise<void> {
    if (this.#parts.previous === 'removed') await this.#removeFile(this.#slot(user, project));
  }

  /** Starts an export. Throws 400 while another export of the user runs. */
  start(user: User, project: Project, order: ExportRequest): void {
    const slot = this.#slot(user, project);
    if (slot.job === 'queued' || slot.job === 'started') {
      const text =
        "An export is already running or queued for this project. Please try again once it's done.";
      throw messageError(400, text);
    }
    slot.pending = true;
    const work = this.#run(slot, user, project, order).catch(() => {
      slot.job = 'failed';
    });
    this.#parts.background.add(work);
  }

  async #run(slot: Slot, user: User, project: Project, order: ExportRequest): Promise<void> {
    const { clock, speed, background } = this.#parts;
    const ending = order.faults.find((fault) => fault.kind === 'end-export');
    await clock.sleep(speed.exportPendingMs, background.signal);
    slot.pending = false;
    const states = { queued: speed.exportQueuedMs, started: speed.exportStartedMs };
    const end = await enterStates(this.#parts, states, ending, (state) => {
      slot.job = state;
    });
    if (end !== null) {
      if (end.as === 'failed') slot.job = 'failed';
      if (end.as === 'none') slot.job = 'ended';
      return;
    }
    const made = await this.#write(project, order);
    await this.#removeFile(slot);
    slot.file = made;
    if (order.destination !== null) await this.#push(user, project, made.path, order.destination);
    await clock.sleep(speed.exportClosingMs, background.signal);
    if (ending?.as === 'stuck') return;
    if (ending !== undefined) await this.#removeFile(slot);
    slot.job = ending?.as === 'failed' ? 'failed' : 'ended';
  }

  /** Sends the file to the requested destination. A failure is reported only by mail. */
  async #push(user: User, project: Project, file: string, destination: PushTarget): Promise<void> {
    const outcome = await sendArchive(this.#parts.outbound, file, destination).then(
      (status) => (status >= 200 && status < 300 ? null : `Error uploading the project. Code ${status}`),
      (error: unknown) => `Error uploading the project: ${(error as Error).message}`,
    );
    const subject = outcome === null ? 'Project was exported' : 'Project export error';
    this.mails.push({ to: user.username, project: fullPath(project), subject, text: outcome ?? '' });
  }

  async #write(project: Project, { description, faults }: ExportRequest): Promise<ExportFile> {
    const { world, clock, folder, version } = this.#parts;
    const path = join(folder, `export-${++this.#files}.tar.gz`);
    const whole = project.content();
    const attributes = rootAttributesOf(project, whole.attributes);
    if (description !== null) attributes['description'] = description;
    const relations = settingRelationsOf(project, withMembers(world, project, whole));
    const complete = { ...whole, attributes, relations };
    const shorter = `${path}.bundle`;
    const { content, losses } = await applyExportFaults(complete, project, faults, shorter);
    world.losses.push(...losses);
    const stamp = { gitlabVersion: version, revision: hexDigest(version, 11), time: project.createdAt };
    await writeArchive(path, content, stamp);
    await rm(shorter, { force: true });
    const madeAt = clock.now();
    return { path, size: (await stat(path)).size, name: exportName(project, madeAt), madeAt };
  }

  #slot(user: User, project: Project): Slot {
    const key = `${user.id} ${project.id}`;
    const slot = this.#slots.get(key) ?? { pending: false, job: null, file: null };
    this.#slots.set(key, slot);
    return slot;
  }

  async #removeFile(slot: Slot): Promise<void> {
    const { file } = slot;
    slot.file = null;
    if (file !== null) await rm(file.path, { force: true });
  }
}

/**
 * Returns the file name. Its time has minutes and milliseconds but no seconds; the part before the suffix is cut
 * (gitlab-facts 5.1).
 */
function exportName(project: Project, now: number): string {
  const [date = '', time = ''] = new Date(now).toISOString().split('T');
  const stamp = `${date}_${time.slice(0, 2)}-${time.slice(3, 5)}-${time.slice(9, 12)}`;
  return `${`${stamp}_${fullPath(project).replaceAll('/', '_')}`.slice(0, 51)}_export.tar.gz`;
}
