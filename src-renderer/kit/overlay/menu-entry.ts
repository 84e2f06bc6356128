/** @file One line of a menu. */
import type { Component } from 'svelte';

export interface MenuEntry {
  id: string;
  label: string;
  icon?: Component;
  /** As `keys.ts` writes it; shown only. */
  shortcut?: string;
  danger?: boolean;
  disabled?: boolean;
  /** For an entry that is on or off. */
  checked?: boolean;
  /** A line before it. */
  apart?: boolean;
  run: () => void;
}
