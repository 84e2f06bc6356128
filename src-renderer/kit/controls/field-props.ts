/** @file The props that fields around an `input` share. */
import type { HTMLInputAttributes } from 'svelte/elements';

export interface FieldProps {
  label: string;
  hint?: string | undefined;
  /** Says what is wrong with the value; null or empty if nothing is. */
  error?: string | null | undefined;
  hideLabel?: boolean | undefined;
}

/** Attributes that reach the `input` unchanged. */
export type InputAttributes<Name extends keyof HTMLInputAttributes> = Pick<
  HTMLInputAttributes,
  Name | 'disabled'
>;
