/** @file What is to be set of a project's attributes, held against how the instance tells them now. */
import { SvelteMap } from 'svelte/reactivity';
import type {
  Attribute,
  AttributeValue,
  AttributeValues,
} from '../../../../src-contract/projects/project-attributes.ts';

export class AttributeDraft {
  /** There is no project yet: what is not set is decided by the instance. */
  readonly isNew: boolean;
  readonly #told: Readonly<Record<string, unknown>>;
  readonly #set = new SvelteMap<string, AttributeValue>();

  /** `told`: all that the instance sent of the project; null: there is none yet. */
  constructor(told: Readonly<Record<string, unknown>> | null) {
    this.isNew = told === null;
    this.#told = told ?? {};
  }

  /** As the instance tells it; undefined: it does not. */
  now({ name, shownAs = [], untold }: Attribute): unknown {
    if (untold === 'never') return undefined;
    return [name, ...shownAs].map((field) => this.#told[field]).find((value) => value !== undefined);
  }

  /** What it is to be; undefined: it stays. */
  wanted({ name }: Pick<Attribute, 'name'>): AttributeValue | undefined {
    return this.#set.get(name);
  }

  /** Setting it to what it is, or to undefined, takes the change back; so does emptying what is not told. */
  set(attribute: Attribute, value: AttributeValue | undefined): void {
    const now = this.now(attribute);
    // Whether there is a file is never told: no file is a change of it.
    const isRemoval = attribute.type === 'file' && value === '';
    if (value === undefined || (!isRemoval && same(value, now))) this.#set.delete(attribute.name);
    else this.#set.set(attribute.name, value);
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
    this.#set.clear();
  }

  get count(): number {
    return this.#set.size;
  }

  /** Only what is to be set. */
  get values(): AttributeValues {
    return Object.fromEntries(this.#set);
  }
}

/** An empty text is told as null, the order of a list means nothing, and nothing is as good as what is not told. */
function same(value: unknown, now: unknown): boolean {
  if (now === undefined) return value === '' || (Array.isArray(value) && value.length === 0);
  if (Array.isArray(value)) {
    return Array.isArray(now) && String(value.toSorted()) === String(now.map(String).toSorted());
  }
  return value === now || (value === '' && now === null);
}
