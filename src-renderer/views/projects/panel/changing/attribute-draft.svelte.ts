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
  readonly #reported: Readonly<Record<string, unknown>>;
  readonly #newValues = new SvelteMap<string, AttributeValue>();

  /** `reported` is everything that the instance sent about the project; null if there is no project yet. */
  constructor(reported: Readonly<Record<string, unknown>> | null) {
    this.isNew = reported === null;
    this.#reported = reported ?? {};
  }

  /** The current value; undefined if the instance does not report it. */
  currentValue({ name, shownAs = [], shownInReply }: Attribute): unknown {
    if (shownInReply === 'never') return undefined;
    return [name, ...shownAs].map((field) => this.#reported[field]).find((value) => value !== undefined);
  }

  newValue({ name }: Pick<Attribute, 'name'>): AttributeValue | undefined {
    return this.#newValues.get(name);
  }

  /**
   * Sets the new value. Drops it if `value` is undefined, equals the current value, or is empty and none is reported.
   */
  set(attribute: Attribute, value: AttributeValue | undefined): void {
    const currentValue = this.currentValue(attribute);
    // The instance never reports whether there is a file, so removing it always counts as a change.
    const isRemoval = attribute.type === 'file' && value === '';
    if (value === undefined || (!isRemoval && same(value, currentValue)))
      this.#newValues.delete(attribute.name);
    else this.#newValues.set(attribute.name, value);
  }

  /** Sets one part of a hash. Stores only the parts that differ from the current value. */
  setField(attribute: Attribute, field: string, value: boolean | number | string | undefined): void {
    const { [field]: _, ...others } = (this.newValue(attribute) ?? {}) as Record<
      string,
      boolean | number | string
    >;
    const reportedFields = this.currentValue(attribute) as Record<string, unknown> | null | undefined;
    const unchanged = value === undefined || same(value, reportedFields?.[field]);
    const next = unchanged ? others : { ...others, [field]: value };
    this.set(attribute, Object.keys(next).length === 0 ? undefined : next);
  }

  reset(): void {
    this.#newValues.clear();
  }

  get changeCount(): number {
    return this.#newValues.size;
  }

  get changedValues(): AttributeValues {
    return Object.fromEntries(this.#newValues);
  }
}

/**
 * True if the value equals the current one. GitLab returns an empty text as null. The order of a list is ignored. A
 * value that is not reported counts as empty.
 */
function same(value: unknown, currentValue: unknown): boolean {
  if (currentValue === undefined) return value === '' || (Array.isArray(value) && value.length === 0);
  if (Array.isArray(value)) {
    return (
      Array.isArray(currentValue) && String(value.toSorted()) === String(currentValue.map(String).toSorted())
    );
  }
  return value === currentValue || (value === '' && currentValue === null);
}
