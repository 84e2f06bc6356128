/** @file The texts next to the field of a declared option. */

export interface OptionFieldText {
  label: string;
  hint?: string;
  /** True for a path or a pattern, which is shown in a monospaced font. */
  mono?: boolean;
  choices?: Readonly<Record<string, string>>;
}
