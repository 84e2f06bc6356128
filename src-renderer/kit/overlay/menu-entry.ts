/** @file One line of a menu. */
import type { Component } from 'svelte';

export interface MenuEntry {
  id: string;
  label: string;
  icon?: Component;
  /** Written as in `keys.ts`. Only shown, never handled. */
  shortcut?: string;
  danger?: boolean;
  disabled?: boolean;
  checked?: boolean;
  separatorBefore?: boolean;
  run: () => void;
}
