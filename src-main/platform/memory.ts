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

/** V8 collects garbage once the heap is a seventh larger than after the last collection. */
const heapGrowthPercent = 15;
let smallHeapCount = 0;

/**
 * Runs work that keeps many small objects for minutes, such as the records of a large project. V8 would let dead objects
 * of each reply accumulate to several times the size of the others.
 */
export async function withSmallHeap<T>(work: () => Promise<T>): Promise<T> {
  smallHeapCount += 1;
  setFlagsFromString(`--heap-growing-percent=${heapGrowthPercent}`);
  try {
    return await work();
  } finally {
    smallHeapCount -= 1;
    // The default of V8.
    if (smallHeapCount === 0) setFlagsFromString('--heap-growing-percent=0');
  }
}
