/** @file The form of a new project: its place, its owner, its attributes, and why it cannot be created. */
import type { CallRequest } from '../../../../../src-contract/calls.ts';
import type { Instance } from '../../../../../src-contract/instances/instance.ts';
import type {
  AttributeUse,
  AttributeValues,
} from '../../../../../src-contract/projects/project-attributes.ts';
import { createText as text } from './attributes.text.ts';
import { refusalText } from '../project.text.ts';
import { AttributeDraft } from './attribute-draft.svelte.ts';
import { groupedAttributes } from './attribute-groups.ts';
import { slugifyName } from './slugify-name.ts';
import { refusalOf } from './refusals.ts';

export class CreateDraft {
  instanceName = $state('');
  /** Id of the user who will own the project; null for the account itself. */
  forUser = $state<number | null>(null);
  namespace = $state('');
  readonly attributes = new AttributeDraft(null);
  readonly #instances: () => readonly Instance[];

  readonly instance = $derived.by(
    () => this.#instances().find(({ name }) => name === this.instanceName) ?? null,
  );
  readonly use: AttributeUse = $derived(this.forUser === null ? 'create' : 'createFor');
  readonly fields = $derived(groupedAttributes(this.use));
  readonly refusal = $derived.by(() => {
    if (this.instance === null) return null;
    const id = this.forUser === null ? 'create-project' : 'create-project-for-user';
    return refusalOf(id, this.instance, null);
  });
  readonly suggestedPath = $derived.by(() => slugifyName(this.#text('name')));
  readonly #path = $derived.by(() => {
    const path = this.#text('path');
    return path === '' ? this.suggestedPath : path;
  });
  readonly #namespace = $derived.by(() => this.namespace.trim().replaceAll(/^\/+|\/+$/g, ''));
  /**
   * Full path of the new project, or its last part alone for the user's own namespace. Null if the project has no
   * path yet.
   */
  readonly projectPath = $derived.by(() => {
    if (this.#path === '') return null;
    return this.#namespace === '' ? this.#path : `${this.#namespace}/${this.#path}`;
  });
  /** The path as it is shown to the user; null if the project has no path yet. */
  readonly displayPath = $derived.by(() => {
    if (this.projectPath === null || this.#namespace !== '') return this.projectPath;
    return `${this.forUser === null ? (this.instance?.username ?? '…') : '…'}/${this.projectPath}`;
  });
  /** The attributes to send. Attributes that the current `use` does not accept are left out. */
  readonly values: AttributeValues = $derived.by(() => {
    const names = this.fields.map(({ attribute }) => attribute.name);
    return Object.fromEntries(
      Object.entries(this.attributes.changedValues).filter(
        ([name]) => name !== 'path' && names.includes(name),
      ),
    );
  });

  constructor(instances: () => readonly Instance[]) {
    this.#instances = instances;
  }

  /** Returns an error for each missing value, by field. The app validates everything else. */
  validateRequired(): Record<string, string> {
    const { attributes } = this;
    const isNamed = attributes.newValue({ name: 'name' }) !== undefined;
    return {
      ...(this.forUser !== null && this.#namespace === '' ? { namespace: text.namespaceNeeded } : {}),
      ...(this.#path !== '' ? {} : isNamed ? { path: text.noPath } : { name: text.nameNeeded }),
    };
  }

  get checkRequest(): CallRequest<'project.checkAttributes'> {
    return { use: this.use, attributes: { path: this.#path, ...this.values } };
  }

  buildRequest(attributes: Readonly<Record<string, unknown>>): CallRequest<'project.change'> {
    return {
      instance: this.instanceName,
      project: this.projectPath ?? '',
      change: { kind: 'create', namespace: null, forUser: this.forUser, attributes: { ...attributes } },
    };
  }

  #text(name: string): string {
    const value = this.attributes.newValue({ name });
    return typeof value === 'string' ? value.trim() : '';
  }
}

export const otherUserRefusal = ({ administrator }: Instance): string | null =>
  administrator ? null : refusalText.administrator;
