/**
 * @file Worker thread: opens the catalogue a second time, which checks it and makes a due copy, and closes it. Other
 * threads read and write meanwhile; checking a large catalogue on the main thread would block its answers.
 */
import { workerData } from 'node:worker_threads';
import { systemClock } from '../../platform/clock.ts';
import { openCatalogue } from '../database.ts';

export interface CopyInput {
  path: string;
  /** Epoch milliseconds. */
  now: number;
}

const { path, now } = workerData as CopyInput;
openCatalogue({ path, clock: { ...systemClock, now: () => now } }).close();
