/** @file The words beside the field of a declared option. */

export interface OptionFieldText {
  label: string;
  hint?: string;
  /** A path or a pattern, in letters of one width. */
  mono?: boolean;
  choices?: Readonly<Record<string, string>>;
}
