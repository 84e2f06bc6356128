/** @file What is filled in of an import before it is started, and what is still in its way. */
import type { Inspection } from '../../../src-contract/archive.ts';
import type { CallRequest } from '../../../src-contract/calls.ts';
import { isProjectPath, projectPathOfFile } from '../../../src-contract/projects/project.ts';
import { common } from '../../kit/common.text.ts';
import { importText as text } from './import.text.ts';
import { importSourceText } from '../settings/storages.text.ts';
import { anyWrong, namedOf, type OverrideRow } from '../shared/forms/override-rows.ts';

/** `file`: it is here, stored or not. `url`, `s3`: GitLab fetches it itself. */
export const importSources = ['file', 'url', 's3'] as const;
export type ImportSourceKind = (typeof importSources)[number];

export class ImportDraft {
  source = $state<ImportSourceKind>('file');
  /** May be presigned, so a secret: whoever sends it clears it. */
  url = $state('');
  storage = $state('');
  key = $state('');
  instance = $state('');
  /** Chosen by the person; until then the likeliest is suggested. */
  instancePicked = $state(false);
  namespace = $state('');
  /** Null: as the archive suggests. */
  path = $state<string | null>(null);
  name = $state('');
  overwrite = $state(false);
  allowSuspicious = $state(false);
  overrides = $state<OverrideRow[]>([]);

  get overrideParams(): Record<string, string> {
    return Object.fromEntries(namedOf(this.overrides));
  }

  /** What is wrong with the address as typed; null while it is empty or fine. */
  get urlWrong(): string | null {
    const typed = this.url.trim();
    return typed === '' || /^https?:\/\/[^/]/i.test(typed) ? null : importSourceText.urlWrong;
  }

  /** The path that what is fetched would get; empty: nothing to go by. */
  get remotePath(): string {
    if (this.source === 's3') return projectPathOfFile(this.key.trim());
    const path = URL.parse(this.url.trim())?.pathname ?? '';
    const name = projectPathOfFile(path);
    return isProjectPath(name) ? name : '';
  }

  pathOf(suggested: string): string {
    return (this.path ?? suggested).trim();
  }

  pathWrong(suggested: string): string | null {
    const path = this.pathOf(suggested);
    return path === '' || isProjectPath(path) ? null : text.projectPathWrong;
  }

  get group(): string {
    return this.namespace.trim().replace(/^\/+|\/+$/g, '');
  }

  /** What stands in the way of starting; empty where nothing does. */
  obstacles(of: {
    archive: string | null;
    inspection: Inspection | null;
    absent: boolean;
    /** Why a stored one is damaged; null where it is not. */
    damaged: string | null;
    suggested: string;
    /** The account on the target; null while it is not known. */
    user: string | null;
    /** Why nothing can be imported there, as far as it is known; null: nothing speaks against it. */
    refusal: string | null;
  }): string[] {
    const path = this.pathOf(of.suggested);
    const remote = this.source !== 'file';
    return [
      of.archive === null && !remote ? text.missingArchive : null,
      this.source === 'url' && this.url.trim() === '' ? importSourceText.urlMissing : null,
      this.source === 'url' ? this.urlWrong : null,
      this.source === 's3' && this.storage === '' ? importSourceText.storageMissing : null,
      this.source === 's3' && this.key.trim() === '' ? importSourceText.keyMissing : null,
      of.absent ? text.absent : null,
      of.damaged === null ? null : text.damaged(of.damaged),
      of.inspection?.verdict === 'unusable' ? text.unusable : null,
      of.inspection?.verdict === 'suspicious' && !this.allowSuspicious && !remote ? text.suspicious : null,
      this.instance === '' ? text.missingInstance : null,
      this.instance === '' ? null : of.refusal,
      remote && path === '' ? importSourceText.pathMissing : null,
      of.archive !== null && !remote && path === '' ? text.projectPathWrong : this.pathWrong(of.suggested),
      this.overwrites && this.group === '' && of.user === null && this.instance !== ''
        ? text.missingNamespace
        : null,
      anyWrong(this.overrides) ? common.mendAbove : null,
    ].filter((obstacle) => obstacle !== null);
  }

  /** A storage gives GitLab nothing to replace a project with. */
  get overwrites(): boolean {
    return this.overwrite && this.source !== 's3';
  }

  request(archive: string, suggested: string, confirmation: string | null): CallRequest<'import.start'> {
    return {
      instance: this.instance,
      archive,
      namespace: this.group === '' ? null : this.group,
      path: this.pathOf(suggested) === '' ? null : this.pathOf(suggested),
      name: this.name.trim() === '' ? null : this.name.trim(),
      overwrite: this.overwrite,
      allowSuspicious: this.allowSuspicious,
      overrideParams: this.overrideParams,
      confirmation,
    };
  }

  /** For the calls by which GitLab fetches it; `archive`: what arrives is compared with it, where there is one. */
  remoteTarget(archive: string | null, suggested: string): Omit<CallRequest<'import.s3'>, 'storage' | 'key'> {
    return {
      instance: this.instance,
      namespace: this.group === '' ? null : this.group,
      path: this.pathOf(suggested),
      name: this.name.trim() === '' ? null : this.name.trim(),
      overrideParams: this.overrideParams,
      archive,
    };
  }
}
