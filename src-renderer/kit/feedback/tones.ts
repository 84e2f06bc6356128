/** @file The few meanings of colours. Each comes with an icon, so that no meaning depends on colour alone. */
import CircleAlert from '@lucide/svelte/icons/circle-alert';
import CircleCheck from '@lucide/svelte/icons/circle-check';
import CircleMinus from '@lucide/svelte/icons/circle-minus';
import Info from '@lucide/svelte/icons/info';
import TriangleAlert from '@lucide/svelte/icons/triangle-alert';
import type { Component } from 'svelte';
import type { RunOutcome } from '../../../src-contract/runs/run.ts';

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'plain';

export const toneIcons: Record<Tone, Component> = {
  good: CircleCheck,
  warn: TriangleAlert,
  bad: CircleAlert,
  info: Info,
  plain: CircleMinus,
};

export const outcomeTones: Record<RunOutcome, Tone> = {
  running: 'info',
  succeeded: 'good',
  warnings: 'warn',
  incomplete: 'bad',
  'partly-failed': 'bad',
  failed: 'bad',
  cancelled: 'plain',
  skipped: 'plain',
  nothing: 'plain',
};

/** Icons of badges, drawn by `glyphs.css`. */
export type Glyph =
  | 'ban'
  | 'circle-alert'
  | 'circle-check'
  | 'circle-dashed'
  | 'circle-minus'
  | 'circle-stop'
  | 'clock'
  | 'info'
  | 'loader-circle'
  | 'refresh-cw'
  | 'shield-check'
  | 'triangle-alert'
  | 'unplug';

export const toneGlyphs: Record<Tone, Glyph> = {
  good: 'circle-check',
  warn: 'triangle-alert',
  bad: 'circle-alert',
  info: 'info',
  plain: 'circle-minus',
};
