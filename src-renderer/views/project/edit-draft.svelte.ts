/** @file What is to be changed of a project's attributes, held against how the instance tells them now. */
import { SvelteMap } from 'svelte/reactivity';
import type {
  Attribute,
  AttributeValue,
  AttributeValues,
} from '../../../src-preload/contract/project-attributes.ts';

export class EditDraft {
  readonly #told: Readonly<Record<string, unknown>>;
  readonly #changed = new SvelteMap<string, AttributeValue>();

  /** `told`: all that the instance sent of the project. */
  constructor(told: Readonly<Record<string, unknown>>) {
    this.#told = told;
  }

  /** As the instance tells it; undefined: it does not. */
  now({ name, shownAs = [], untold }: Attribute): unknown {
    if (untold === 'never') return undefined;
    return [name, ...shownAs].map((field) => this.#told[field]).find((value) => value !== undefined);
  }

  /** What it is to be; undefined: it stays. */
  wanted({ name }: Attribute): AttributeValue | undefined {
    return this.#changed.get(name);
  }

  /** Setting it to what it is, or to undefined, takes the change back. */
  set(attribute: Attribute, value: AttributeValue | undefined): void {
    if (value === undefined || same(value, this.now(attribute))) this.#changed.delete(attribute.name);
    else this.#changed.set(attribute.name, value);
  }

  /** Of a part of a hash: the parts that differ from now. */
  setField(attribute: Attribute, field: string, value: boolean | number | string | undefined): void {
    const { [field]: _, ...others } = (this.wanted(attribute) ?? {}) as Record<
      string,
      boolean | number | string
    >;
    const told = this.now(attribute) as Record<string, unknown> | null | undefined;
    const unchanged = value === undefined || same(value, told?.[field]);
    const next = unchanged ? others : { ...others, [field]: value };
    this.set(attribute, Object.keys(next).length === 0 ? undefined : next);
  }

  undo(): void {
    this.#changed.clear();
  }

  get count(): number {
    return this.#changed.size;
  }

  /** Only what is to change. */
  get values(): AttributeValues {
    return Object.fromEntries(this.#changed);
  }
}

/** An empty text is told as null, and the order of a list means nothing. */
function same(value: unknown, now: unknown): boolean {
  if (Array.isArray(value)) {
    return Array.isArray(now) && String(value.toSorted()) === String(now.map(String).toSorted());
  }
  return value === now || (value === '' && now === null);
}
