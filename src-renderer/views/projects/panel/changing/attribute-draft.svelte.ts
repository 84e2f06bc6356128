/** @file The edited attributes of a project, compared with their current values on the instance. */
import { SvelteMap } from 'svelte/reactivity';
import type {
  Attribute,
  AttributeValue,
  AttributeValues,
} from '../../../../../src-contract/projects/project-attributes.ts';

export class AttributeDraft {
  /** True if there is no project yet: the instance decides all values that are not set. */
  readonly isNew: boolean;
  readonly #told: Readonly<Record<string, unknown>>;
  readonly #set = new SvelteMap<string, AttributeValue>();

  /** `told` is everything that the instance sent about the project; null if there is no project yet. */
  constructor(told: Readonly<Record<string, unknown>> | null) {
    this.isNew = told === null;
    this.#told = told ?? {};
  }

  /** The current value; undefined if the instance does not report it. */
  currentValue({ name, shownAs = [], shownInReply }: Attribute): unknown {
    if (shownInReply === 'never') return undefined;
    return [name, ...shownAs].map((field) => this.#told[field]).find((value) => value !== undefined);
  }

  newValue({ name }: Pick<Attribute, 'name'>): AttributeValue | undefined {
    return this.#set.get(name);
  }

  /**
   * Setting the current value, or undefined, reverts the change; so does emptying an attribute that is not reported.
   */
  set(attribute: Attribute, value: AttributeValue | undefined): void {
    const currentValue = this.currentValue(attribute);
    // The instance never reports whether there is a file, so removing it always counts as a change.
    const isRemoval = attribute.type === 'file' && value === '';
    if (value === undefined || (!isRemoval && same(value, currentValue))) this.#set.delete(attribute.name);
    else this.#set.set(attribute.name, value);
  }

  /** Sets one part of a hash. Stores only the parts that differ from the current value. */
  setField(attribute: Attribute, field: string, value: boolean | number | string | undefined): void {
    const { [field]: _, ...others } = (this.newValue(attribute) ?? {}) as Record<
      string,
      boolean | number | string
    >;
    const told = this.currentValue(attribute) as Record<string, unknown> | null | undefined;
    const unchanged = value === undefined || same(value, told?.[field]);
    const next = unchanged ? others : { ...others, [field]: value };
    this.set(attribute, Object.keys(next).length === 0 ? undefined : next);
  }

  reset(): void {
    this.#set.clear();
  }

  get changeCount(): number {
    return this.#set.size;
  }

  get changedValues(): AttributeValues {
    return Object.fromEntries(this.#set);
  }
}

/**
 * True if the value equals the current one. GitLab returns an empty text as null. The order of a list is ignored. A
 * value that is not reported counts as empty.
 */
function same(value: unknown, now: unknown): boolean {
  if (now === undefined) return value === '' || (Array.isArray(value) && value.length === 0);
  if (Array.isArray(value)) {
    return Array.isArray(now) && String(value.toSorted()) === String(now.map(String).toSorted());
  }
  return value === now || (value === '' && now === null);
}
