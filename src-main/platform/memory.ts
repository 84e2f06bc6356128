/** @file Keeps a process small while gigabytes pass through it. */
import { setFlagsFromString } from 'node:v8';

/**
 * Every chunk of a transfer is a small object that holds a large buffer outside of V8's heap, so V8 lets tens of
 * megabytes of dead buffers accumulate. If the young space does not grow, V8 collects them promptly, at no measurable
 * cost. Call this before the work. Idempotent.
 */
export function collectBuffersPromptly(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}
