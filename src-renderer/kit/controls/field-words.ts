/** What a field says about its control. */
export interface FieldWords {
  label: string;
  hint?: string | undefined;
  /** Says what is wrong with the value; null or empty: nothing. */
  error?: string | null | undefined;
}
