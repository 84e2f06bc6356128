/** @file The few meanings a colour may carry; each comes with an icon, so that none rests on colour alone. */
import CircleAlert from '@lucide/svelte/icons/circle-alert';
import CircleCheck from '@lucide/svelte/icons/circle-check';
import CircleMinus from '@lucide/svelte/icons/circle-minus';
import Info from '@lucide/svelte/icons/info';
import TriangleAlert from '@lucide/svelte/icons/triangle-alert';
import type { Component } from 'svelte';

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'plain';

export const toneIcons: Record<Tone, Component> = {
  good: CircleCheck,
  warn: TriangleAlert,
  bad: CircleAlert,
  info: Info,
  plain: CircleMinus,
};
