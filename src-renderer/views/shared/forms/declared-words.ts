/** @file The words beside the field of a declared option. */

export interface DeclaredWords {
  label: string;
  hint?: string;
  /** A path or a pattern, in letters of one width. */
  mono?: boolean;
  /** The words of a choice, by its value. */
  choices?: Readonly<Record<string, string>>;
}
