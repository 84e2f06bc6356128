/** @file Exports (gitlab-facts 6). Jobs and files belong to a user and a project. Other users do not see them. */
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { enterStates, type WorkDeps } from '../background.ts';
import { messageError } from '../requests/api-error.ts';
import { writeArchive } from '../content/archive-file.ts';
import { applyExportFaults } from './export-losses.ts';
import { withAvatar } from '../projects/avatar.ts';
import type { ExportFault } from './losses.ts';
import { sendArchive, type OutboundOptions } from './outbound.ts';
import { withCustomAttributes } from './custom-attributes.ts';
import { withMembers } from './member-records.ts';
import { rootAttributesOf } from './root-attributes.ts';
import { settingRelationsOf } from './setting-relations.ts';
import { exportedRelations } from './unexported-fields.ts';
import { fullPath, hexDigest, type Project, type User } from '../sandbox-database.ts';

export interface ExportFile {
  path: string;
  size: number;
  name: string;
  createdAt: number;
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

const fileLifetimeMs = 24 * 3_600_000;

interface Slot {
  /** True if an export was requested and its job has no row yet. */
  isPending: boolean;
  job: 'queued' | 'started' | 'ended' | 'failed' | null;
  file: ExportFile | null;
}

interface ExporterDeps extends WorkDeps {
  version: string;
  outbound: OutboundOptions;
  earlierFilePolicy: EarlierFilePolicy;
}

export class Exporter {
  readonly #deps: ExporterDeps;
  /** Mails about pushed files, oldest first. */
  readonly mails: Mail[] = [];
  readonly #slots = new Map<string, Slot>();
  #fileCount = 0;

  constructor(deps: ExporterDeps) {
    this.#deps = deps;
  }

  async status(user: User, project: Project): Promise<string> {
    const { job, isPending } = this.#slot(user, project);
    const file = await this.findFile(user, project);
    const isRunning = job === 'queued' || job === 'started';
    if (file !== null) return isRunning || isPending ? 'regeneration_in_progress' : 'finished';
    return isRunning || job === 'failed' ? job : 'none';
  }

  /** Returns the user's own file if it is at most a day old, else null. */
  async findFile(user: User, project: Project): Promise<ExportFile | null> {
    const slot = this.#slot(user, project);
    const isOld = slot.file !== null && this.#deps.clock.now() - slot.file.createdAt >= fileLifetimeMs;
    if (isOld) await this.#removeFile(slot);
    return slot.file;
  }

  async onRequest(user: User, project: Project): Promise<void> {
    if (this.#deps.earlierFilePolicy === 'removed') await this.#removeFile(this.#slot(user, project));
  }

  /** Starts an export. Throws 400 while another export of the user runs. */
  start(user: User, project: Project, request: ExportRequest): void {
    const slot = this.#slot(user, project);
    if (slot.job === 'queued' || slot.job === 'started') {
      const text =
        "An export is already running or queued for this project. Please try again once it's done.";
      throw messageError(400, text);
    }
    slot.isPending = true;
    const work = this.#run(slot, user, project, request).catch(() => {
      slot.job = 'failed';
    });
    this.#deps.background.add(work);
  }

  async #run(slot: Slot, user: User, project: Project, request: ExportRequest): Promise<void> {
    const { database, clock, speed, background } = this.#deps;
    const endFault = request.faults.find((fault) => fault.kind === 'end-export');
    await clock.sleep(speed.exportPendingMs, background.signal);
    slot.isPending = false;
    const states = { queued: speed.exportQueuedMs, started: speed.exportStartedMs };
    const end = await enterStates(this.#deps, states, endFault, (state) => {
      slot.job = state;
    });
    if (end !== null) {
      if (end.as === 'failed') slot.job = 'failed';
      if (end.as === 'none') slot.job = 'ended';
      return;
    }
    await database.reachMoment('export-started', project);
    const newFile = await this.#write(project, request);
    await database.reachMoment('export-ended', project);
    await this.#removeFile(slot);
    slot.file = newFile;
    if (request.destination !== null) await this.#push(user, project, newFile.path, request.destination);
    await clock.sleep(speed.exportClosingMs, background.signal);
    if (endFault?.as === 'stuck') return;
    if (endFault !== undefined) await this.#removeFile(slot);
    slot.job = endFault?.as === 'failed' ? 'failed' : 'ended';
  }

  /** Sends the file to the requested destination. A failure is reported only by mail. */
  async #push(user: User, project: Project, file: string, destination: PushTarget): Promise<void> {
    const errorMessage = await sendArchive(this.#deps.outbound, file, destination).then(
      (status) => (status >= 200 && status < 300 ? null : `Error uploading the project. Code ${status}`),
      (error: unknown) => `Error uploading the project: ${(error as Error).message}`,
    );
    const subject = errorMessage === null ? 'Project was exported' : 'Project export error';
    this.mails.push({ to: user.username, project: fullPath(project), subject, text: errorMessage ?? '' });
  }

  async #write(project: Project, { description, faults }: ExportRequest): Promise<ExportFile> {
    const { database, clock, folder, version } = this.#deps;
    const path = join(folder, `export-${++this.#fileCount}.tar.gz`);
    const originalContent = project.content();
    const attributes = rootAttributesOf(project, originalContent.attributes);
    if (description !== null) attributes['description'] = description;
    const exported = { ...originalContent, relations: exportedRelations(originalContent) };
    const relations = settingRelationsOf(
      project,
      withCustomAttributes(project, withMembers(database, project, exported)),
    );
    const fullContent = withAvatar({ ...originalContent, attributes, relations }, project.avatar);
    const bundlePath = `${path}.bundle`;
    const { content, losses } = await applyExportFaults(fullContent, project, faults, bundlePath);
    database.losses.push(...losses);
    const stamp = { gitlabVersion: version, revision: hexDigest(version, 11), time: project.createdAt };
    await writeArchive(path, content, stamp);
    await rm(bundlePath, { force: true });
    const createdAt = clock.now();
    return {
      path,
      size: (await stat(path)).size,
      name: exportName(project, createdAt),
      createdAt,
    };
  }

  #slot(user: User, project: Project): Slot {
    const key = `${user.id} ${project.id}`;
    const slot = this.#slots.get(key) ?? { isPending: false, job: null, file: null };
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
