/** @file The texts of an `OptionField`: its label, its hint and the names of its choices. */

export interface OptionFieldText {
  label: string;
  hint?: string;
  /** True for a path or a pattern, which is shown in a monospaced font. */
  mono?: boolean;
  choices?: Readonly<Record<string, string>>;
}
