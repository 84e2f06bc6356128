/** @file What is filled in of an import before it is started, and what is still in its way. */
import type { Inspection } from '../../../src-preload/contract/archive.ts';
import type { CallRequest } from '../../../src-preload/contract/calls.ts';
import { isProjectPath } from '../../../src-preload/contract/project.ts';
import { importText as text } from '../../text/import.ts';

export interface Override {
  /** Tells rows apart; nothing else. */
  id: number;
  key: string;
  value: string;
}

export class ImportDraft {
  instance = $state('');
  /** Chosen by the person; until then the likeliest is suggested. */
  instancePicked = $state(false);
  namespace = $state('');
  /** Null: as the archive suggests. */
  path = $state<string | null>(null);
  name = $state('');
  overwrite = $state(false);
  allowSuspicious = $state(false);
  overrides = $state<Override[]>([]);

  #lastId = 0;

  addOverride(): void {
    this.#lastId += 1;
    this.overrides.push({ id: this.#lastId, key: '', value: '' });
  }

  removeOverride(id: number): void {
    this.overrides = this.overrides.filter((row) => row.id !== id);
  }

  /** Rows that say something; GitLab ignores blank values. */
  get overrideParams(): Record<string, string> {
    return Object.fromEntries(
      this.overrides
        .map(({ key, value }) => [key.trim(), value] as const)
        .filter(([key, value]) => key !== '' && value !== ''),
    );
  }

  /** The error of one row; null where it is fine. */
  overrideWrong({ id, key }: Override): string | null {
    const trimmed = key.trim();
    if (trimmed === '') return null;
    const first = this.overrides.find((row) => row.key.trim() === trimmed);
    return first?.id === id ? null : text.overrideTwice;
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
    suggested: string;
    /** The account on the target; null while it is not known. */
    user: string | null;
    canWrite: boolean;
  }): string[] {
    const path = this.pathOf(of.suggested);
    return [
      of.archive === null ? text.missingArchive : null,
      of.absent ? text.absent : null,
      of.inspection?.verdict === 'unusable' ? text.unusable : null,
      of.inspection?.verdict === 'suspicious' && !this.allowSuspicious ? text.suspicious : null,
      this.instance === '' ? text.missingInstance : null,
      this.instance !== '' && !of.canWrite ? text.tokenReadOnly : null,
      of.archive !== null && path === '' ? text.projectPathWrong : this.pathWrong(of.suggested),
      this.overwrite && this.group === '' && of.user === null && this.instance !== ''
        ? text.missingNamespace
        : null,
      this.overrides.some((row) => this.overrideWrong(row) !== null) ? text.overrideTwice : null,
    ].filter((obstacle) => obstacle !== null);
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
}
