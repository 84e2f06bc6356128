/** @file The form of an import, and what still prevents its start. */
import type { CallRequest } from '../../../../src-contract/calls.ts';
import { isProjectPath, suggestProjectPath } from '../../../../src-contract/projects/project.ts';
import type { ChosenDepth } from '../../../../src-contract/transfers/import.ts';
import { common } from '../../../kit/common.text.ts';
import { importText as text } from './import.text.ts';
import { importSourceText } from '../../settings/storages.text.ts';
import { hasErrors, namedEntriesOf, type OverrideRow } from '../../shared/forms/override-rows.ts';
import type { ChosenArchive } from './chosen-archive.svelte.ts';

/** `file`: a local file, stored or not. `url`, `s3`: GitLab downloads the archive itself. */
export const importSources = ['file', 'url', 's3'] as const;
export type ImportSourceKind = (typeof importSources)[number];

export class ImportDraft {
  source = $state<ImportSourceKind>('file');
  /** May be presigned, so it is a secret: clear it right after sending. */
  url = $state('');
  storage = $state('');
  key = $state('');
  instance = $state('');
  /** True once the user selected an instance; until then the most likely instance is suggested. */
  instancePicked = $state(false);
  namespace = $state('');
  /** Null for the path that the archive suggests. */
  path = $state<string | null>(null);
  name = $state('');
  overwrite = $state(false);
  allowSuspicious = $state(false);
  compare = $state<ChosenDepth>('contents');
  overrides = $state<OverrideRow[]>([]);

  get overrideParams(): Record<string, string> {
    return Object.fromEntries(namedEntriesOf(this.overrides));
  }

  /** Says what is wrong with the typed address; null while it is empty or valid. */
  get urlError(): string | null {
    const typed = this.url.trim();
    return typed === '' || /^https?:\/\/[^/]/i.test(typed) ? null : importSourceText.urlWrong;
  }

  /** The path suggested by the remote address or key; empty if there is none. */
  get suggestedRemotePath(): string {
    if (this.source === 's3') return suggestProjectPath(this.key.trim());
    const name = suggestProjectPath(URL.parse(this.url.trim())?.pathname ?? '');
    return isProjectPath(name) ? name : '';
  }

  pathOf(suggested: string): string {
    return (this.path ?? suggested).trim();
  }

  pathError(suggested: string): string | null {
    const path = this.pathOf(suggested);
    return path === '' || isProjectPath(path) ? null : text.projectPathWrong;
  }

  get trimmedNamespace(): string {
    return this.namespace.trim().replace(/^\/+|\/+$/g, '');
  }

  validate(context: {
    archive: string | null;
    chosen: Pick<ChosenArchive, 'inspection' | 'summary'>;
    suggested: string;
    /** The account on the target; null while unknown. */
    user: string | null;
    /** The reason why nothing can be imported into the target; null if there is none. */
    refusal: string | null;
  }): string[] {
    const { inspection, summary } = context.chosen;
    const path = this.pathOf(context.suggested);
    const isRemote = this.source !== 'file';
    return [
      context.archive === null && !isRemote ? text.missingArchive : null,
      this.source === 'url' && this.url.trim() === '' ? importSourceText.urlMissing : null,
      this.source === 'url' ? this.urlError : null,
      this.source === 's3' && this.storage === '' ? importSourceText.storageMissing : null,
      this.source === 's3' && this.key.trim() === '' ? importSourceText.keyMissing : null,
      summary?.absent === true ? text.absent : null,
      summary?.damaged ? text.damaged(summary.damaged.reason) : null,
      inspection?.verdict === 'unusable' ? text.unusable : null,
      inspection?.verdict === 'suspicious' && !this.allowSuspicious && !isRemote ? text.suspicious : null,
      this.instance === '' ? text.missingInstance : context.refusal,
      isRemote && path === '' ? importSourceText.pathMissing : null,
      context.archive !== null && !isRemote && path === ''
        ? text.projectPathWrong
        : this.pathError(context.suggested),
      this.replacesProject && this.trimmedNamespace === '' && context.user === null && this.instance !== ''
        ? text.missingNamespace
        : null,
      hasErrors(this.overrides) ? common.fixErrorsAbove : null,
    ].filter((obstacle) => obstacle !== null);
  }

  /** An import from a storage cannot replace a project. */
  get replacesProject(): boolean {
    return this.overwrite && this.source !== 's3';
  }

  buildRequest(archive: string, suggested: string, confirmation: string | null): CallRequest<'import.start'> {
    const { overwrite, allowSuspicious } = this;
    const target = { ...this.buildRemoteRequest(archive, suggested), path: this.pathOf(suggested) || null };
    return { ...target, archive, overwrite, allowSuspicious, confirmation };
  }

  /**
   * Returns the request for an archive that GitLab downloads itself. If `archive` is given, the imported project is
   * compared with it.
   */
  buildRemoteRequest(
    archive: string | null,
    suggested: string,
  ): Omit<CallRequest<'import.s3'>, 'storage' | 'key'> {
    return {
      instance: this.instance,
      namespace: this.trimmedNamespace || null,
      path: this.pathOf(suggested),
      name: this.name.trim() || null,
      overrideParams: this.overrideParams,
      compare: this.compare,
      archive,
    };
  }
}
