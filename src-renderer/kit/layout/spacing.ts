/** @file The spacing and alignment that `Stack`, `Row` and `Grid` take. */
import type { HTMLAttributes, HTMLFieldsetAttributes, HTMLFormAttributes } from 'svelte/elements';
import type { Snippet } from 'svelte';

/** A step of the scale of `--space-…` in `tokens.css`; 0 is no space. */
export type Gap = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 8;

export const spaceOf = (gap: Gap): string => (gap === 0 ? '0' : `var(--space-${gap})`);

export type Align = 'start' | 'center' | 'end' | 'baseline' | 'stretch';

/** Attributes such as `role`, `aria-label` and `onsubmit` reach the element that is drawn. */
export interface LayoutProps
  extends
    Omit<HTMLAttributes<HTMLElement>, 'style'>,
    Pick<HTMLFormAttributes, 'novalidate'>,
    Pick<HTMLFieldsetAttributes, 'disabled'> {
  as?: keyof HTMLElementTagNameMap;
  gap?: Gap;
  align?: Align;
  maxWidth?: `${number}rem` | undefined;
  children: Snippet;
}
