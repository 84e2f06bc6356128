/**
 * @file The selected rows of a long list, by key. "All" means every row that matches now, including rows that were
 * never loaded.
 */
import { SvelteSet } from 'svelte/reactivity';

export class RowSelection {
  allSelected = $state(false);
  /** The selected rows, or the deselected ones if `allSelected` is true. */
  readonly keys = new SvelteSet<string>();

  has(key: string): boolean {
    return this.keys.has(key) !== this.allSelected;
  }

  count(total: number): number {
    return this.allSelected ? Math.max(0, total - this.keys.size) : this.keys.size;
  }

  set(key: string, selected: boolean): void {
    if (selected === this.allSelected) this.keys.delete(key);
    else this.keys.add(key);
  }

  toggle(key: string): void {
    this.set(key, !this.has(key));
  }

  selectAll(): void {
    this.keys.clear();
    this.allSelected = true;
  }

  clear(): void {
    this.keys.clear();
    this.allSelected = false;
  }
}
