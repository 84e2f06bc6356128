/** What the table of the tests shows. */
export interface Row {
  key: string;
  name: string;
  size: number;
}
