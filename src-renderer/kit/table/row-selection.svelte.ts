/**
 * @file Which rows of a long list are chosen, by key. "All" means all that match now, also those that were never loaded;
 * single ones can be taken out of it again.
 */
import { SvelteSet } from 'svelte/reactivity';

export class RowSelection {
  /** Everything but `keys` is chosen. */
  all = $state(false);
  /** The chosen ones; where `all` is true, the ones that are not. */
  readonly keys = new SvelteSet<string>();

  has(key: string): boolean {
    return this.keys.has(key) !== this.all;
  }

  /** How many of a list of `total` rows. */
  count(total: number): number {
    return this.all ? Math.max(0, total - this.keys.size) : this.keys.size;
  }

  set(key: string, chosen: boolean): void {
    if (chosen === this.all) this.keys.delete(key);
    else this.keys.add(key);
  }

  toggle(key: string): void {
    this.set(key, !this.has(key));
  }

  selectAll(): void {
    this.keys.clear();
    this.all = true;
  }

  clear(): void {
    this.keys.clear();
    this.all = false;
  }
}
