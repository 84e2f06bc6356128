/** Texts of a field around its control. */
export interface FieldWords {
  label: string;
  hint?: string | undefined;
  /** Says what is wrong with the value; null or empty if nothing is. */
  error?: string | null | undefined;
}
