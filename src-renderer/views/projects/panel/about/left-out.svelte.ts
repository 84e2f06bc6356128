/** @file The rows of a list that the user hides. Selecting another project resets them. */

export class LeftOut<Row extends { id: number }> {
  readonly #of: () => string;
  #chosen = $state.raw<{ of: string; rows: readonly Row[] }>({ of: '', rows: [] });
  readonly rows = $derived.by(() => (this.#chosen.of === this.#of() ? this.#chosen.rows : []));
  readonly ids = $derived.by(() => this.rows.map(({ id }) => id));

  /** `of`: returns the key of the project that has the list. */
  constructor(of: () => string) {
    this.#of = of;
  }

  add(row: Row): void {
    this.#chosen = { of: this.#of(), rows: [...this.rows, row] };
  }

  clear(): void {
    this.#chosen = { of: '', rows: [] };
  }
}
