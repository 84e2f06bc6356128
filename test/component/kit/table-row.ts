/** A row of the tests' table. */
export interface Row {
  key: string;
  name: string;
  size: number;
}
