/**
 * @file Worker thread that opens the catalogue. Opening checks and copies the catalogue, which would block the main
 * thread.
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
